import type { UseQueryResult } from '@tanstack/react-query';
import type { RetentionInForce, System } from '../../api/generated/types.gen.ts';
import { counted } from '../../lib/number.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { DataTable } from '../../ui/list/DataTable.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { Section } from '../../ui/Section.tsx';

const COLUMNS: readonly Column<RetentionInForce>[] = [
  { id: 'records', header: 'Records', cell: ({ records }) => records },
  {
    id: 'kept',
    header: 'Kept for',
    width: '110px',
    cell: ({ days }) => (days === null ? 'ever' : counted(days, 'day', 'days')),
  },
  {
    id: 'setting',
    header: 'Setting',
    width: '300px',
    priority: 2,
    onPhone: true,
    cell: ({ setting }) => (setting === null ? 'Fixed' : <Mono>{setting}</Mono>),
  },
];

/** How long each kind of record is kept. */
export function Retention({ system: { data, error, refetch } }: { system: UseQueryResult<System> }) {
  return (
    <Section title="Retention" description="Older records are removed within the hour. Counts stay." plain>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <DataTable
          label="Retention"
          rows={data.retention}
          columns={COLUMNS}
          rowKey={({ records }) => records}
          rowLabel={({ records }) => records}
        />
      )}
    </Section>
  );
}
