import { Activity } from 'lucide-react';
import { listEventsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { WebhookEvent } from '../../api/generated/types.gen.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { EVENT_TYPE_OPTIONS } from '../../lib/event-types.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { TimeFilter } from '../../ui/list/TimeFilter.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { subjectOf, subjectOfEmail, toneOfEvent } from './event-words.ts';
import { EventRecord } from './EventRecord.tsx';

const COLUMNS: readonly Column<WebhookEvent>[] = [
  {
    id: 'type',
    header: 'Event',
    cell: ({ type }) => (
      <StatusBadge tone={toneOfEvent(type)} isWhole>
        {type}
      </StatusBadge>
    ),
  },
  { id: 'about', header: 'About', priority: 2, onPhone: true, cell: subjectOf },
  { id: 'subject', header: 'Subject', priority: 3, onPhone: true, optional: 'shown', cell: subjectOfEmail },
  {
    id: 'at',
    header: 'When',
    width: '110px',
    align: 'right',
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

const POLL_MS = 4_000;

/** The events of the last 30 days, of mail and of subscribers, as webhooks get them. */
export function EventsPage() {
  const [url, setUrl] = useUrlState(['type', 'email_id', 'since', 'until', 'event', 'after']);
  const { type, email_id, since, until, event, after } = url;
  const query = { type, email_id, since, until };
  const list = useList((page) => listEventsOptions({ query: { ...page, ...query } }), { pollMs: POLL_MS });
  const set = (change: Partial<Record<keyof typeof query, string | undefined>>) =>
    setUrl({ ...change, after: undefined });
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <>
      <ListPage
        id="events"
        title="Events"
        description="All that happened to your emails and subscribers in the last 30 days. New events appear by themselves."
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ type: name, id }) => `${name} ${id}`}
        rowHref={({ id }) => withQuery(pb.events(), { ...query, after, event: id })}
        filters={
          <>
            <SearchFilter label="Id of an email" value={email_id} onChange={(next) => set({ email_id: next })} />
            <SelectFilter
              label="Event"
              value={type}
              options={EVENT_TYPE_OPTIONS}
              onChange={(next) => set({ type: next })}
            />
            <TimeFilter since={since} until={until} onChange={set} />
          </>
        }
        onClearFilters={
          isFiltered
            ? () => set({ type: undefined, email_id: undefined, since: undefined, until: undefined })
            : undefined
        }
        empty={
          <EmptyState
            icon={<Activity size={20} />}
            title="No event in the last 30 days"
            action={
              <ActionButton variant="default" href={pb.webhooks()}>
                Set up a webhook
              </ActionButton>
            }
          >
            An event is recorded when an email is accepted, delivered, bounced, opened or clicked, and when a subscriber
            comes or leaves. Webhooks post the same events to your program.
          </EmptyState>
        }
        call={{ method: 'GET', path: withQuery('/v1/events', query) }}
      />
      <Dialog opened={event !== undefined} onClose={() => setUrl({ event: undefined })} title="Event" size="xl">
        <EventRecord event={list.rows?.find(({ id }) => id === event)} isLoading={list.rows === undefined} />
      </Dialog>
    </>
  );
}
