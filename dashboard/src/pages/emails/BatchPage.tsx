import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getBatchOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { BatchJob } from '../../api/generated/types.gen.ts';
import { counted, formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage } from '../../ui/list/ListPage.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { titleOf } from './email-title.ts';
import { SendProgress } from './SendProgress.tsx';
import { isWaiting, SEND_STATUSES } from './send-state.ts';

const POLL_MS = 2_000;
const CRUMBS = [{ label: 'Emails', href: pb.emails() }];

const COLUMNS: readonly Column<BatchJob>[] = [
  { id: 'to', header: 'To', cell: recipientsOf },
  {
    id: 'subject',
    header: 'Subject',
    width: '40%',
    priority: 2,
    onPhone: true,
    cell: ({ subject }) => (subject === null ? 'Subject of the template' : titleOf({ subject, source: null })),
  },
  {
    id: 'status',
    header: 'Status',
    width: '150px',
    cell: ({ status }) => <StatusBadge tone={SEND_STATUSES[status].tone}>{SEND_STATUSES[status].label}</StatusBadge>,
  },
];

/** The first recipient of an item, and how many others it has. */
function recipientsOf({ to, index, progress }: BatchJob): string {
  const others = progress.total - 1;
  return `${to ?? `Item ${index + 1}`}${others > 0 ? ` and ${formatCount(others)} more` : ''}`;
}

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
  const words = batch && SEND_STATUSES[batch.status];
  return (
    <ListPage
      id="batch"
      title="Sends of the batch"
      heading={batch === undefined ? 'Batch' : `Batch of ${counted(batch.jobs.length, 'send')}`}
      crumbs={CRUMBS}
      badge={words && <StatusBadge tone={words.tone}>{words.label}</StatusBadge>}
      description={
        batch && (
          <>
            Accepted <RelativeTime at={batch.createdAt} />
            <CopyButton value={id} label="Copy the id of the batch" />
          </>
        )
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
      rowLabel={({ index }) => `Item ${index + 1}`}
      rowHref={({ jobId }) => pb.send(jobId)}
      empty={null}
      call={{ method: 'GET', path: `/v1/batch/${id}` }}
    >
      {batch && <SendProgress send={batch} />}
    </ListPage>
  );
}
