import { ServerCog } from 'lucide-react';
import { listRelaySessionsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { ListRelaySessionsData, RelaySession } from '../../api/generated/types.gen.ts';
import { useList } from '../../api/use-list.ts';
import { withQuery } from '../../lib/curl.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { counted } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { SelectFilter } from '../../ui/list/filters.tsx';
import { List } from '../../ui/list/ListPage.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { SPANS, sinceOf } from './session-spans.ts';

const SessionDialog = lazyDialog(() => import('./SessionDialog.tsx').then((file) => file.SessionDialog));

const LOOK_AGAIN_MS = 5_000;

const OUTCOMES = [
  { value: 'accepted', label: 'Accepted' },
  { value: 'refused', label: 'Refused' },
];

const COLUMNS: readonly Column<RelaySession>[] = [
  { id: 'key', header: 'API key', cell: ({ api_key: key }) => key.name },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '130px',
    cell: ({ outcome, accepted }) => {
      if (outcome === 'refused') return <StatusBadge tone="bad">Refused</StatusBadge>;
      return accepted === 0 ? (
        <StatusBadge tone="quiet">Signed in</StatusBadge>
      ) : (
        <StatusBadge tone="ok">Accepted</StatusBadge>
      );
    },
  },
  { id: 'what', header: 'Messages', width: '38%', priority: 2, onPhone: true, cell: wordsOf },
  {
    id: 'from',
    header: 'From',
    width: '150px',
    priority: 3,
    onPhone: true,
    optional: 'shown',
    cell: ({ ip, client_name: name }) => <Mono>{name ?? ip}</Mono>,
  },
  {
    id: 'tls',
    header: 'TLS',
    width: '90px',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ tls }) => tls ?? 'None',
  },
  {
    id: 'at',
    header: 'When',
    width: '100px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ started_at: at }) => <RelativeTime at={at} inRow />,
  },
];

function wordsOf({ accepted, refused, refusals: [first] }: RelaySession): string {
  const taken = counted(accepted, 'message');
  return refused === 0 ? taken : `${accepted === 0 ? '' : `${taken}; `}${first?.text ?? counted(refused, 'refusal')}`;
}

/** Sessions of the last seven days, each with what was refused and why. */
export function SessionsTab() {
  const [{ outcome, since, session, after }, setUrl] = useUrlState(['outcome', 'since', 'session', 'after']);
  const query = {
    outcome: outcome as NonNullable<ListRelaySessionsData['query']>['outcome'], // an unknown outcome is refused in words
    since: sinceOf(since, useNow()),
  };
  const list = useList((page) => listRelaySessionsOptions({ query: { ...page, ...query } }), { pollMs: LOOK_AGAIN_MS });
  const setFilter = (change: { outcome?: string | undefined; since?: string | undefined }) =>
    setUrl({ ...change, after: undefined });
  const isFiltered = outcome !== undefined || since !== undefined;
  return (
    <>
      <List
        id="relay-sessions"
        title="Sessions"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ api_key: key }) => key.name}
        rowHref={({ id }) => withQuery(pb.relay(), { tab: 'sessions', outcome, since, after, session: id })}
        filters={
          <>
            <SelectFilter
              label="Outcome"
              value={outcome}
              options={OUTCOMES}
              onChange={(next) => setFilter({ outcome: next })}
            />
            <SelectFilter
              label="Time"
              value={since}
              options={SPANS.map(({ value, label }) => ({ value, label }))}
              onChange={(next) => setFilter({ since: next })}
            />
          </>
        }
        onClearFilters={isFiltered ? () => setFilter({ outcome: undefined, since: undefined }) : undefined}
        empty={
          <EmptyState icon={<ServerCog size={20} />} title="No program has signed in yet">
            A session is listed here when a program signs in, with its messages and the reason of each refusal. A key
            that does not exist belongs to nobody and is not listed.
          </EmptyState>
        }
        call={{ method: 'GET', path: withQuery('/v1/relay/sessions', query) }}
      />
      <SessionDialog
        opened={session !== undefined}
        session={list.rows?.find(({ id }) => id === session)}
        isRead={list.rows !== undefined}
        onClose={() => setUrl({ session: undefined })}
      />
    </>
  );
}
