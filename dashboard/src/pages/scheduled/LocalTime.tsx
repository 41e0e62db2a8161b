import type { ScheduledEmail } from '../../api/generated/types.gen.ts';
import { exactTime } from '../../lib/time.ts';
import { personZone } from '../../lib/zone.ts';
import { Notice } from '../../ui/Notice.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import classes from './scheduled.module.css';

/** Of a wall time, which is read as if its zone were UTC. */
const clock = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  // Not `hour12: false`: older engines then say 24:05 for five past midnight.
  hourCycle: 'h23',
});

/** When it leaves: by the clock of the zone in which it was meant, and of the person where that is another. */
export function LocalTime({ email }: { email: ScheduledEmail }) {
  const { scheduled_for: at, timezone, local_time: local, schedule_note: note } = email;
  const mine = exactTime(at);
  const isMine = timezone === null || timezone === personZone();
  return (
    <>
      <p className={classes['when']}>
        Leaves <RelativeTime at={at} />,{' '}
        {isMine || local === null ? (
          <strong>{mine}</strong>
        ) : (
          <>
            <strong>
              {clock.format(new Date(`${local}Z`))} in {timezone}
            </strong>
            . For you this is {mine}
          </>
        )}
        .
      </p>
      {note !== null && <Notice tone="warn">{note}</Notice>}
    </>
  );
}
