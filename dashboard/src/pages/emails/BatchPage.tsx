import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getBatchOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { BatchJob } from '../../api/generated/types.gen.ts';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { SendProgress } from './SendProgress.tsx';
import { isWaiting, SEND_STATUSES } from './send-state.ts';

const POLL_MS = 2_000;

const COLUMNS: readonly Column<BatchJob>[] = [
  { id: 'item', header: 'Item', cell: ({ index }) => `Item ${index + 1}` },
  {
    id: 'status',
    header: 'Status',
    width: '200px',
    cell: ({ status }) => <StatusBadge tone={SEND_STATUSES[status].tone}>{SEND_STATUSES[status].label}</StatusBadge>,
  },
  {
    id: 'emails',
    header: 'Emails',
    width: '100px',
    align: 'right',
    priority: 2,
    cell: ({ progress }) => formatCount(progress.total),
  },
];

/** The sends of one `POST /v1/batch`, at most 100. */
export function BatchPage() {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const {
    data: batch,
    error,
    refetch,
  } = useQuery({
    ...getBatchOptions({ path: { id } }),
    refetchInterval: ({ state }) => (state.data !== undefined && isWaiting(state.data.status) ? POLL_MS : false),
  });
  return (
    <ListPage
      id="batch"
      title="Batch"
      description={
        <>
          <Mono>{id}</Mono> <CopyButton value={id} label="Copy the id of the batch" />
        </>
      }
      list={{
        rows: batch?.jobs,
        error,
        isStale: false,
        total: batch?.jobs.length,
        isEstimate: false,
        onNext: undefined,
        onPrevious: undefined,
        onFirst: undefined,
        refetch: () => void refetch(),
      }}
      columns={COLUMNS}
      rowKey={({ jobId }) => jobId}
      rowLabel={({ index }) => `item ${index + 1}`}
      rowHref={({ jobId }) => pb.send(jobId)}
      empty={null}
      call={{ method: 'GET', path: `/v1/batch/${id}` }}
    >
      {batch && <SendProgress send={batch} />}
    </ListPage>
  );
}
