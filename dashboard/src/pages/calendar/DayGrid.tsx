import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { CalendarDay, PlannedMail } from '../../api/generated/types.gen.ts';
import { counted, formatCount } from '../../lib/number.ts';
import classes from './calendar.module.css';
import { inWords, type View } from './calendar-days.ts';
import { PlannedChip } from './PlannedChip.tsx';
import { useWhyNotMove } from './use-move.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export interface GridProps {
  label: string;
  view: View;
  days: readonly string[];
  /** The answer of the API for each day, by its date. */
  known: ReadonlyMap<string, CalendarDay>;
  today: string;
  /** The day that was asked for: days of other months are paler. */
  day: string;
  zone: string;
  dayHref: (day: string) => string;
  onOpen: (item: PlannedMail) => void;
  onMove: (item: PlannedMail, day: string) => void;
}

/** Weeks from Monday, a row each. Mail that waits can be dragged to another day. */
export function DayGrid(props: GridProps) {
  const [dragged, setDragged] = useState<PlannedMail>();
  const weeks = Array.from({ length: props.days.length / 7 }, (_, week) => props.days.slice(week * 7, week * 7 + 7));
  return (
    <table className={classes['grid']} aria-label={props.label} data-view={props.view}>
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <DayCell key={date} date={date} dragged={dragged} onDrag={setDragged} {...props} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps extends GridProps {
  date: string;
  dragged: PlannedMail | undefined;
  onDrag: (item: PlannedMail | undefined) => void;
}

function DayCell({ date, dragged, onDrag, known, today, day, view, zone, ...props }: CellProps) {
  const [isOver, setOver] = useState(false);
  const whyNotMove = useWhyNotMove();
  const { items = [], total = 0, total_is_estimate: isMore = false } = known.get(date) ?? {};
  const takes = dragged !== undefined && date >= today;
  const others = total - items.length;
  const label = total === 0 ? inWords(date) : `${inWords(date)}, ${counted(total, 'mail')}`;
  return (
    <td
      data-today={date === today || undefined}
      data-pale={(view === 'month' && date.slice(0, 7) !== day.slice(0, 7)) || undefined}
      data-past={date < today || undefined}
      data-over={(takes && isOver) || undefined}
      onDragOver={(event) => {
        if (!takes) return;
        event.preventDefault(); // takes the drop
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (dragged !== undefined && takes) props.onMove(dragged, date);
        onDrag(undefined);
      }}
    >
      <div className={classes['date']}>
        {total === 0 ? (
          <time dateTime={date}>{Number(date.slice(8))}</time>
        ) : (
          <a href={props.dayHref(date)}>
            <VisuallyHidden>{label}: </VisuallyHidden>
            {Number(date.slice(8))}
          </a>
        )}
      </div>
      {items.length > 0 && (
        <ul className={classes['chips']}>
          {items.map((item) => (
            <li key={item.id}>
              <PlannedChip
                item={item}
                zone={zone}
                canMove={whyNotMove(item) === undefined}
                onOpen={() => props.onOpen(item)}
                onDrag={onDrag}
              />
            </li>
          ))}
        </ul>
      )}
      {others > 0 && (
        <a className={classes['more']} href={props.dayHref(date)}>
          {formatCount(others)}
          {isMore ? '+' : ''} more<VisuallyHidden> on {label}</VisuallyHidden>
        </a>
      )}
    </td>
  );
}
