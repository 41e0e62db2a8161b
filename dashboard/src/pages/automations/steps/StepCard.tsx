import { ActionIcon, Skeleton } from '@mantine/core';
import { ArrowDown, ArrowUp, ChevronDown, CornerDownRight, X } from 'lucide-react';
import { useId } from 'react';
import type { AutomationStep } from '../../../api/generated/types.gen.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { type DraftStep, targetFault } from './step-list.ts';
import { kindOf } from './step-kinds.ts';
import classes from './steps.module.css';

interface Props {
  steps: readonly DraftStep[];
  at: number;
  faults: Readonly<Record<string, string>>;
  readOnly: boolean;
  isOpen: boolean;
  nameOf: (id: string) => string | undefined;
  onToggle: () => void;
  onChange: (step: AutomationStep) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

const StepBody = lazyPart(() => import('./StepBody.tsx').then((file) => file.StepBody), <Skeleton height={120} />);

/** One step: its summary and branches; opened, its fields. */
export function StepCard({ steps, at, faults, readOnly, isOpen, nameOf, ...on }: Props) {
  const id = useId();
  const draft = steps[at];
  if (draft === undefined) return null;
  const { step } = draft;
  const kind = kindOf(step.type);
  const { icon: Icon } = kind;
  const name = `step ${at + 1}, ${step.key}`;
  const isWrong = Object.keys(faults).length > 0 || brokenBranch(steps, at);
  return (
    <article className={classes['card']} data-wrong={isWrong || undefined} aria-labelledby={`${id}-title`}>
      <div className={classes['head']}>
        <button
          type="button"
          className={classes['toggle']}
          aria-expanded={isOpen}
          aria-controls={`${id}-fields`}
          data-step={step.key}
          onClick={on.onToggle}
        >
          <span className={classes['icon']} aria-hidden="true">
            <Icon size={16} />
          </span>
          <span className={classes['words']}>
            <span id={`${id}-title`} className={classes['title']}>
              <span className={classes['number']}>{at + 1}.</span> {kind.label}
            </span>
            <span className={classes['summary']}>{kind.summary(step.config, nameOf)}</span>
          </span>
          {isWrong && <span className={classes['wrong']}>Look here</span>}
          <code className={classes['key']}>{step.key}</code>
          <ChevronDown size={15} className={classes['chevron']} data-open={isOpen || undefined} aria-hidden="true" />
        </button>
        {!readOnly && (
          <div className={classes['tools']}>
            <ActionIcon
              variant="subtle"
              aria-label={`Move ${name} up`}
              disabled={at === 0}
              onClick={() => on.onMove(-1)}
            >
              <ArrowUp size={15} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              aria-label={`Move ${name} down`}
              disabled={at === steps.length - 1}
              onClick={() => on.onMove(1)}
            >
              <ArrowDown size={15} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              aria-label={`Remove ${name}`}
              disabled={steps.length === 1}
              onClick={on.onRemove}
            >
              <X size={15} />
            </ActionIcon>
          </div>
        )}
      </div>
      {kind.branches !== undefined && (
        <ul className={classes['branches']} aria-label={`Ways on from ${name}`}>
          {kind.branches(step.config).map(({ when, to }) => (
            <li key={when}>
              <CornerDownRight size={13} aria-hidden="true" />
              <span>{when}</span>
              <span aria-hidden="true">→</span>
              <TargetWords to={to} steps={steps} at={at} />
            </li>
          ))}
        </ul>
      )}
      <div id={`${id}-fields`} className={classes['fields']} hidden={!isOpen}>
        {isOpen && <StepBody steps={steps} at={at} faults={faults} readOnly={readOnly} onChange={on.onChange} />}
      </div>
    </article>
  );
}

const brokenBranch = (steps: readonly DraftStep[], at: number): boolean => {
  const { else: no, on_timeout: late } = steps[at]?.step.config ?? {};
  return targetFault(steps, at, no) !== undefined || targetFault(steps, at, late) !== undefined;
};

/** The step that a branch leads to, by its number and key. */
function TargetWords({ to, steps, at }: { to: string; steps: readonly DraftStep[]; at: number }) {
  if (to === 'end') return <b>end</b>;
  const place = to === 'next' ? at + 1 : steps.findIndex(({ step }) => step.key === to);
  const target = steps[place];
  if (target === undefined) return <b>{to === 'next' ? 'end' : to}</b>;
  return (
    <span>
      <b>{place + 1}.</b> <code>{target.step.key}</code>
    </span>
  );
}
