import { SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getExportOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { createExport } from '../../../api/generated/sdk.gen.ts';
import type { Export, Newsletter, Subscriber } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { LongWork } from '../../../ui/data/LongWork.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Form } from '../../../ui/form/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SUBSCRIBER_STATE_OPTIONS } from './subscriber-words.ts';

const POLL_MS = 1_000;

interface Props {
  newsletter: Newsletter;
  status: Subscriber['status'] | undefined;
}

/** Everybody, or one status, as a file that is made in the background. */
export function ExportSubscribers(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionButton variant="default" size="xs" onClick={() => setOpen(true)}>
        Export
      </ActionButton>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Export subscribers" size="md">
        <ExportForm {...props} />
      </Dialog>
    </>
  );
}

function ExportForm({ newsletter, status: shown }: Props) {
  const [format, setFormat] = useState<Export['format']>('csv');
  const [status, setStatus] = useState<Subscriber['status'] | undefined>(shown);
  const write = useWrite({
    call: () =>
      createExport({
        body: {
          resource: 'subscribers',
          filters: { newsletter_id: newsletter.id, ...(status === undefined ? {} : { status }) },
          format,
        },
        throwOnError: true,
      }),
    changes: [],
  });
  if (write.data !== undefined)
    return <ExportProgress id={write.data.id} expected={expectedRows(newsletter, status)} />;
  return (
    <Form
      label="Export subscribers"
      problem={write.error ?? undefined}
      onSubmit={(event) => {
        event?.preventDefault();
        write.mutate(undefined);
      }}
      actions={
        <ActionButton type="submit" loading={write.isPending}>
          Make the file
        </ActionButton>
      }
    >
      <Select
        label="Who"
        data={[...SUBSCRIBER_STATE_OPTIONS]}
        placeholder="Everybody"
        value={status ?? null}
        onChange={(next) => setStatus((next ?? undefined) as Subscriber['status'] | undefined)}
        clearable
        description="With status, times and consent record. Spreadsheets open CSV; an import takes either as it is."
      />
      <SegmentedControl
        aria-label="Format"
        fullWidth
        size="xs"
        data={[
          { value: 'csv', label: 'CSV' },
          { value: 'jsonl', label: 'JSON Lines' },
        ]}
        value={format}
        onChange={(next) => setFormat(next as Export['format'])}
      />
    </Form>
  );
}

const expectedRows = ({ subscriber_counts: counts }: Newsletter, status: Subscriber['status'] | undefined): number =>
  counts[status ?? 'total'];

function ExportProgress({ id, expected }: { id: string; expected: number }) {
  const { data: made, error } = useQuery({
    ...getExportOptions({ path: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'completed' || data?.status === 'failed' ? false : POLL_MS,
  });
  if (error !== null) return <ErrorState error={error} />;
  if (made?.status === 'failed') return <Notice tone="bad">{made.error ?? 'The export failed.'}</Notice>;
  const isDone = made?.status === 'completed' && made.url !== null;
  return (
    <div style={{ display: 'flex', flexDirection: 'column', gap: 16 }}>
      <LongWork
        title={isDone ? 'The file is ready' : 'Writing the file'}
        done={made?.rows ?? 0}
        total={isDone ? made.rows : expected}
        unit="people"
      />
      {isDone && (
        <>
          <Notice tone="info">Everyone who has the link can read the list. It works for 24 hours.</Notice>
          <a href={made.url ?? undefined} download rel="external" data-download>
            Download the file
          </a>
        </>
      )}
    </div>
  );
}
