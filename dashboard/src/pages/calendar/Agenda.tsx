import type { CalendarDay, PlannedMail } from '../../api/generated/types.gen.ts';
import { withQuery } from '../../lib/curl.ts';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './calendar.module.css';
import { clockAt, inWords } from './calendar-days.ts';
import { audienceOf, kindOf, stateOf, titleOf } from './planned-words.ts';

interface Props {
  days: readonly CalendarDay[];
  today: string;
  zone: string;
  /** The page that shows all of a day; undefined: it is this one. */
  dayHref?: ((day: string) => string) | undefined;
  onOpen: (item: PlannedMail) => void;
}

/** The days on which something leaves, one below the other. */
export function Agenda({ days, today, zone, dayHref, onOpen }: Props) {
  const busy = days.filter(({ total }) => total > 0);
  if (busy.length === 0) return <p className={classes['none']}>Nothing leaves in this time.</p>;
  return (
    <div className={classes['agenda']}>
      {busy.map((day) => (
        <section key={day.date} aria-label={inWords(day.date)}>
          {dayHref !== undefined && (
            <h3>
              {inWords(day.date)}
              {day.date === today && <span className={classes['now']}>Today</span>}
            </h3>
          )}
          <ul>
            {day.items.map((item) => (
              <li key={item.id}>
                <button type="button" className={classes['row']} onClick={() => onOpen(item)}>
                  <span className={classes['clock']}>{clockAt(item.scheduled_for, zone)}</span>
                  <span className={classes['what']}>
                    <span className={classes['subject']}>{titleOf(item)}</span>
                    <span className={classes['to']}>
                      {kindOf(item)} to {audienceOf(item)}
                    </span>
                  </span>
                  <StatusBadge tone={stateOf(item).tone}>{stateOf(item).label}</StatusBadge>
                </button>
              </li>
            ))}
          </ul>
          <Rest day={day} href={dayHref?.(day.date)} />
        </section>
      ))}
    </div>
  );
}

/** How many of the day are not shown, and the page that has them. */
function Rest({ day, href }: { day: CalendarDay; href: string | undefined }) {
  const others = day.total - day.items.length;
  if (others <= 0) return null;
  const from = { from: day.start };
  return (
    <a className={classes['more']} href={href ?? withQuery(pb.scheduled(), from)}>
      {formatCount(others)}
      {day.total_is_estimate ? '+' : ''} more{href === undefined ? ' in the list of scheduled emails' : ''}
    </a>
  );
}
