import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { pb } from '../../../lib/paths.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { EditTemplate } from './EditTemplate.tsx';
import { readForEditing } from './read-for-editing.ts';

/** The page where a template is written. */
export function TemplateEditPage() {
  const { id = '' } = useParams({ strict: false });
  // Read once for each visit: the text on the page is the person's from then on.
  const { data, error, refetch } = useQuery({
    queryKey: [{ _id: 'templateToEdit', id }],
    queryFn: () => readForEditing(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
  if (data !== undefined) return <EditTemplate key={id} opened={data} />;
  return (
    <>
      <PageHeader
        title={error === null ? 'Loading …' : 'Not available'}
        crumbs={[{ label: 'Templates', href: pb.templates() }]}
      />
      {error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
    </>
  );
}
