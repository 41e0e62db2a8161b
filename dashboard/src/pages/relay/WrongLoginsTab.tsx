import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { listRelayWrongLoginsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { RelayWrongLogin } from '../../api/generated/types.gen.ts';
import { formatCount } from '../../lib/number.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { List } from '../../ui/list/ListPage.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import classes from './relay.module.css';

const LOOK_AGAIN_MS = 10_000;

const COLUMNS: readonly Column<RelayWrongLogin>[] = [
  { id: 'ip', header: 'Address', cell: ({ ip }) => <Mono>{ip}</Mono> },
  { id: 'attempts', header: 'Attempts', width: '100px', align: 'right', cell: (row) => formatCount(row.attempts) },
  {
    id: 'first',
    header: 'First',
    width: '110px',
    align: 'right',
    priority: 2,
    cell: ({ first_at: at }) => <RelativeTime at={at} inRow />,
  },
  {
    id: 'last',
    header: 'Last',
    width: '110px',
    align: 'right',
    cell: ({ last_at: at }) => <RelativeTime at={at} inRow />,
  },
];

/** For the operator: addresses that signed in with keys that are nobody's. */
export function WrongLoginsTab() {
  const { data, error, refetch } = useQuery({ ...listRelayWrongLoginsOptions(), refetchInterval: LOOK_AGAIN_MS });
  return (
    <>
      <p className={classes['where']}>
        Sign-ins with keys that belong to nobody, in the last seven days: the 100 addresses that tried last. After 20 in
        a quarter of an hour an address waits three seconds for each answer.
      </p>
      <List
        id="relay-wrong-logins"
        title="Wrong logins"
        list={{
          rows: data?.data,
          error,
          isStale: false,
          total: data?.data.length,
          isEstimate: false,
          onNext: undefined,
          onPrevious: undefined,
          onFirst: undefined,
          refetch: () => void refetch(),
        }}
        columns={COLUMNS}
        rowKey={({ ip }) => ip}
        rowLabel={({ ip }) => ip}
        empty={
          <EmptyState icon={<KeyRound size={20} />} title="Nobody has tried a wrong key">
            Programs with a mistyped or revoked password appear here, and so does whoever guesses.
          </EmptyState>
        }
        call={{ method: 'GET', path: '/v1/relay/wrong-logins' }}
      />
    </>
  );
}
