import { useQuery } from '@tanstack/react-query';
import { SquareTerminal } from 'lucide-react';
import { listApiKeysOptions, listRequestsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { ListRequestsData, LoggedRequestSummary } from '../../api/generated/types.gen.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { pb } from '../../lib/paths.ts';
import { duration } from '../../lib/time.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SearchFilter, SelectFilter } from '../../ui/list/filters.tsx';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { TimeFilter } from '../../ui/list/TimeFilter.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { readText } from './request-filter.ts';
import { madeBy, shortPath, stateWords, toneOf } from './request-state.ts';

const LOOK_AGAIN_MS = 5000;

const COLUMNS: readonly Column<LoggedRequestSummary>[] = [
  {
    id: 'request',
    header: 'Request',
    cell: ({ method, path }) => (
      <Mono>
        {method} {shortPath(path)}
      </Mono>
    ),
  },
  {
    id: 'status',
    header: 'Answer',
    width: 'min(200px, 38cqw)',
    cell: (row) => <StatusBadge tone={toneOf(row.status)}>{stateWords(row)}</StatusBadge>,
  },
  { id: 'actor', header: 'Made by', width: '190px', priority: 2, onPhone: true, optional: 'shown', cell: madeBy },
  {
    id: 'ip',
    header: 'From',
    width: '140px',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ ip }) => <Mono>{ip}</Mono>,
  },
  {
    id: 'agent',
    header: 'Client',
    width: '180px',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ user_agent }) => user_agent,
  },
  {
    id: 'duration',
    header: 'Took',
    width: '80px',
    align: 'right',
    priority: 3,
    onPhone: true,
    optional: 'shown',
    cell: ({ duration_ms }) => duration(duration_ms),
  },
  {
    id: 'at',
    header: 'When',
    width: '100px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ at }) => <RelativeTime at={at} inRow />,
  },
];

const STATUSES = [
  { value: '2xx', label: '2xx, done' },
  { value: '4xx', label: '4xx, refused' },
  { value: '5xx', label: '5xx, failed here' },
];
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].map((method) => ({ value: method, label: method }));

const FILTERS = ['search', 'status', 'method', 'key', 'since', 'until'] as const;

/** The last seven days of requests to the API. */
export function RequestsPage() {
  const [{ search, status, method, key, since, until }, setUrl] = useUrlState([...FILTERS, 'after']);
  const query = {
    ...readText(search),
    status,
    api_key_id: key,
    since,
    until,
    method: method as NonNullable<ListRequestsData['query']>['method'], // an unknown method is refused in words
  };
  const list = useList((page) => listRequestsOptions({ query: { ...page, ...query } }), { pollMs: LOOK_AGAIN_MS });
  const setFilter = (change: Partial<Record<(typeof FILTERS)[number], string | undefined>>) =>
    setUrl({ ...change, after: undefined });
  const isFiltered = [search, status, method, key, since, until].some((value) => value !== undefined);
  return (
    <ListPage
      id="requests"
      title="Requests"
      description="The last seven days of the API, without secrets and the texts of mail."
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={({ method: verb, path }) => `${verb} ${path}`}
      rowHref={({ id }) => pb.request(id)}
      filters={
        <>
          <SearchFilter label="Path, address or id" value={search} onChange={(next) => setFilter({ search: next })} />
          <SelectFilter
            label="Answer"
            value={status}
            options={STATUSES}
            onChange={(next) => setFilter({ status: next })}
          />
          <SelectFilter
            label="Method"
            value={method}
            options={METHODS}
            onChange={(next) => setFilter({ method: next })}
          />
          <KeyFilter value={key} onChange={(next) => setFilter({ key: next })} />
          <TimeFilter since={since} until={until} onChange={setFilter} />
        </>
      }
      onClearFilters={
        isFiltered ? () => setFilter(Object.fromEntries(FILTERS.map((name) => [name, undefined]))) : undefined
      }
      empty={
        <EmptyState
          icon={<SquareTerminal size={20} />}
          title="Nobody has called the API yet"
          action={
            <ActionButton variant="default" href={pb.keyNew()}>
              Create an API key
            </ActionButton>
          }
        >
          Each request of a key is listed here with its answer, so that you can see why one was refused.
        </EmptyState>
      }
      call={{ method: 'GET', path: withQuery('/v1/requests', query) }}
    />
  );
}

function KeyFilter({ value, onChange }: { value: string | undefined; onChange: (value: string | undefined) => void }) {
  const { data } = useQuery(listApiKeysOptions({ query: { limit: '100' } }));
  const options = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (options.length === 0) return null;
  return <SelectFilter label="API key" value={value} options={options} onChange={onChange} />;
}
