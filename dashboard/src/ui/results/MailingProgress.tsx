import { counted } from '../../lib/number.ts';
import { LongWork } from '../data/LongWork.tsx';
import classes from './results.module.css';

interface Props {
  isCancelled: boolean;
  stats: { total: number; pending: number; suppressed: number };
  /** Emails of the workspace that leave in a second; 0: nobody knows. */
  rate: number;
  isHeld: boolean;
  /** Parts of it wait for their time, which the rate says nothing about. */
  isTimed?: boolean;
}

/** How far an issue or a broadcast is, while emails of it leave. */
export function MailingProgress({ isCancelled, stats, rate, isHeld, isTimed = false }: Props) {
  return (
    <div className={classes['progress']}>
      <LongWork
        title={
          isCancelled
            ? 'The last emails leave'
            : `Sending to ${counted(stats.total - stats.suppressed, 'person', 'people')}`
        }
        done={stats.total - stats.pending}
        total={stats.total === 0 ? undefined : stats.total}
        unit="emails"
        leftMs={rate > 0 && !isHeld && !isTimed && stats.pending > rate ? (stats.pending / rate) * 1000 : undefined}
        held={isHeld ? 'Paused' : undefined}
      />
    </div>
  );
}
