import { Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import { formatCount, formatPercent } from '../../lib/number.ts';
import { usePreviewView } from '../../lib/use-preview-view.ts';
import { ErrorState } from '../ErrorState.tsx';
import { MailPreview } from '../mail-preview/MailPreview.tsx';
import { Section } from '../Section.tsx';

interface Props {
  noun: 'broadcast' | 'issue';
  /** The mail, each counted link with its number in an attribute; undefined: not read yet. */
  html: string | undefined;
  error: unknown;
  onRetry: () => void;
  links: readonly { number: number; clicks: number }[];
  /** Clicks beside those of the links. */
  others?: number;
}

/** The mail as it was sent, with the clicks and their share beside each link. */
export function ClickMap({ noun, html, error, onRetry, links, others = 0 }: Props) {
  const [view, setView] = usePreviewView();
  const badges = useMemo(() => badgesOf(links, others), [links, others]);
  return (
    <Section
      title="Click map"
      description="Beside each link stand its number, the clicks of people and their share of all clicks."
      plain
    >
      {error !== null && <ErrorState error={error} onRetry={onRetry} />}
      {html === undefined ? (
        error === null && <Skeleton height={320} />
      ) : (
        <MailPreview
          html={html}
          label={`The ${noun} with its clicks`}
          view={view}
          onViewChange={setView}
          badges={badges}
        />
      )}
    </Section>
  );
}

function badgesOf(links: Props['links'], others: number): ReadonlyMap<string, string> {
  const all = links.reduce((sum, { clicks }) => sum + clicks, others);
  return new Map(
    links.map(({ number, clicks }) => {
      const share = all === 0 ? '' : ` · ${formatPercent(clicks / all)}`;
      return [String(number), `${number}: ${formatCount(clicks)}${share}`];
    }),
  );
}
