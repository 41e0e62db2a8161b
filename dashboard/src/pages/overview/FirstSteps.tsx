import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import {
  listApiKeysOptions,
  listDomainsOptions,
  listNewslettersOptions,
} from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Overview, Workspace } from '../../api/generated/types.gen.ts';
import { useIsOperator } from '../../api/operator.ts';
import { useWhyNot } from '../../api/session.ts';
import { freshOnReturn } from '../../api/use-overview.ts';
import { pb } from '../../lib/paths.ts';
import { SANDBOX_DOMAIN } from '../../lib/mail/sandbox-domain.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Section } from '../../ui/Section.tsx';
import { areHidden, countSteps, haveBeenDone, hideOrShow, rememberDone, type StepId, stepsOf } from './first-steps.ts';
import classes from './overview.module.css';
import { SendFirstEmail } from './SendFirstEmail.tsx';

/** The first five minutes. A step is done when it is true, whoever did it; the list leaves when all that count are. */
export function FirstSteps({ workspace, overview }: { workspace: Workspace; overview: Overview | undefined }) {
  const [{ steps: asked }, setUrl] = useUrlState(['steps']);
  const [isHidden, setHidden] = useState(() => areHidden(workspace.id));
  if (isHidden && asked === undefined) return null;
  const hide = () => {
    hideOrShow(workspace.id, true);
    setHidden(true);
    setUrl({ steps: undefined });
  };
  return <Steps workspace={workspace} overview={overview} onHide={hide} isAsked={asked !== undefined} />;
}

/** Why this person may not take a step; undefined where they may. */
function usePermissions() {
  return {
    whyNoKey: useWhyNot('api_keys:write'),
    whyNoNewsletter: useWhyNot('newsletters:write'),
    whyNoIssue: useWhyNot('issues:write'),
    whyNoDomain: useWhyNot('domains:write'),
    isOperator: useIsOperator(),
  };
}

type Permissions = ReturnType<typeof usePermissions>;

interface StepsProps {
  workspace: Workspace;
  overview: Overview | undefined;
  onHide: () => void;
  isAsked: boolean;
}

function Steps({ workspace: { id: workspaceId, edition }, overview, onHide, isAsked }: StepsProps) {
  const [wereDone] = useState(() => haveBeenDone(workspaceId));
  const may = usePermissions();
  const fresh = freshOnReturn();
  const keys = useQuery({ ...listApiKeysOptions({ query: { limit: '100' } }), ...fresh });
  const newsletters = useQuery({ ...listNewslettersOptions({ query: { limit: '100' } }), ...fresh });
  const domains = useQuery({ ...listDomainsOptions(), enabled: edition === 'cloud', ...fresh });
  const steps = stepsOf({
    hasSent: overview && overview.changes.emails !== null,
    hasKeyInUse: keys.data?.data.some(({ last_used_at, created_by }) => last_used_at !== null || created_by !== null),
    hasProvider: overview && overview.provider.name !== 'capture',
    hasNewsletter: newsletters.data && newsletters.data.data.length > 0,
    hasSentIssue: newsletters.data?.data.some(({ last_issue_sent_at }) => last_issue_sent_at !== null),
    hasDomain:
      edition === 'cloud'
        ? domains.data?.data.some(({ domain, sending_enabled: isOn }) => isOn && domain !== SANDBOX_DOMAIN)
        : null,
  });
  const isLoading =
    overview === undefined || keys.isPending || newsletters.isPending || (edition === 'cloud' && domains.isPending);
  const count = steps && countSteps(steps);
  const left = count?.left;
  useEffect(() => {
    if (left === 0) rememberDone(workspaceId);
  }, [left, workspaceId]);
  // They keep their place while they are not known, so that the numbers below do not jump.
  if (isLoading && !wereDone) return <StepsToCome edition={edition} />;
  // A role that may not read keys or newsletters has no first steps to take.
  if (steps === undefined || count === undefined || overview === undefined) return null;
  if (left === 0 && !isAsked) return null;
  return (
    <Section
      title="First steps"
      description={inWords(count, count.total < steps.length)}
      actions={
        <ActionButton variant="subtle" size="xs" onClick={onHide}>
          Hide
        </ActionButton>
      }
    >
      <ol className={classes['steps']}>
        {steps.map(({ id, isDone, isOptional }) => (
          <StepRow
            key={id}
            id={id}
            isDone={isDone}
            isOptional={isOptional}
            overview={overview}
            may={may}
            newsletterId={newsletters.data?.data[0]?.id}
          />
        ))}
      </ol>
    </Section>
  );
}

