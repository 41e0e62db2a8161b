import { SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getImportErrorsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { getImportErrors } from '../../api/generated/sdk.gen.ts';
import type { Import } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { csvHead } from '../../lib/files/csv.ts';
import { download } from '../../lib/files/download.ts';
import { counted, formatCount } from '../../lib/number.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { LongWork } from '../../ui/data/LongWork.tsx';
import { Stat, StatRow } from '../../ui/data/Stat.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { DataTable } from '../../ui/list/DataTable.tsx';
import { Section } from '../../ui/Section.tsx';
import { isRunning, rowReason } from './import-words.ts';

type Shown = 'failed' | 'skipped';
const ROWS_SHOWN = 200;
/** Of one file of results. */
const ROWS_MAX = 100_000;

/** The counts of an import, while it runs and afterwards, and the rows that were not taken. */
export function ImportOutcome({ record }: { record: Import }) {
  const { counts, dry_run: dry } = record;
  return (
    <div style={{ display: 'flex', flexDirection: 'column', gap: 20, marginBottom: 24 }}>
      {isRunning(record) && (
        <LongWork
          title={`${dry ? 'Trying' : 'Importing'} the file: ${counted(counts.total, 'row')} so far`}
          done={record.progress}
          total={1}
          held={record.status === 'queued' ? 'Waiting for a worker' : undefined}
        />
      )}
      {/* Heard when the work ends, wherever the focus is. */}
      <VisuallyHidden role="status">{isRunning(record) ? '' : inWords(record)}</VisuallyHidden>
      <StatRow>
        <Stat label="Rows" value={formatCount(counts.total)} />
        <Stat label={dry ? 'Would be added' : 'Added'} value={formatCount(counts.created)} />
        <Stat label={dry ? 'Would be changed' : 'Changed'} value={formatCount(counts.updated)} />
        <Stat label="Skipped" value={formatCount(counts.skipped)} />
        <Stat
          label="Failed"
          value={formatCount(counts.failed)}
          {...(counts.failed > 0 ? { tone: 'bad' as const } : {})}
        />
      </StatRow>
      {!isRunning(record) && counts.failed + counts.skipped > 0 && <RowErrors record={record} />}
    </div>
  );
}

const inWords = ({ counts, dry_run: dry }: Import): string =>
  `${dry ? 'The dry run is done' : 'The import is done'}: ${counted(counts.total, 'row')}, ` +
  `${formatCount(counts.created)} ${dry ? 'would be added' : 'added'}, ` +
  `${formatCount(counts.updated)} ${dry ? 'would be changed' : 'changed'}, ` +
  `${formatCount(counts.skipped)} skipped, ${formatCount(counts.failed)} failed.`;

interface Row {
  line: string;
  email: string;
  reason: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'email', header: 'Address', cell: ({ email }) => (email === '' ? 'No address' : email) },
  { id: 'line', header: 'Line', width: '80px', align: 'right', cell: ({ line }) => line },
  { id: 'reason', header: 'Why', isWhole: true, cell: ({ reason }) => reason },
];

function RowErrors({ record: { id, counts } }: { record: Import }) {
  const [chosen, setChosen] = useState<Shown>();
  const shown = chosen ?? (counts.failed > 0 ? 'failed' : 'skipped');
  const path = { id };
  const { data, error, refetch } = useQuery(
    getImportErrorsOptions({ path, query: shown === 'failed' ? { result: shown } : {} }),
  );
  const save = useWrite({
    call: () => getImportErrors({ path, throwOnError: true }),
    changes: [],
    onDone: (text) => download(`import-${id}.csv`, 'text/csv', String(text)),
  });
  const rows = data === undefined ? undefined : rowsOf(String(data), shown);
  return (
    <Section
      title="Rows that were not taken"
      description="Kept for 7 days. The file of results has 100,000 rows at most."
      plain
      actions={
        <ActionButton variant="default" size="xs" loading={save.isPending} onClick={() => save.mutate(undefined)}>
          Download the results
        </ActionButton>
      }
    >
      <SegmentedControl
        aria-label="Rows"
        size="xs"
        mb="xs"
        value={shown}
        onChange={(next) => setChosen(next as Shown)}
        data={[
          { value: 'failed', label: `Failed (${formatCount(counts.failed)})` },
          { value: 'skipped', label: `Skipped (${formatCount(counts.skipped)})` },
        ]}
      />
      {error === null ? (
        <DataTable
          label={shown === 'failed' ? 'Rows that failed' : 'Rows that were skipped'}
          rows={rows}
          columns={COLUMNS}
          rowKey={({ line }) => line}
          rowLabel={({ email }) => email}
        />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
      {rows?.length === ROWS_SHOWN && (
        <Text size="xs" c="dimmed" mt="xs">
          The first {ROWS_SHOWN} rows; the file of results has them all.
        </Text>
      )}
    </Section>
  );
}

/** `line,email,result,reason,message`; the results of a dry run have every row. */
const rowsOf = (text: string, shown: Shown): Row[] =>
  csvHead(text, ROWS_MAX + 1)
    .filter(([, , result]) => result === shown)
    .slice(0, ROWS_SHOWN)
    .map(([line = '', email = '', , reason = '', message = '']) => ({
      line,
      email,
      reason: rowReason(reason, message),
    }));
