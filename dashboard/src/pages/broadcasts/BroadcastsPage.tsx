import { Megaphone } from 'lucide-react';
import { listBroadcastsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { BroadcastSummary } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import {
  MAILING_STATE_OPTIONS,
  MAILING_STATES,
  shareOfDelivered,
  stateWords,
} from '../../ui/results/mailing-states.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { shownTitle } from './broadcast-state.ts';

const NewBroadcast = lazyDialog(() => import('./NewBroadcast.tsx').then((file) => file.NewBroadcast));

const POLL_MS = 5_000;

/** "1,250 of 5,000" while it is sent. */
function recipientWords({ status, total_recipients: total, stats }: BroadcastSummary): string {
  if (total === null) return '—';
  if (status !== 'sending') return formatCount(total);
  return `${formatCount(stats.total - stats.pending)} of ${formatCount(total)}`;
}

const COLUMNS: readonly Column<BroadcastSummary>[] = [
  { id: 'name', header: 'Name', cell: shownTitle },
  {
    id: 'status',
    header: 'Status',
    width: '150px',
    cell: (broadcast) => (
      <StatusBadge tone={MAILING_STATES[broadcast.status].tone}>{stateWords(broadcast)}</StatusBadge>
    ),
  },
  {
    id: 'recipients',
    header: 'Recipients',
    width: '130px',
    align: 'right',
    priority: 2,
    onPhone: (row) =>
      row.total_recipients !== null &&
      `${recipientWords(row)} ${row.total_recipients === 1 ? 'recipient' : 'recipients'}`,
    cell: recipientWords,
  },
  {
    id: 'opened',
    header: 'Opened',
    width: '90px',
    align: 'right',
    priority: 2,
    onPhone: ({ stats }) => stats.delivered > 0 && `${shareOfDelivered(stats.opened, stats.delivered)} opened`,
    cell: ({ stats }) => shareOfDelivered(stats.opened, stats.delivered),
  },
  {
    id: 'clicked',
    header: 'Clicked',
    width: '90px',
    align: 'right',
    priority: 3,
    cell: ({ stats }) => shareOfDelivered(stats.clicked, stats.delivered),
  },
  {
    id: 'when',
    header: 'When',
    width: '120px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ sent_at, scheduled_for, updated_at, status }) => (
      <RelativeTime at={(status === 'scheduled' ? scheduled_for : sent_at) ?? updated_at} inRow />
    ),
  },
];

type Filters = Partial<Record<'search' | 'status', string | undefined>>;

/** Every broadcast: a draft opens in the editor, any other on its own page. */
export function BroadcastsPage() {
  const [{ search, status, add }, setUrl] = useUrlState(['search', 'status', 'add', 'after']);
  const whyNot = useWhyNot('broadcasts:write');
  const query = { search, status: status as BroadcastSummary['status'] | undefined }; // an unknown one is refused in words
  const list = useList((page) => listBroadcastsOptions({ query: { ...page, ...query } }), { pollMs: POLL_MS });
  const setFilter = (change: Filters) => setUrl({ ...change, after: undefined });
  const openAdd = () => setUrl({ add: '1' }, { push: true });
  const isFiltered = search !== undefined || status !== undefined;
  return (
    <>
      <ListPage
        id="broadcasts"
        title="Broadcasts"
        description="Mail that is written once and goes to your contacts, or to a newsletter."
        actions={
          <ActionButton onClick={openAdd} disabledReason={whyNot}>
            New broadcast
          </ActionButton>
        }
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={shownTitle}
        rowHref={({ id, status: now }) => (now === 'draft' ? pb.broadcastEdit(id) : pb.broadcast(id))}
        filters={
          <>
            <SearchFilter
              label="Search names and subjects"
              value={search}
              onChange={(next) => setFilter({ search: next })}
            />
            <SelectFilter
              label="Status"
              value={status}
              options={MAILING_STATE_OPTIONS}
              onChange={(next) => setFilter({ status: next })}
            />
          </>
        }
        onClearFilters={isFiltered ? () => setFilter({ search: undefined, status: undefined }) : undefined}
        empty={
          <EmptyState
            icon={<Megaphone size={20} />}
            title="No broadcast yet"
            action={
              <ActionButton onClick={openAdd} disabledReason={whyNot}>
                Write the first one
              </ActionButton>
            }
          >
            A broadcast goes once to the contacts of your lists or of a segment. It begins as a draft: nothing is sent
            before you say so.
          </EmptyState>
        }
        call={{ method: 'GET', path: withQuery('/v1/broadcasts', query) }}
      />
      <NewBroadcast opened={add !== undefined} onClose={() => setUrl({ add: undefined })} />
    </>
  );
}