const inWords = ({ left, total }: { left: number; total: number }, hasOptional: boolean): string =>
  (left === 0 ? 'All done.' : `${left} of ${total} left.`) +
  (hasOptional ? ' The optional ones are for mail that leaves this machine.' : '');

/** Which of them are done is not known yet; their words are. */
function StepsToCome({ edition }: Pick<Workspace, 'edition'>) {
  return (
    <Section title="First steps" description="About five minutes.">
      <ol className={classes['steps']} aria-hidden="true">
        {Object.entries(WORDS)
          .filter(([id]) => id !== 'domain' || edition === 'cloud')
          .map(([id, { title, text }]) => (
            <li key={id} className={classes['step']}>
              <Circle size={18} visibility="hidden" />
              <div className={classes['words']}>
                <div className={classes['stepTitle']}>{title}</div>
                <div className={classes['stepText']}>{text}</div>
              </div>
            </li>
          ))}
      </ol>
    </Section>
  );
}

interface StepProps {
  id: StepId;
  isDone: boolean;
  isOptional: boolean;
  overview: Overview;
  may: Permissions;
  /** The newest; undefined when there is none. */
  newsletterId: string | undefined;
}

function StepRow(props: StepProps) {
  const { id, isDone, isOptional } = props;
  const { title, text } = WORDS[id];
  return (
    <li className={classes['step']} data-done={isDone || undefined}>
      {isDone ? <CircleCheck size={18} aria-label="Done" /> : <Circle size={18} aria-label="To do" />}
      <div className={classes['words']}>
        <div className={classes['stepTitle']}>
          {title}
          {isOptional && !isDone && ' (optional)'}
        </div>
        {!isDone && <div className={classes['stepText']}>{text}</div>}
      </div>
      <Action {...props} />
    </li>
  );
}

const WORDS: Readonly<Record<StepId, { title: string; text: ReactNode }>> = {
  send: {
    title: 'Send a first email',
    text: 'It goes to your own address, and you see it in the Outbox as a mail program shows it.',
  },
  key: { title: 'Create an API key', text: 'Copy it into your program. It is shown once.' },
  domain: {
    title: 'Send mail from your own domain',
    text: 'Add it, publish its DNS records, and Posthorn tells you when they are right.',
  },
  newsletter: { title: 'Make a newsletter', text: 'With its sign-up page, subscribers and issues.' },
  issue: { title: 'Send an issue', text: 'Write it, look at it, send a test to yourself, and send it to the list.' },
  provider: {
    title: 'Name a provider',
    text: (
      <>
        Mail is captured until <code>POSTHORN_PROVIDER_URL</code> names Amazon SES or an SMTP server. The doctor then
        checks each step.
      </>
    ),
  },
};

function Action({ id, isDone, overview, newsletterId, may }: StepProps) {
  if (id === 'send') return <SendFirstEmail isDone={isDone} isCaptured={overview.provider.name === 'capture'} />;
  if (isDone) return null;
  if (id === 'key')
    return (
      <ActionButton variant="default" size="xs" href={pb.keyNew()} disabledReason={may.whyNoKey}>
        Create an API key
      </ActionButton>
    );
  if (id === 'domain')
    return (
      <ActionButton variant="default" size="xs" href={`${pb.domains()}?add=1`} disabledReason={may.whyNoDomain}>
        Add a domain
      </ActionButton>
    );
  if (id === 'newsletter')
    return (
      <ActionButton variant="default" size="xs" href={pb.newsletterNew()} disabledReason={may.whyNoNewsletter}>
        Make a newsletter
      </ActionButton>
    );
  if (id === 'issue')
    return (
      <ActionButton
        variant="default"
        size="xs"
        href={newsletterId === undefined ? pb.newsletters() : pb.newsletter(newsletterId)}
        disabledReason={newsletterId === undefined ? 'Make a newsletter first.' : may.whyNoIssue}
      >
        Write an issue
      </ActionButton>
    );
  return (
    <ActionButton
      variant="default"
      size="xs"
      href={pb.doctor()}
      disabledReason={may.isOperator ? undefined : 'Only a person who runs this installation can name its provider.'}
    >
      Ask the doctor
    </ActionButton>
  );
}
