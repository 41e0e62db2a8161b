import type { HealthWorker } from '../../api/generated/types.gen.ts';
import type { Column } from '../../ui/list/columns.ts';
import { DataTable } from '../../ui/list/DataTable.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';

const COLUMNS: readonly Column<HealthWorker>[] = [
  { id: 'id', header: 'Process', cell: ({ id }) => <Mono>{id}</Mono> },
  {
    id: 'role',
    header: 'Role',
    width: '190px',
    priority: 2,
    onPhone: true,
    cell: ({ role }) => role.replaceAll(',', ', '),
  },
  {
    id: 'seen',
    header: 'Last seen',
    width: '110px',
    align: 'right',
    cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} inRow />,
  },
];

export function Workers({ workers }: { workers: readonly HealthWorker[] }) {
  if (workers.length === 0) return <Notice tone="bad">No process sends. Start one with the role worker.</Notice>;
  return (
    <DataTable label="Processes" rows={workers} columns={COLUMNS} rowKey={({ id }) => id} rowLabel={({ id }) => id} />
  );
}
