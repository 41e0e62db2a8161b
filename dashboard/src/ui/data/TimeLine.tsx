import type { ReactNode } from 'react';
import { RelativeTime } from '../RelativeTime.tsx';
import type { Tone } from '../StatusBadge.tsx';
import classes from './TimeLine.module.css';

export interface TimeLineEntry {
  id: string;
  at: string;
  title: ReactNode;
  tone?: Tone;
  /** More about it: an answer of a server, an address, a JSON view. */
  detail?: ReactNode;
}

/** Events in order. The caller decides whether the newest is first. */
export function TimeLine({ entries, label }: { entries: readonly TimeLineEntry[]; label: string }) {
  return (
    <ol className={classes['line']} aria-label={label}>
      {entries.map(({ id, at, title, tone = 'quiet', detail }) => (
        <li key={id} className={classes['entry']}>
          <span className={classes['dot']} data-tone={tone} aria-hidden="true" />
          <div className={classes['head']}>
            <span className={classes['title']}>{title}</span>
            <span className={classes['time']}>
              <RelativeTime at={at} />
            </span>
          </div>
          {detail !== undefined && <div className={classes['detail']}>{detail}</div>}
        </li>
      ))}
    </ol>
  );
}
