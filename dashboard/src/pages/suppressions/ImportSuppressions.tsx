import { Group, Select, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { importSuppressions } from '../../api/generated/sdk.gen.ts';
import type { ImportSuppressionsResponse, SuppressionReason } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { counted, formatBytes, formatCount } from '../../lib/number.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Stat, StatRow } from '../../ui/data/Stat.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { FileDrop } from '../../ui/form/FileDrop.tsx';
import { FormProblem } from '../../ui/form/FormProblem.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { DataTable } from '../../ui/list/DataTable.tsx';
import classes from './suppressions.module.css';
import { REASON_OPTIONS } from './reasons.ts';

/** The limit of the server. */
const BYTES_MAX = 20_000_000;

/** A CSV file of addresses. The server says what it would do with the file before anything is suppressed. */
export function ImportSuppressions({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <LoadedDialog opened={opened} onClose={onClose} title="Import suppressions" size="lg">
      <ImportForm onClose={onClose} />
    </LoadedDialog>
  );
}

interface Sent {
  file: File;
  reason: SuppressionReason;
}

const call = ({ file, reason }: Sent, dryRun: boolean) =>
  importSuppressions({
    // The generator names the body of a file a string; the client sends a file as it is.
    body: file as unknown as string,
    query: { reason, ...(dryRun ? { dry_run: 'true' } : {}) },
    throwOnError: true,
  });

function ImportForm({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File>();
  const [reason, setReason] = useState<SuppressionReason>('manual');
  const [problem, setProblem] = useState<string>();
  const dryRun = useWrite({ call: (sent: Sent) => call(sent, true), changes: [] });
  const real = useWrite({ call: (sent: Sent) => call(sent, false), changes: ['listSuppressions'] });
  const take = (next: File) => {
    dryRun.reset();
    real.reset();
    const refused = refusalOf(next);
    setProblem(refused);
    setFile(refused === undefined ? next : undefined);
    if (refused === undefined) dryRun.mutate({ file: next, reason });
  };
  const outcome = real.data ?? dryRun.data;
  const isDone = real.data !== undefined;
  return (
    <div className={classes['import']}>
      {!isDone && (
        <>
          <FileDrop
            file={file}
            accept=".csv,.tsv,.txt,text/csv"
            words="CSV in UTF-8, up to 20 MB. Drop it here, or"
            more="A column has the addresses; reason, note, created_at and expires_at are read where the file has them. Exports of other services work as they are."
            problem={problem}
            onTake={take}
          />
          <Select
            label="Reason of rows without one"
            description="A reason never becomes a weaker one."
            data={REASON_OPTIONS}
            value={reason}
            onChange={(next) => setReason(next ?? reason)}
            allowDeselect={false}
          />
        </>
      )}
      <FormProblem error={real.error ?? dryRun.error ?? undefined} />
      {dryRun.isPending && (
        <Text size="sm" c="dimmed">
          Trying the file. Nothing is suppressed yet.
        </Text>
      )}
      <VisuallyHidden role="status">{outcome === undefined ? '' : inWords(outcome)}</VisuallyHidden>
      {outcome !== undefined && <Outcome outcome={outcome} />}
      <Group gap="xs">
        {isDone ? (
          <ActionButton onClick={onClose}>Done</ActionButton>
        ) : (
          <>
            <ActionButton
              loading={dryRun.isPending || real.isPending}
              disabledReason={dryRun.isPending ? 'The file is being tried.' : whyNotYet(file, dryRun.data)}
              onClick={() => file !== undefined && real.mutate({ file, reason })}
            >
              {dryRun.data === undefined ? 'Import' : `Suppress ${counted(dryRun.data.added, 'address', 'addresses')}`}
            </ActionButton>
            <ActionButton variant="default" onClick={onClose}>
              Cancel
            </ActionButton>
          </>
        )}
      </Group>
    </div>
  );
}

function refusalOf({ name, size }: File): string | undefined {
  if (size === 0) return `${name} is empty.`;
  return size > BYTES_MAX ? `${name} has ${formatBytes(size)}; a file has 20 MB at most.` : undefined;
}

/** Rows that are on the list already may still get a stronger reason, so such a file can be imported. */
function whyNotYet(file: File | undefined, tried: ImportSuppressionsResponse | undefined): string | undefined {
  if (file === undefined) return 'Choose a file first.';
  if (tried === undefined) return 'The file cannot be imported as it is.';
  return tried.added + tried.existing === 0 ? 'No row of the file has an address to suppress.' : undefined;
}

interface RowError {
  line: number;
  message: string;
}

const COLUMNS: readonly Column<RowError>[] = [
  { id: 'line', header: 'Line', width: '80px', cell: ({ line }) => formatCount(line) },
  { id: 'message', header: 'Why', isWhole: true, cell: ({ message }) => message },
];

function Outcome({ outcome }: { outcome: ImportSuppressionsResponse }) {
  const { total, added, existing, duplicates, invalid, errors, dry_run: dry } = outcome;
  return (
    <>
      <StatRow>
        <Stat label="Rows" value={formatCount(total)} />
        <Stat label={dry ? 'Would be suppressed' : 'Suppressed'} value={formatCount(added)} />
        <Stat label="On the list already" value={formatCount(existing)} />
        <Stat label="Twice in the file" value={formatCount(duplicates)} />
        <Stat label="Not taken" value={formatCount(invalid)} {...(invalid > 0 ? { tone: 'bad' as const } : {})} />
      </StatRow>
      {errors.length > 0 && (
        <div className={classes['errors']}>
          <DataTable
            label={dry ? 'Rows that would not be taken' : 'Rows that were not taken'}
            rows={errors}
            columns={COLUMNS}
            rowKey={({ line }) => String(line)}
            rowLabel={({ line }) => `Line ${line}`}
          />
          {invalid > errors.length && (
            <Text size="xs" c="dimmed" mt="xs">
              These are the first {errors.length} of {formatCount(invalid)}.
            </Text>
          )}
        </div>
      )}
    </>
  );
}

const inWords = ({ dry_run: dry, total, added, existing, duplicates, invalid }: ImportSuppressionsResponse): string =>
  `${dry ? 'The dry run is done' : 'The import is done'}: ${counted(total, 'row')}, ` +
  `${formatCount(added)} ${dry ? 'would be suppressed' : 'suppressed'}, ${formatCount(existing)} on the list already, ` +
  `${formatCount(duplicates)} twice in the file, ${formatCount(invalid)} not taken.`;
