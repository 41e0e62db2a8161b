import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { pb } from '../../../lib/paths.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { isOpen, isPaused, shownTitle } from '../broadcast-state.ts';
import { EditBroadcast } from './EditBroadcast.tsx';
import { readForEditing } from './read-for-editing.ts';

const EditPaused = lazyPart(
  () => import('./EditPaused.tsx').then((file) => file.EditPaused),
  <Skeleton height={320} />,
);

const CRUMBS = [{ label: 'Broadcasts', href: pb.broadcasts() }];

/** The page where a broadcast is written and its audience is chosen. */
export function BroadcastEditPage() {
  const { id = '' } = useParams({ strict: false });
  // Read once for each visit: the text on the page is the person's from then on.
  const { data, error, refetch } = useQuery({
    queryKey: [{ _id: 'broadcastToEdit', id }],
    queryFn: () => readForEditing(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  if (data === undefined) {
    return (
      <>
        <PageHeader title={error === null ? 'Loading …' : 'Not available'} crumbs={CRUMBS} />
        {error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </>
    );
  }
  if (data.broadcast.status === 'sending' && isPaused(data.broadcast)) {
    return <EditPaused key={id} opened={data} crumbs={CRUMBS} />;
  }
  if (!isOpen(data.broadcast)) {
    return (
      <>
        <PageHeader title={shownTitle(data.broadcast)} crumbs={CRUMBS} />
        <Notice
          tone="info"
          action={
            <ActionButton variant="default" href={pb.broadcast(id)}>
              Open the broadcast
            </ActionButton>
          }
        >
          {data.broadcast.status === 'sending'
            ? 'This broadcast is being sent. Pause it to change what has not left.'
            : 'This broadcast was sent or cancelled, so it does not change any more. Duplicate it to write on.'}
        </Notice>
      </>
    );
  }
  return <EditBroadcast key={id} opened={data} crumbs={CRUMBS} />;
}
