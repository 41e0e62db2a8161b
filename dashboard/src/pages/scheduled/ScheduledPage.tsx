import { CalendarClock } from 'lucide-react';
import { listScheduledEmailsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { ScheduledEmailSummary } from '../../api/generated/types.gen.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { exactTime } from '../../lib/time.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { TimeFilter } from '../../ui/list/TimeFilter.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { recipientsOf, STATES, titleOf } from './scheduled-state.ts';

const POLL_MS = 6_000;
const STATE_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

const minuteOf = ({ scheduled_for }: ScheduledEmailSummary): string =>
  exactTime(scheduled_for).replace(/:\d\d [^:]*$/, '');

const COLUMNS: readonly Column<ScheduledEmailSummary>[] = [
  { id: 'to', header: 'To', cell: recipientsOf },
  {
    id: 'status',
    header: 'Status',
    width: 'clamp(104px, 13cqw, 124px)',
    cell: ({ status }) => <StatusBadge tone={STATES[status].tone}>{STATES[status].label}</StatusBadge>,
  },
  { id: 'subject', header: 'Subject', width: '30%', priority: 2, onPhone: true, cell: titleOf },
  {
    id: 'from',
    header: 'From',
    width: '20%',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ from }) => from,
  },
  {
    id: 'zone',
    header: 'Zone',
    width: '150px',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ timezone }) => timezone,
  },
  {
    id: 'at',
    header: 'Time',
    width: '190px',
    priority: 2,
    // As a time it is not cut behind a long subject.
    onPhone: (row) => <time dateTime={row.scheduled_for}>{minuteOf(row)}</time>,
    cell: minuteOf,
  },
  {
    id: 'leaves',
    header: 'Leaves',
    width: 'clamp(76px, 10cqw, 92px)',
    align: 'right',
    cell: ({ scheduled_for }) => <RelativeTime at={scheduled_for} inRow />,
  },
  {
    id: 'created',
    header: 'Accepted',
    width: '104px',
    align: 'right',
    priority: 3,
    optional: 'hidden',
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

const REQUEST = {
  from: 'hello@posthorn.test',
  to: 'ada@example.com',
  subject: 'Reminder',
  text: 'See you tomorrow.',
  scheduled_for: 'in 2 hours',
};

type Filters = Partial<Record<'search' | 'status' | 'from' | 'to', string | undefined>>;

/** Emails that leave later, and those that have left. */
export function ScheduledPage() {
  const [{ search, status, from, to }, setUrl] = useUrlState(['search', 'status', 'from', 'to', 'after']);
  const query = { search, from, to, status: status as ScheduledEmailSummary['status'] | undefined }; // an unknown one is refused in words
  const list = useList((page) => listScheduledEmailsOptions({ query: { ...page, ...query } }), { pollMs: POLL_MS });
  const setFilter = (change: Filters) => setUrl({ ...change, after: undefined });
  const isFiltered = [search, status, from, to].some((filter) => filter !== undefined);
  return (
    <ListPage
      id="scheduled"
      title="Scheduled emails"
      description="Each is sent at its time, and can be changed until then."
      actions={
        <ActionButton variant="default" href={pb.calendar()}>
          Calendar
        </ActionButton>
      }
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={(row) => `${titleOf(row)} to ${recipientsOf(row)}`}
      rowHref={({ id }) => pb.scheduledEmail(id)}
      filters={
        <>
          <SearchFilter label="Address or subject" value={search} onChange={(next) => setFilter({ search: next })} />
          <SelectFilter
            label="Status"
            value={status}
            options={STATE_OPTIONS}
            onChange={(next) => setFilter({ status: next })}
          />
          <TimeFilter
            since={from}
            until={to}
            ahead
            onChange={(change) =>
              setFilter({
                ...('since' in change ? { from: change.since } : {}),
                ...('until' in change ? { to: change.until } : {}),
              })
            }
          />
        </>
      }
      onClearFilters={
        isFiltered
          ? () => setFilter({ search: undefined, status: undefined, from: undefined, to: undefined })
          : undefined
      }
      empty={
        <EmptyState
          icon={<CalendarClock size={20} />}
          title="No email waits for its time"
          action={<CurlButton call={{ method: 'POST', path: '/v1/scheduled', body: REQUEST }} />}
        >
          Send one with a time: an instant, a time of the clock in a zone, or “in 2 hours”.
        </EmptyState>
      }
      call={{ method: 'GET', path: withQuery('/v1/scheduled', query) }}
    />
  );
}
