import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  getAnalyticsOptions,
  listBroadcastsOptions,
  listTemplatesOptions,
} from '../../api/generated/@tanstack/react-query.gen.ts';
import type { Analytics, AnalyticsRow } from '../../api/generated/types.gen.ts';
import { withQuery } from '../../lib/curl.ts';
import { formatCount } from '../../lib/number.ts';
import { pb } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { CurlButton } from '../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Section } from '../../ui/Section.tsx';
import { type Breakdown, BREAKDOWNS, medianOf, nameOf, readBreakdown, rowsOf } from './breakdown.ts';
import classes from './overview.module.css';
import { readSpan } from './span.ts';

const COLUMNS = [
  { id: 'sent', name: 'Sent' },
  { id: 'delivered', name: 'Delivered' },
  { id: 'opened', name: 'Opened' },
  { id: 'clicked', name: 'Clicked' },
  { id: 'bounced', name: 'Bounced' },
  { id: 'complained', name: 'Complained' },
  { id: 'deferred', name: 'Delayed' },
] as const;

/** The counts of the time that the page shows, by provider of mailboxes, source, template, broadcast or tag. */
export function BreakdownSection({ timezone }: { timezone: string }) {
  const [{ range, of }, setUrl] = useUrlState(['range', 'of']);
  const chosen = readBreakdown(of);
  const { start } = readSpan(range, undefined, timezone, useNow());
  const query = { start, dimensions: chosen.value };
  const { data, error, refetch } = useQuery({ ...getAnalyticsOptions({ query }), placeholderData: keepPreviousData });
  return (
    <Section
      title="Emails by kind"
      plain
      actions={
        <div className={classes['choices']}>
          <SegmentedControl
            size="xs"
            aria-label="By"
            data={BREAKDOWNS.map(({ value, label }) => ({ value, label }))}
            value={chosen.value}
            onChange={(next) => setUrl({ of: next === BREAKDOWNS[0].value ? undefined : next })}
          />
          <CurlButton call={{ method: 'GET', path: withQuery('/v1/analytics', query) }} />
        </div>
      }
    >
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={160} />}
      {data !== undefined && <Rows data={data} chosen={chosen} />}
    </Section>
  );
}

function Rows({ data, chosen }: { data: Analytics; chosen: Breakdown }) {
  const names = useNames(chosen);
  const rows = rowsOf(data.data);
  if (rows.length === 0) return <p className={classes['note']}>Nothing was sent in this time.</p>;
  const isByProvider = chosen.value === 'mailbox_provider';
  return (
    <div className={classes['scroll']}>
      <table className={classes['kinds']} aria-label={`Emails by ${chosen.label.toLowerCase()}`}>
        <thead>
          <tr>
            <th scope="col">{chosen.label}</th>
            {COLUMNS.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
            {isByProvider && <th scope="col">Median to delivery</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[chosen.filter] ?? ''}>
              <th scope="row">{nameOf(chosen, row, names)}</th>
              {COLUMNS.map(({ id }) => (
                <td key={id}>
                  <Count data={data} row={row} chosen={chosen} id={id} />
                </td>
              ))}
              {isByProvider && <td>{medianOf(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CountProps {
  data: Analytics;
  row: AnalyticsRow;
  chosen: Breakdown;
  id: (typeof COLUMNS)[number]['id'];
}

/** A number that leads to its emails. */
function Count({ data, row, chosen, id }: CountProps) {
  const value = row[chosen.filter];
  if (row[id] === 0 || value === null || value === undefined) return formatCount(row[id]);
  const span = { counted: id, counted_since: data.start, counted_until: data.end };
  return <a href={withQuery(pb.emails(), { ...span, [chosen.filter]: value })}>{formatCount(row[id])}</a>;
}

/** The newest hundred; an older record is shown by its id. */
function useNames({ value }: Breakdown): ReadonlyMap<string, string> {
  const query = { limit: '100' };
  const templates = useQuery({ ...listTemplatesOptions({ query }), enabled: value === 'template' });
  const broadcasts = useQuery({ ...listBroadcastsOptions({ query }), enabled: value === 'broadcast' });
  const found = value === 'template' ? templates.data?.data : broadcasts.data?.data;
  return new Map((found ?? []).map(({ id, name }) => [id, name]));
}
