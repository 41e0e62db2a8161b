import { Button } from '@mantine/core';
import { formatCount } from '../lib/number.ts';
import classes from './ShowMore.module.css';

interface Props {
  shown: number;
  total: number;
  /** How many more are drawn. */
  step: number;
  /** "lines". */
  noun: string;
  onMore: () => void;
}

/** Below a part of what is there: how much it is, and a button for the next part. Nothing when all is shown. */
export function ShowMore({ shown, total, step, noun, onMore }: Props) {
  if (shown >= total) return null;
  return (
    <div className={classes['more']}>
      <Button size="xs" variant="default" onClick={onMore}>
        Show {formatCount(Math.min(step, total - shown))} more {noun}
      </Button>
      <span role="status">
        {formatCount(shown)} of {formatCount(total)} {noun} are shown.
      </span>
    </div>
  );
}
