import { Skeleton } from '@mantine/core';
import type { Overview } from '../../api/generated/types.gen.ts';
import { useIsOperator } from '../../api/operator.ts';
import { counted, formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { duration } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties, type Property } from '../../ui/record/Properties.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './overview.module.css';

/** Queue, pace and provider at this moment. */
export function SendingNow({ overview }: { overview: Overview | undefined }) {
  const now = useNow();
  return (
    <Section title="Sending now" actions={overview && <State overview={overview} />}>
      {overview === undefined ? (
        <Skeleton height={150} />
      ) : (
        <>
          <div className={classes['notices']}>
            {overview.workers.alive === 0 && (
              <Notice tone="bad">
                No worker is running, so nothing is sent. Start a process with the role <code>worker</code>.
              </Notice>
            )}
            {overview.queue.held_since !== null && <Held reason={overview.queue.estimate_reason} />}
            {overview.provider.paused_until !== null && (
              <Notice tone="warn">
                {overview.provider.pause_reason ?? 'The provider asked for a pause.'} Sending continues{' '}
                <RelativeTime at={overview.provider.paused_until} />.
              </Notice>
            )}
          </div>
          <Properties items={itemsOf(overview, now)} />
        </>
      )}
    </Section>
  );
}

/** Nothing of the whole server is sent until its operator confirms. */
function Held({ reason }: { reason: string | null }) {
  const notYou = useIsOperator()
    ? undefined
    : 'You may not confirm it. The owners of the first workspace of this server may: they run it.';
  const action = (
    <ActionButton size="xs" href={pb.system()} disabledReason={notYou}>
      Look and confirm
    </ActionButton>
  );
  return (
    <Notice tone="bad" action={action}>
      {reason}
    </Notice>
  );
}

function State({ overview: { workers, provider, queue } }: { overview: Overview }) {
  if (queue.held_since !== null) return <StatusBadge tone="bad">Nothing is sent</StatusBadge>;
  if (workers.alive === 0) return <StatusBadge tone="bad">Nothing is sent</StatusBadge>;
  if (provider.paused_until !== null) return <StatusBadge tone="warn">Paused by the provider</StatusBadge>;
  return queue.depth > 0 ? <StatusBadge tone="info">Sending</StatusBadge> : <StatusBadge tone="ok">Ready</StatusBadge>;
}

function itemsOf({ queue, pace, provider, workers, last_event_at }: Overview, now: number): Property[] {
  const { system, transactional, bulk } = queue.by_lane;
  const waiting = `${queue.depth_is_estimate ? 'more than ' : ''}${counted(queue.depth, 'email')}`;
  const left = queue.estimatedDrainAt === null ? undefined : Date.parse(queue.estimatedDrainAt) - now;
  return [
    {
      label: 'Waiting',
      value:
        queue.depth === 0
          ? 'Nothing'
          : `${waiting}: ${formatCount(transactional)} transactional, ${formatCount(bulk)} of issues, ${formatCount(system)} of the system`,
    },
    ...(queue.depth === 0
      ? []
      : [
          {
            label: 'Done in',
            value: left === undefined ? queue.estimate_reason : `about ${duration(Math.max(left, 1000))}`,
          },
        ]),
    {
      label: 'Pace',
      value:
        pace.rate < pace.full_rate
          ? `${formatCount(pace.rate)} of ${formatCount(pace.full_rate)} recipients a second, slower after the provider throttled`
          : `${formatCount(pace.rate)} recipients a second`,
    },
    {
      label: 'Provider',
      value:
        provider.name === 'capture'
          ? 'None: mail is captured in the Outbox, and nothing leaves this machine'
          : provider.name.toUpperCase(),
    },
    { label: 'Last taken', value: <RelativeTime at={provider.last_success_at} /> },
    ...(provider.last_fault === null
      ? []
      : [
          {
            label: 'Last fault',
            value: (
              <>
                <RelativeTime at={provider.last_fault.at} />: {provider.last_fault.message}
              </>
            ),
          },
        ]),
    { label: 'Last event', value: <RelativeTime at={last_event_at} /> },
    { label: 'Workers', value: `${formatCount(workers.alive)} alive` },
  ];
}
