import { Button, Skeleton } from '@mantine/core';
import { Flag } from 'lucide-react';
import type {
  AutomationSimulatedStep,
  AutomationSimulation,
  AutomationStep,
} from '../../../api/generated/types.gen.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { exactTime } from '../../../lib/time.ts';
import { usePreviewView } from '../../../lib/use-preview-view.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { type Tone, StatusBadge } from '../../../ui/StatusBadge.tsx';
import { branchWords } from '../branch-words.ts';
import { kindOf } from '../steps/step-kinds.ts';
import classes from './simulate.module.css';

const MailPreview = lazyPart(
  () => import('../../../ui/mail-preview/MailPreview.tsx').then((file) => file.MailPreview),
  <Skeleton height={320} />,
);

const ENDS: Readonly<Record<AutomationSimulation['ended'], { tone: Tone; words: string; says: string }>> = {
  completed: { tone: 'ok', words: 'Completed', says: 'The run has come to its end.' },
  exited: { tone: 'info', words: 'Exited', says: 'The run ends here, before its last step.' },
  failed: { tone: 'bad', words: 'Failed', says: 'The run stops at the step that failed.' },
  waiting: { tone: 'warn', words: 'Waiting', says: 'The run still waits when the simulation stops.' },
};

/** The steps that would be taken, day by day, with their mails. */
export function DatedOutbox({
  simulation,
  steps,
}: {
  simulation: AutomationSimulation;
  steps: readonly AutomationStep[];
}) {
  const [{ mail }, setUrl] = useUrlState(['mail']);
  const end = ENDS[simulation.ended];
  return (
    <ol className={classes['outbox']} aria-label="What would happen">
      {simulation.steps.map((entry, index) => {
        const day = dayOf(entry.at);
        const isNewDay = index === 0 || dayOf(simulation.steps[index - 1]?.at ?? '') !== day;
        return (
          <li key={entry.key} className={classes['entry']}>
            {isNewDay && <h3 className={classes['day']}>{day}</h3>}
            <Entry
              entry={entry}
              step={steps.find(({ key }) => key === entry.key)}
              isOpen={mail === entry.key}
              onToggle={() => setUrl({ mail: mail === entry.key ? undefined : entry.key })}
            />
          </li>
        );
      })}
      <li className={classes['ended']}>
        <Flag size={15} aria-hidden="true" />
        <StatusBadge tone={end.tone}>{end.words}</StatusBadge>
        <span>{end.says}</span>
      </li>
    </ol>
  );
}

interface EntryProps {
  entry: AutomationSimulatedStep;
  step: AutomationStep | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

function Entry({ entry, step, isOpen, onToggle }: EntryProps) {
  const [view, setView] = usePreviewView();
  const { label, icon: Icon } = kindOf(step?.type ?? '');
  return (
    <div className={classes['line']}>
      <time dateTime={entry.at} className={classes['time']} title={exactTime(entry.at)}>
        {timeOf(entry.at)}
      </time>
      <span className={classes['icon']} data-mail={entry.subject !== null || undefined} aria-hidden="true">
        <Icon size={15} />
      </span>
      <div className={classes['what']}>
        <p className={classes['title']}>
          {step === undefined ? entry.key : label} <code>{entry.key}</code>
        </p>
        {entry.branch !== null && <p className={classes['branch']}>{branchWords(entry.branch)}</p>}
        {entry.error !== null && <Notice tone="bad">{entry.error}</Notice>}
        {entry.subject !== null && (
          <>
            <p className={classes['subject']}>{entry.subject}</p>
            <Button variant="default" size="xs" aria-expanded={isOpen} onClick={onToggle}>
              {isOpen ? 'Hide the mail' : 'Show the mail'}
            </Button>
            {isOpen && entry.html !== null && (
              <MailPreview html={entry.html} label={`Mail: ${entry.subject}`} view={view} onViewChange={setView} />
            )}
            {isOpen && entry.html === null && <pre className={classes['text']}>{entry.text}</pre>}
          </>
        )}
      </div>
    </div>
  );
}

/** "Tue, Dec 1, 2026": the exact time of the person's zone without its clock. */
const dayOf = (at: string): string => (at === '' ? '' : exactTime(at).split(', ').slice(0, 3).join(', '));
const timeOf = (at: string): string => /\d\d:\d\d/.exec(exactTime(at))?.[0] ?? '';
