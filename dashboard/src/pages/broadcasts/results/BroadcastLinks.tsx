import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MousePointerClick } from 'lucide-react';
import { listBroadcastLinksOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LinkTable } from '../../../ui/results/LinkTable.tsx';
import { Section } from '../../../ui/Section.tsx';

interface Props {
  id: string;
  pollMs: () => number;
  /** It was sent, or will never be. */
  isDone: boolean;
}

/** Which links people followed. */
export function BroadcastLinks({ id, pollMs, isDone }: Props) {
  const { data, error, refetch } = useQuery({
    ...listBroadcastLinksOptions({ path: { id } }),
    refetchInterval: pollMs,
  });
  if (data === undefined) {
    return error === null ? <Skeleton height={240} /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (data.data.length === 0) {
    return (
      <EmptyState icon={<MousePointerClick size={20} />} title="No links to show">
        {whyNone(isDone, data.counted_since)}
      </EmptyState>
    );
  }
  return (
    <Section
      title="Links"
      description="In the order of the broadcast. Links to the same address are counted together."
      actions={<CurlButton call={{ method: 'GET', path: `/v1/broadcasts/${id}/clicked-links` }} />}
      plain
    >
      <LinkTable
        links={data.data.map(({ url, clicks, unique_clicks }, at) => ({
          number: at + 1,
          url,
          clicks,
          people: unique_clicks,
        }))}
      />
    </Section>
  );
}

function whyNone(isDone: boolean, countedSince: string | null): string {
  if (!isDone) return 'When the broadcast is sent, its links stand here with the people who followed them.';
  return countedSince === null
    ? 'The clicks of this broadcast are not counted by link: it was not sent, or it does not track clicks.'
    : 'The broadcast has no link whose clicks are counted.';
}
