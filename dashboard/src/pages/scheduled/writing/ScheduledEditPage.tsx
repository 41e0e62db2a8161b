import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { EditScheduled } from './EditScheduled.tsx';
import { readForEditing } from './use-content-form.ts';

/** The content of an email that waits for its time, as it is now. */
export function ScheduledEditPage() {
  const { id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: [{ _id: 'scheduledForEditing', id }],
    queryFn: () => readForEditing(id),
    // The text stands over the version that was opened.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={320} />;
  return <EditScheduled key={id} opened={data} />;
}
