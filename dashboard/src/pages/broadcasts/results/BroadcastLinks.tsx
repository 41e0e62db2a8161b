import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MousePointerClick } from 'lucide-react';
import {
  listBroadcastLinksOptions,
  previewBroadcastOptions,
} from '../../../api/generated/@tanstack/react-query.gen.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { type LinkRow, LinkTable } from '../../../ui/results/LinkTable.tsx';
import { Section } from '../../../ui/Section.tsx';
import { RedirectBroadcastLink } from './RedirectBroadcastLink.tsx';

const ClickMap = lazyPart(
  () => import('../../../ui/results/ClickMap.tsx').then((file) => file.ClickMap),
  <Skeleton height={320} />,
);

interface Props {
  id: string;
  pollMs: () => number;
  /** It was sent, or will never be. */
  isDone: boolean;
  /** Something of it has left. */
  wasSent: boolean;
}

/** Which links people followed. */
export function BroadcastLinks({ id, pollMs, isDone, wasSent }: Props) {
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
        {whyNone({ isDone, wasSent, countedSince: data.counted_since })}
      </EmptyState>
    );
  }
  const links = data.data.map(({ url, clicks, unique_clicks, leads_to }, at) => ({
    number: at + 1,
    url,
    clicks,
    people: unique_clicks,
    leadsTo: leads_to,
  }));
  return (
    <>
      <Section
        title="Links"
        description="In the order of the broadcast. Links to the same address are counted together."
        actions={<CurlButton call={{ method: 'GET', path: `/v1/broadcasts/${id}/clicked-links` }} />}
        plain
      >
        <LinkTable links={links} action={(link) => <RedirectBroadcastLink id={id} link={link} />} />
      </Section>
      <MapOfClicks id={id} links={links} />
    </>
  );
}

/** Loaded with the mail: the table stands before it. */
function MapOfClicks({ id, links }: { id: string; links: readonly LinkRow[] }) {
  const preview = useQuery(previewBroadcastOptions({ path: { id }, query: { number_links: 'true' } }));
  return (
    <ClickMap
      noun="broadcast"
      html={preview.data?.html}
      error={preview.error}
      onRetry={() => void preview.refetch()}
      links={links}
    />
  );
}

interface Why extends Pick<Props, 'isDone' | 'wasSent'> {
  countedSince: string | null;
}

function whyNone({ isDone, wasSent, countedSince }: Why): string {
  if (!isDone) return 'When the broadcast is sent, its links stand here with the people who followed them.';
  if (countedSince !== null) return 'The broadcast has no link whose clicks are counted.';
  return wasSent
    ? 'The broadcast does not track clicks, so nobody knows who followed its links.'
    : 'Nothing of the broadcast was sent, so it has no clicks.';
}
