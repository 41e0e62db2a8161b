import { Button, SegmentedControl, Select, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { getCalendarOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { PlannedMail } from '../../api/generated/types.gen.ts';
import { useSession } from '../../api/session.ts';
import { withQuery } from '../../lib/curl.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { pb } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { wallClock } from '../../lib/wall-time.ts';
import { personZone } from '../../lib/zone.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Agenda } from './Agenda.tsx';
import classes from './calendar.module.css';
import { addDays, clockAt, daysOf, isDay, movedTo, stepFrom, titleOf, type View, VIEWS } from './calendar-days.ts';
import { DayGrid } from './DayGrid.tsx';
import { useMove } from './use-move.ts';

const PlannedDialog = lazyDialog(() => import('./PlannedDialog.tsx').then((file) => file.PlannedDialog));

const POLL_MS = 30_000;
/** Mail of one day that a view lists; the page of the day has more. */
const SHOWN: Readonly<Record<View, number>> = { month: 4, week: 20, day: 100 };
const SHOWN_ON_PHONES = 10;

const VIEW_OPTIONS = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
  { value: 'day', label: 'Day' },
];

/** The mail that leaves on each day: scheduled emails and issues of every newsletter. */
export function CalendarPage() {
  const [url, setUrl] = useUrlState(['view', 'day', 'zone', 'open']);
  const [proposed, setProposed] = useState<{ id: string; local: string }>();
  const { workspace } = useSession();
  const now = useNow();
  const isPhone = useMediaQuery('(max-width: 639px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const view = VIEWS.find((one) => one === url.view) ?? 'month';
  const zone = url.zone === 'workspace' ? (workspace?.timezone ?? 'UTC') : personZone();
  const today = wallClock(now, zone).slice(0, 10);
  const day = isDay(url.day) ? url.day : today;
  const days = daysOf(view, day);
  const query = {
    start: days[0] ?? day,
    end: addDays(days.at(-1) ?? day, 1),
    timezone: zone,
    limit: String(isPhone && view !== 'day' ? SHOWN_ON_PHONES : SHOWN[view]),
  };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...getCalendarOptions({ query }),
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  const known = new Map(data?.days.map((one) => [one.date, one]));
  const opened = data?.days.flatMap(({ items }) => items).find(({ id }) => id === url.open);
  const move = useMove();
  const open = (item: PlannedMail) => setUrl({ open: item.id }, { push: true });
  const close = () => {
    setProposed(undefined);
    setUrl({ open: undefined });
  };
  const goTo = (next: string) => setUrl({ day: next === today ? undefined : next, open: undefined });
  const moveTo = (item: PlannedMail, date: string) => {
    const { asked, at } = movedTo(item, date, zone);
    if (at.toISOString() === item.scheduled_for) return;
    if (at.getTime() > now) {
      move.mutate({ item, scheduled_for: asked, timezone: item.timezone });
      return;
    }
    // That time has passed today: the person chooses another.
    setProposed({ id: item.id, local: `${date}T${clockAt(item.scheduled_for, zone)}` });
    open(item);
  };
  const dayHref = (date: string) => withQuery(pb.calendar(), { view: 'day', day: date, zone: url.zone });
  const title = titleOf(view, day);
  const isList = isPhone || view === 'day';
  // A list of days that are still read would say that nothing leaves.
  const isRead = data !== undefined && !(isList && isPlaceholderData);
  return (
    <>
      <PageHeader
        title="Calendar"
        description="Scheduled emails, issues and broadcasts on the days on which they leave."
        actions={
          <>
            <CurlButton call={{ method: 'GET', path: withQuery('/v1/calendar', query) }} />
            <ActionButton variant="default" href={pb.scheduled()}>
              Scheduled emails
            </ActionButton>
          </>
        }
      />
      <div className={classes['bar']}>
        <h2 className={classes['title']} aria-live="polite">
          {title}
        </h2>
        <div className={classes['steps']}>
          <Step label={`The ${view} before`} onClick={() => goTo(stepFrom(view, day, -1))}>
            <ChevronLeft size={16} />
          </Step>
          <Button variant="default" size="xs" onClick={() => goTo(today)}>
            Today
          </Button>
          <Step label={`The ${view} after`} onClick={() => goTo(stepFrom(view, day, 1))}>
            <ChevronRight size={16} />
          </Step>
        </div>
        <SegmentedControl
          size="xs"
          aria-label="View"
          data={VIEW_OPTIONS}
          value={view}
          onChange={(next) => setUrl({ view: next === 'month' ? undefined : next })}
        />
        <ZoneSelect
          zone={url.zone}
          ofWorkspace={workspace?.timezone ?? 'UTC'}
          onChange={(next) => setUrl({ zone: next })}
        />
      </div>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {error === null && !isRead && <Skeleton height={480} radius="md" />}
      {error === null && isRead && isList && (
        <Agenda
          days={days.flatMap((date) => known.get(date) ?? [])}
          today={today}
          zone={zone}
          dayHref={view === 'day' ? undefined : dayHref}
          onOpen={open}
        />
      )}
      {error === null && isRead && !isList && (
        <DayGrid
          label={title}
          view={view}
          days={days}
          known={known}
          today={today}
          day={day}
          zone={zone}
          dayHref={dayHref}
          onOpen={open}
          onMove={moveTo}
        />
      )}
      <PlannedDialog
        key={url.open ?? ''}
        opened={opened !== undefined}
        item={opened}
        local={proposed?.id === url.open ? proposed?.local : undefined}
        zone={zone}
        onClose={close}
      />
    </>
  );
}

function Step({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Button variant="default" size="xs" px={6} aria-label={label} onClick={onClick}>
      {children}
    </Button>
  );
}

interface ZoneProps {
  zone: string | undefined;
  ofWorkspace: string;
  onChange: (zone: string | undefined) => void;
}

/** Whose days are shown: those of the person, or of the workspace where that has another zone. */
function ZoneSelect({ zone, ofWorkspace, onChange }: ZoneProps) {
  const mine = personZone();
  if (mine === ofWorkspace) return <span className={classes['zone']}>{mine}</span>;
  return (
    <Select
      size="xs"
      aria-label="Time zone"
      data={[
        { value: 'mine', label: `${mine} (you)` },
        { value: 'workspace', label: `${ofWorkspace} (workspace)` },
      ]}
      value={zone === 'workspace' ? 'workspace' : 'mine'}
      onChange={(next) => onChange(next === 'workspace' ? next : undefined)}
      allowDeselect={false}
      className={classes['zones'] ?? ''}
    />
  );
}
