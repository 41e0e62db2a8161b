import { Users } from 'lucide-react';
import { listSubscribersOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Newsletter, Subscriber } from '../../../api/generated/types.gen.ts';
import { useWhyNot } from '../../../api/session.ts';
import { useList } from '../../../api/use-list.ts';
import { withQuery } from '../../../lib/curl.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { breakableAddress } from '../../../ui/breakable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { lazyDialog } from '../../../lib/lazy-part.tsx';
import type { Column } from '../../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../../ui/list/filters.tsx';
import { List } from '../../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { ExportSubscribers } from './ExportSubscribers.tsx';
import { RemindPending } from './RemindPending.tsx';
import { SubscriberBulk } from './SubscriberBulk.tsx';
import { SubscriberStatusBadge } from './SubscriberStatusBadge.tsx';
import { SUBSCRIBER_STATE_OPTIONS } from './subscriber-words.ts';
import { SUBSCRIBER_FILTERS, subscribersQuery } from './subscribers-query.ts';

const AddSubscriber = lazyDialog(() => import('./AddSubscriber.tsx').then((file) => file.AddSubscriber));

const POLL_MS = 10_000;

const COLUMNS: readonly Column<Subscriber>[] = [
  { id: 'email', header: 'Address', cell: ({ email }) => breakableAddress(email) },
  {
    id: 'status',
    header: 'Status',
    width: '150px',
    priority: 2,
    onPhone: (row) => <SubscriberStatusBadge subscriber={row} isShort />,
    cell: (row) => <SubscriberStatusBadge subscriber={row} />,
  },
  {
    id: 'name',
    header: 'Name',
    priority: 2,
    onPhone: true,
    optional: 'shown',
    width: '180px',
    cell: ({ name }) => name,
  },
  {
    id: 'source',
    header: 'Source',
    priority: 3,
    onPhone: true,
    optional: 'shown',
    width: '130px',
    cell: ({ source }) => source,
  },
  {
    id: 'metadata',
    header: 'Metadata',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ metadata }) => summaryOf(metadata),
  },
  {
    id: 'opened',
    header: 'Last opened',
    width: '110px',
    align: 'right',
    priority: 3,
    optional: 'hidden',
    cell: ({ last_opened_at }) => <RelativeTime at={last_opened_at} inRow />,
  },
  {
    id: 'added',
    header: 'Added',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

const SORTS = [
  { value: 'created_at', label: 'Oldest first' },
  { value: 'email', label: 'By address' },
];

type Change = { readonly [Name in (typeof SUBSCRIBER_FILTERS)[number]]?: string | undefined };

/** The people of a newsletter. */
export function SubscribersTab({ newsletter }: { newsletter: Newsletter }) {
  const { id } = newsletter;
  const [{ search, status, source, sort, add }, setUrl] = useUrlState([...SUBSCRIBER_FILTERS, 'add', 'after']);
  const whyNot = useWhyNot('subscribers:write');
  const query = subscribersQuery({ search, status, source, sort });
  const list = useList((page) => listSubscribersOptions({ path: { id }, query: { ...page, ...query } }), {
    pollMs: POLL_MS,
  });
  const setFilter = (change: Change) => setUrl({ ...change, after: undefined });
  const openAdd = () => setUrl({ add: '1' }, { push: true });
  const isFiltered = [search, status, source].some((value) => value !== undefined);
  return (
    <>
      <List
        id="subscribers"
        title="Subscribers"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ email }) => email}
        rowHref={(row) => pb.subscriber(id, row.id)}
        filters={
          <>
            <SearchFilter
              label="Search addresses and names"
              value={search}
              onChange={(next) => setFilter({ search: next })}
            />
            <SelectFilter
              label="Status"
              value={status}
              options={SUBSCRIBER_STATE_OPTIONS}
              onChange={(next) => setFilter({ status: next })}
            />
            <SearchFilter
              label="Source"
              isMain={false}
              value={source}
              onChange={(next) => setFilter({ source: next })}
            />
            <SelectFilter
              label="Newest first"
              value={sort}
              options={SORTS}
              onChange={(next) => setFilter({ sort: next })}
            />
          </>
        }
        onClearFilters={
          isFiltered ? () => setFilter({ search: undefined, status: undefined, source: undefined }) : undefined
        }
        tools={
          <>
            <RemindPending newsletter={newsletter} />
            <ExportSubscribers newsletter={newsletter} status={query.status} />
            <ActionButton variant="default" size="xs" href={pb.importNew(id)} disabledReason={whyNot}>
              Import
            </ActionButton>
            <ActionButton size="xs" onClick={openAdd} disabledReason={whyNot}>
              Add subscriber
            </ActionButton>
          </>
        }
        empty={
          <EmptyState
            icon={<Users size={20} />}
            title="Nobody is on this list yet"
            action={
              <>
                <ActionButton href={pb.importNew(id)} disabledReason={whyNot}>
                  Import a file
                </ActionButton>
                <ActionButton variant="default" onClick={openAdd} disabledReason={whyNot}>
                  Add subscriber
                </ActionButton>
                <ActionButton variant="default" href={pb.newsletterTab(id, 'sign-up')}>
                  Share the sign-up page
                </ActionButton>
              </>
            }
          >
            Bring the people you have with a file from your last service, or let new ones sign up.
          </EmptyState>
        }
        bulk={(rows, clear) => <SubscriberBulk newsletter={newsletter} rows={rows} onDone={clear} />}
        call={{ method: 'GET', path: withQuery(`/v1/newsletters/${id}/subscribers`, query) }}
      />
      <AddSubscriber newsletter={newsletter} opened={add !== undefined} onClose={() => setUrl({ add: undefined })} />
    </>
  );
}

const summaryOf = (metadata: Subscriber['metadata']): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
