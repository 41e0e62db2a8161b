import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getApiKeyUsesOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { counted, formatCount } from '../../lib/number.ts';
import { once } from '../../lib/once.ts';
import { Chart } from '../../ui/data/Chart.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Section } from '../../ui/Section.tsx';
import classes from './keys.module.css';

const SERIES = [{ id: 'requests', name: 'Requests', color: 'var(--ph-dot-info)' }] as const;
const REFRESH_MS = 30_000;
const dayWords = once(() => new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' }));

/** How often a key was used on each of the last 30 days. */
export function KeyUses({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    ...getApiKeyUsesOptions({ path: { id } }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Section title="Requests by day" description="The last 30 days, in UTC. Refused requests are counted, too." plain>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={240} />}
      {data !== undefined && (
        <>
          <p className={classes['uses']}>
            {data.total === 0
              ? 'The key was not used in these days.'
              : `${counted(data.total, 'request')} in 30 days, ${formatCount(data.data.at(-1)?.requests ?? 0)} of them today.`}
          </p>
          {data.total > 0 && (
            <Chart
              label="Requests by day"
              points={data.data.map(({ date, requests }) => ({
                at: date,
                label: dayWords().format(new Date(`${date}T12:00:00Z`)),
                values: { requests },
              }))}
              series={SERIES}
              kind="bar"
              format={formatCount}
            />
          )}
        </>
      )}
    </Section>
  );
}
