import { Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { duration } from '../../lib/time.ts';
import { formatCount, formatPercent } from '../../lib/number.ts';
import classes from './LongWork.module.css';

interface Props {
  /** The work: "Sending to 4,812 people". */
  title: string;
  done: number;
  /** Undefined while nobody knows it. */
  total: number | undefined;
  /** Undefined where only the share is known. */
  unit?: string;
  /** Milliseconds until the end, when the server tells. */
  leftMs?: number | undefined;
  /** Why nothing moves, when nothing does. */
  held?: string | undefined;
  action?: ReactNode;
}

/** The progress of work that takes longer than an answer: a bar, exact numbers, and the time that is left. */
export function LongWork({ title, done, total, unit, leftMs, held, action }: Props) {
  const share = total === undefined || total === 0 ? undefined : Math.min(done / total, 1);
  const numbers =
    unit === undefined
      ? ''
      : total === undefined
        ? `${formatCount(done)} ${unit}`
        : `${formatCount(done)} of ${formatCount(total)} ${unit}`;
  return (
    <div className={classes['work']}>
      <div className={classes['head']}>
        <span className={classes['title']}>{title}</span>
        {action}
      </div>
      {/* The name and the numbers belong to the bar, not to the frame around it. */}
      <Progress.Root size="sm">
        <Progress.Section
          value={share === undefined ? 100 : share * 100}
          animated={share === undefined && held === undefined}
          striped={share === undefined}
          color={held === undefined ? 'accent' : 'gray'}
          aria-label={title}
          {...(share === undefined ? {} : { 'aria-valuetext': numbers || formatPercent(share) })}
        />
      </Progress.Root>
      <div className={classes['foot']}>
        <span>
          {[numbers, share === undefined ? '' : formatPercent(share)].filter((part) => part !== '').join(' · ')}
        </span>
        <span>{held ?? (leftMs === undefined ? '' : `about ${duration(leftMs)} left`)}</span>
      </div>
    </div>
  );
}
