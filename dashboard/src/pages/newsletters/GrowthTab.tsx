import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { TrendingUp } from 'lucide-react';
import { getNewsletterGrowthOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Newsletter, NewsletterGrowth } from '../../api/generated/types.gen.ts';
import { withQuery } from '../../lib/curl.ts';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { exactTime } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { Chart } from '../../ui/data/Chart.tsx';
import { Stat, StatRow } from '../../ui/data/Stat.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Section } from '../../ui/Section.tsx';
import { growthSpan, GROWTH_RANGES, growthLabel } from './growth-span.ts';
import classes from './newsletters.module.css';

const TOTAL = [{ id: 'total', name: 'Active subscribers', color: 'var(--ph-dot-info)' }] as const;
const MOVES = [
  { id: 'confirmed', name: 'Came', color: 'var(--ph-dot-ok)' },
  { id: 'unsubscribed', name: 'Unsubscribed', color: 'var(--ph-dot-quiet)' },
  { id: 'bounced', name: 'Bounced', color: 'var(--ph-dot-warn)' },
  { id: 'complained', name: 'Complained', color: 'var(--ph-dot-bad)' },
  { id: 'removed', name: 'Removed', color: 'var(--ph-chart-clicked)' },
] as const;

const signed = (count: number): string => (count > 0 ? `+${formatCount(count)}` : formatCount(count));

/** How many people are on the list, and who came and left, by day or week of the workspace's zone. */
export function GrowthTab({ newsletter: { id } }: { newsletter: Newsletter }) {
  const [{ range }, setUrl] = useUrlState(['range']);
  const span = growthSpan(range, useNow());
  const query = { granularity: span.by, ...(span.start === undefined ? {} : { start: span.start }) };
  const { data, error, refetch } = useQuery({
    ...getNewsletterGrowthOptions({ path: { id }, query }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title="Growth"
      description={
        data === undefined
          ? 'Active subscribers, and who came and left.'
          : `Active subscribers, and who came and left. Days are days in ${data.timezone}.`
      }
      plain
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Time"
            data={GROWTH_RANGES.map(({ value, label }) => ({ value, label }))}
            value={span.range}
            onChange={(next) => setUrl({ range: next === '30d' ? undefined : next })}
          />
          <CurlButton call={{ method: 'GET', path: withQuery(`/v1/newsletters/${id}/growth`, query) }} />
        </>
      }
    >
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={420} />}
      {data !== undefined && <Shown id={id} data={data} by={span.by} />}
    </Section>
  );
}

function Shown({ id, data, by }: { id: string; data: NewsletterGrowth; by: 'day' | 'week' }) {
  const { totals } = data;
  const left = totals.unsubscribed + totals.bounced + totals.complained + totals.removed;
  if (totals.total === 0 && totals.confirmed + left === 0) {
    return (
      <EmptyState icon={<TrendingUp size={20} />} title="Nobody came or left in this time">
        People appear here when they confirm, are added or imported, and when they leave.
      </EmptyState>
    );
  }
  const points = data.data.map((row) => ({
    at: row.period,
    label: growthLabel(row.period),
    values: Object.fromEntries([...TOTAL, ...MOVES].map(({ id: name }) => [name, row[name]])),
  }));
  const begins = Date.parse(data.counted_since) > Date.parse(data.start);
  return (
    <>
      <StatRow>
        <Stat
          label="Active subscribers"
          value={formatCount(totals.total)}
          hint={`${signed(totals.net)} in this time`}
          href={`${pb.newsletterTab(id, 'subscribers')}&status=active`}
        />
        <Stat label="Came" value={formatCount(totals.confirmed)} />
        <Stat label="Unsubscribed" value={formatCount(totals.unsubscribed)} />
        <Stat label="Bounced" value={formatCount(totals.bounced)} />
        <Stat label="Complained" value={formatCount(totals.complained)} />
        <Stat label="Removed" value={formatCount(totals.removed)} />
      </StatRow>
      <div className={classes['charts']}>
        <Chart label={`Active subscribers by ${by}`} points={points} series={TOTAL} format={formatCount} />
        <Chart
          label={`People who came and left by ${by}`}
          points={points}
          series={MOVES}
          kind="bar"
          height={180}
          format={formatCount}
        />
      </div>
      {begins && (
        <p className={classes['note']}>
          Each change is counted since {exactTime(data.counted_since)}. Earlier numbers are of the people who were still
          on the list then.
        </p>
      )}
    </>
  );
}
