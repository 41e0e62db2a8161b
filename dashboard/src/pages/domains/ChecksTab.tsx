import { History } from 'lucide-react';
import { listDomainChecksOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Domain, DomainCheck } from '../../api/generated/types.gen.ts';
import { useList } from '../../api/use-list.ts';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { withQuery } from '../../lib/curl.ts';
import { exactTime } from '../../lib/time.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { List } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { OUTCOMES } from './check-outcomes.ts';

const CheckDialog = lazyDialog(() => import('./CheckDialog.tsx').then((file) => file.CheckDialog));

const POLL_MS = 10_000;

const COLUMNS: readonly Column<DomainCheck>[] = [
  {
    id: 'outcome',
    header: 'Outcome',
    width: '170px',
    cell: ({ outcome }) => <StatusBadge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</StatusBadge>,
  },
  { id: 'reason', header: 'Reason', priority: 2, onPhone: true, cell: ({ reason }) => reason },
  {
    id: 'asked',
    header: 'Asked by',
    width: '130px',
    priority: 3,
    cell: ({ requested }) => (requested ? 'A person or key' : 'Posthorn'),
  },
  {
    id: 'at',
    header: 'When',
    width: '110px',
    align: 'right',
    cell: ({ at }) => <RelativeTime at={at} inRow />,
  },
];

/** The checks of the last 30 days; each opens with its evidence. */
export function ChecksTab({ domain: { id } }: { domain: Domain }) {
  const [{ check, after }, setUrl] = useUrlState(['check', 'after']);
  const list = useList((page) => listDomainChecksOptions({ path: { id }, query: page }), { pollMs: POLL_MS });
  return (
    <>
      <List
        id="domain-checks"
        title="Checks"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        rowLabel={({ at }) => exactTime(at)}
        rowHref={(row) => withQuery(pb.domain(id), { tab: 'checks', after, check: row.id })}
        empty={
          <EmptyState icon={<History size={20} />} title="Nothing was checked yet">
            Each check is kept for 30 days, with every DNS server that was asked and its answer.
          </EmptyState>
        }
        call={{ method: 'GET', path: `/v1/domains/${id}/checks` }}
      />
      <CheckDialog
        opened={check !== undefined}
        check={list.rows?.find((row) => row.id === check)}
        isRead={list.rows !== undefined}
        onClose={() => setUrl({ check: undefined })}
      />
    </>
  );
}
