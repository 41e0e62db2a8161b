import { FileUp } from 'lucide-react';
import { listImportsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Import } from '../../api/generated/types.gen.ts';
import { useList } from '../../api/use-list.ts';
import { counted, formatCount, formatPercent } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { IMPORT_STATES } from './import-words.ts';

const POLL_MS = 3_000;

const count = (id: keyof Import['counts'], header: string, priority: 2 | 3): Column<Import> => ({
  id,
  header,
  width: '90px',
  align: 'right',
  priority,
  cell: ({ counts }) => formatCount(counts[id]),
});

const COLUMNS: readonly Column<Import>[] = [
  {
    id: 'what',
    header: 'Import',
    cell: ({ dry_run, format }) => `${dry_run ? 'Dry run' : 'Import'} of a ${format === 'csv' ? 'CSV' : 'JSON'} file`,
  },
  {
    id: 'status',
    header: 'Status',
    width: '130px',
    cell: ({ status, progress }) => (
      <StatusBadge tone={IMPORT_STATES[status].tone}>
        {status === 'processing' ? `Running, ${formatPercent(progress)}` : IMPORT_STATES[status].label}
      </StatusBadge>
    ),
  },
  { ...count('total', 'Rows', 2), onPhone: ({ counts }) => counted(counts.total, 'row') },
  count('created', 'Added', 2),
  count('updated', 'Changed', 3),
  count('skipped', 'Skipped', 3),
  {
    ...count('failed', 'Failed', 2),
    onPhone: ({ counts }) => counts.failed > 0 && `${formatCount(counts.failed)} failed`,
  },
  {
    id: 'at',
    header: 'Started',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ created_at }) => <RelativeTime at={created_at} inRow />,
  },
];

/** Every import of the workspace, dry runs too. */
export function ImportsPage() {
  const list = useList((page) => listImportsOptions({ query: page }), { pollMs: POLL_MS });
  return (
    <ListPage
      id="imports"
      title="Imports"
      description="An import can be undone for 24 hours after its end."
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLabel={({ id }) => id}
      rowHref={({ id }) => pb.import(id)}
      empty={
        <EmptyState
          icon={<FileUp size={20} />}
          title="Nothing was imported yet"
          action={
            <>
              <ActionButton variant="default" href={pb.newsletters()}>
                Open a newsletter
              </ActionButton>
              <ActionButton variant="default" href={pb.lists()}>
                Open a list of contacts
              </ActionButton>
            </>
          }
        >
          Open the subscribers of a newsletter, or a list of contacts, to bring people from a file. Posthorn reads the
          files of Mailchimp, Substack, Ghost, listmonk, Buttondown and Resend as they are.
        </EmptyState>
      }
      call={{ method: 'GET', path: '/v1/imports' }}
    />
  );
}
