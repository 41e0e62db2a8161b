import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn } from 'lucide-react';
import { getAnalyticsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Analytics, EmailCounts } from '../../api/generated/types.gen.ts';
import { withQuery } from '../../lib/curl.ts';
import { formatCount, formatPercent } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { Chart } from '../../ui/data/Chart.tsx';
import { NO_HINT, Stat, StatRow } from '../../ui/data/Stat.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Section } from '../../ui/Section.tsx';
import classes from './overview.module.css';
import { BOUNCE_LIMIT, COMPLAINT_LIMIT, isOver } from './limits.ts';
import { periodLabel, RANGES, readSpan, type Span } from './span.ts';

const SERIES = [
  { id: 'sent', name: 'Sent', color: 'var(--ph-dot-quiet)' },
  { id: 'delivered', name: 'Delivered', color: 'var(--ph-dot-ok)' },
  { id: 'opened', name: 'Opened', color: 'var(--ph-dot-info)' },
  { id: 'clicked', name: 'Clicked', color: 'var(--ph-chart-clicked)' },
  { id: 'bounced', name: 'Bounced', color: 'var(--ph-dot-warn)' },
  { id: 'complained', name: 'Complained', color: 'var(--ph-dot-bad)' },
] as const;

/** Counts over time in the zone of the workspace, with their rates. */
export function Numbers({ timezone, isFresh }: { timezone: string; isFresh: boolean }) {
  const [{ range, by }, setUrl] = useUrlState(['range', 'by']);
  const span = readSpan(range, by, timezone, useNow());
  const query = { start: span.start, granularity: span.by };
  const { data, error, refetch } = useQuery({ ...getAnalyticsOptions({ query }), placeholderData: keepPreviousData });
  return (
    <Section
      title="Emails"
      description={`Each email counts when it happens. Days are days in ${timezone}.`}
      plain
      actions={
        <div className={classes['choices']}>
          <SegmentedControl
            size="xs"
            aria-label="Time"
            data={RANGES.map(({ value, label }) => ({ value, label }))}
            value={span.range}
            onChange={(next) => setUrl({ range: next === '7d' ? undefined : next, by: undefined })}
          />
          <SegmentedControl
            size="xs"
            aria-label="Points of the chart"
            data={[
              { value: 'hour', label: 'By hour', disabled: span.range === '90d' },
              { value: 'day', label: 'By day' },
            ]}
            value={span.by}
            onChange={(next) => setUrl({ by: next })}
          />
          <CurlButton call={{ method: 'GET', path: withQuery('/v1/analytics', query) }} />
        </div>
      }
    >
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={320} />}
      {data !== undefined && <Shown data={data} span={span} isFresh={isFresh} />}
    </Section>
  );
}

function Shown({ data, span, isFresh }: { data: Analytics; span: Span; isFresh: boolean }) {
  const points = data.data.map((row) => ({
    at: row.period ?? '',
    label: periodLabel(row.period ?? '', span),
    values: Object.fromEntries(SERIES.map(({ id }) => [id, row[id]])),
  }));
  const isEmpty = SERIES.every(({ id }) => data.totals[id] === 0);
  return (
    <>
      <Totals totals={data.totals} since={data.start} until={data.end} />
      {isEmpty ? (
        <EmptyState
          icon={<ChartNoAxesColumn size={20} />}
          title={isFresh ? 'Nothing was sent yet' : 'Nothing was sent in this time'}
        >
          {isFresh
            ? 'Deliveries, opens, clicks, bounces and complaints appear here a moment after they happen.'
            : 'Choose a longer time to see earlier emails.'}
        </EmptyState>
      ) : (
        <div className={classes['chart']}>
          <Chart
            label={`Emails by ${span.by}`}
            points={points}
            series={SERIES}
            kind="line"
            height={240}
            format={formatCount}
          />
        </div>
      )}
    </>
  );
}

function Totals({ totals, since, until }: { totals: EmailCounts; since: string; until: string }) {
  const href = (counted: string) => withQuery(pb.emails(), { counted, counted_since: since, counted_until: until });
  const share = (part: number, whole: number, of: string) =>
    whole === 0 ? undefined : `${formatPercent(Math.min(part / whole, 1))} of ${of}`;
  const { sent, delivered } = totals;
  const item = (id: (typeof SERIES)[number]['id'], hint: string | undefined, tone?: 'bad' | 'warn') => (
    <Stat
      key={id}
      label={SERIES.find((one) => one.id === id)?.name ?? id}
      value={formatCount(totals[id])}
      hint={hint ?? NO_HINT}
      {...(totals[id] === 0 ? {} : { href: href(id) })}
      {...(tone === undefined ? {} : { tone })}
    />
  );
  return (
    <StatRow>
      {item('sent', totals.failed === 0 ? undefined : `${formatCount(totals.failed)} not sent`)}
      {item('delivered', share(delivered, sent, 'sent'))}
      {item('opened', share(totals.opened, delivered, 'delivered'))}
      {item('clicked', share(totals.clicked, delivered, 'delivered'))}
      {item('bounced', share(totals.bounced, sent, 'sent'), isOver(totals.bounced_permanent, sent, BOUNCE_LIMIT))}
      {item(
        'complained',
        share(totals.complained, delivered, 'delivered'),
        isOver(totals.complained, delivered, COMPLAINT_LIMIT),
      )}
    </StatRow>
  );
}
