import type { Batch, Send } from '../../api/generated/types.gen.ts';
import { formatCount } from '../../lib/number.ts';
import { useNow } from '../../lib/use-now.ts';
import { LongWork } from '../../ui/data/LongWork.tsx';
import { Notice } from '../../ui/Notice.tsx';
import classes from './emails.module.css';
import { SEND_STATUSES } from './send-state.ts';

/** How far a send or a batch is, and what holds it. Without a bar when nothing waits any more. */
export function SendProgress({ send }: { send: Send | Batch }) {
  const { progress, estimatedCompletionAt, estimateReason, queue } = send;
  const now = useNow();
  const finished = progress.total - progress.queued;
  const left = estimatedCompletionAt === null ? undefined : Math.max(Date.parse(estimatedCompletionAt) - now, 0);
  const parts = (['delivered', 'bounced', 'complained', 'failed', 'suppressed', 'cancelled', 'unconfirmed'] as const)
    .filter((name) => progress[name] > 0)
    .map((name) => `${formatCount(progress[name])} ${name}`);
  return (
    <div className={classes['work']}>
      {send.pauseReason !== null && <Notice tone="warn">{send.pauseReason}</Notice>}
      {progress.queued > 0 && (
        <LongWork
          title={SEND_STATUSES[send.status].label}
          done={finished}
          total={progress.total}
          unit={progress.total === 1 ? 'email' : 'emails'}
          leftMs={left}
          held={estimateReason ?? undefined}
        />
      )}
      <p className={classes['quiet']}>
        {parts.join(' · ')}
        {queue.ahead > 0 && ` · ${formatCount(queue.ahead)} of others are ahead in the queue`}
      </p>
    </div>
  );
}
