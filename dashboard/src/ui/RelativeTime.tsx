import { exactTime, plannedTime, relativeTime, utcTime } from '../lib/time.ts';
import { useNow } from '../lib/use-now.ts';
import { hinted } from './hint/hinted.ts';
import classes from './RelativeTime.module.css';

/**
 * "4m ago", with the exact instant, its zone and the form of the API on hover and focus. In a row that has a link, give
 * `inRow`: a list of fifty times would otherwise be fifty stops of the Tab key; the exact instant is then read out.
 */
export function RelativeTime({
  at,
  none = 'Never',
  inRow = false,
  isAhead = false,
}: {
  at: string | null;
  none?: string;
  inRow?: boolean;
  /** It is planned: when its time has come, it is about to happen. */
  isAhead?: boolean;
}) {
  const now = useNow();
  if (at === null) return <span className={classes['none']}>{none}</span>;
  // A list has fifty, and few are looked at.
  const hint = hinted(() => (
    <>
      {exactTime(at)}
      <br />
      <span className={classes['utc']}>{utcTime(at)}</span>
    </>
  ));
  return (
    <time
      {...hint}
      dateTime={at}
      className={classes['time']}
      {...(inRow ? { 'aria-label': exactTime(at) } : { tabIndex: 0 })}
    >
      {isAhead ? plannedTime(at, now) : relativeTime(at, now)}
    </time>
  );
}
