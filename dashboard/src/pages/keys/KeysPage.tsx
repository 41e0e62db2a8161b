import { KeyRound } from 'lucide-react';
import { listApiKeysOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { ApiKey } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useList } from '../../api/use-list.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { STATES, shownKey, stateOf } from './key-state.ts';
import { describeScopes } from './scopes.ts';

const COLUMNS: readonly Column<ApiKey>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  { id: 'key', header: 'Key', width: '220px', priority: 2, onPhone: true, cell: (key) => <Mono>{shownKey(key)}</Mono> },
  { id: 'scopes', header: 'Scopes', width: '150px', priority: 3, cell: ({ scopes }) => describeScopes(scopes) },
  {
    id: 'state',
    header: 'State',
    width: '110px',
    cell: (key) => {
      const { tone, label } = STATES[stateOf(key, Date.now())];
      return <StatusBadge tone={tone}>{label}</StatusBadge>;
    },
  },
  {
    id: 'mode',
    header: 'Mode',
    width: '80px',
    priority: 3,
    onPhone: true,
    optional: 'hidden',
    cell: ({ mode }) => mode,
  },
  {
    id: 'used',
    header: 'Last used',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: ({ last_used_at: at }) =>
      at === null ? (
        'Never used'
      ) : (
        <>
          Used <RelativeTime at={at} inRow />
        </>
      ),
    cell: ({ last_used_at }) => <RelativeTime at={last_used_at} inRow />,
  },
  {
    id: 'created',
    header: 'Created',
    width: '110px',
    align: 'right',
    priority: 3,
    optional: 'shown',
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

/** Keys of the API. */
export function KeysPage() {
  const whyNot = useWhyNot('api_keys:write');
  const list = useList((page) => listApiKeysOptions({ query: page }));
  const create = (
    <ActionButton href={pb.keyNew()} disabledReason={whyNot}>
      Create API key
    </ActionButton>
  );
  return (
    <ListPage
      id="keys"
      title="API keys"
      description="Your programs sign in with these. Give each program its own, with no more than it needs."
      actions={create}
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={({ name }) => name}
      rowHref={({ id }) => pb.key(id)}
      empty={
        <EmptyState icon={<KeyRound size={20} />} title="No API key yet" action={create}>
          A program needs a key to send emails and to read what became of them.
        </EmptyState>
      }
      call={{ method: 'GET', path: '/v1/api-keys' }}
    />
  );
}
