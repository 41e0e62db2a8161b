import { SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getIssueCourseOptions } from '../../../../api/generated/@tanstack/react-query.gen.ts';
import type { IssueCourse as Course } from '../../../../api/generated/types.gen.ts';
import { withQuery } from '../../../../lib/curl.ts';
import { counted, formatCount } from '../../../../lib/number.ts';
import { useUrlState } from '../../../../lib/use-url-state.ts';
import { CurlButton } from '../../../../ui/code/CurlButton.tsx';
import { Chart } from '../../../../ui/data/Chart.tsx';
import { ErrorState } from '../../../../ui/ErrorState.tsx';
import { Section } from '../../../../ui/Section.tsx';
import { courseLabel } from './course-label.ts';
import classes from '../issues.module.css';
import type { IssueIds } from '../SendIssue.tsx';

const SERIES = [
  { id: 'opened', name: 'Opened', color: 'var(--ph-dot-info)' },
  { id: 'clicked', name: 'Clicked', color: 'var(--ph-chart-clicked)' },
] as const;
const REFRESH_MS = 30_000;

/** When people opened and clicked an issue, each of them once: by hour in the first days, and by day. */
export function IssueCourse({ path }: { path: IssueIds }) {
  const [{ by }, setUrl] = useUrlState(['by']);
  // The API chooses by the age of the issue.
  const granularity: Course['granularity'] | undefined = by === 'hour' || by === 'day' ? by : undefined;
  const query = granularity === undefined ? {} : { granularity };
  const { data, error, refetch } = useQuery({
    ...getIssueCourseOptions({ path, query }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const call = withQuery(`/v1/newsletters/${path.id}/issues/${path.issueId}/course`, query);
  return (
    <Section
      title="Opens and clicks over time"
      description={`Each person once, at their first time.${data === undefined ? '' : ` Times are of ${data.timezone}.`}`}
      plain
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Points of the chart"
            data={[
              { value: 'hour', label: '72 hours' },
              { value: 'day', label: '90 days' },
            ]}
            value={data?.granularity ?? 'hour'}
            onChange={(next) => setUrl({ by: next })}
          />
          <CurlButton call={{ method: 'GET', path: call }} />
        </>
      }
    >
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={240} />}
      {data !== undefined && <Shown course={data} />}
    </Section>
  );
}

function Shown({ course: { totals, data, uncounted, granularity } }: { course: Course }) {
  const points = data.map(({ period, opened, clicked }) => ({
    at: period,
    label: courseLabel(period),
    values: { opened, clicked },
  }));
  const all = (one: { opened: number; clicked: number }) => one.opened + one.clicked;
  const most = data.reduce((best, one) => (all(one) > all(best) ? one : best), { period: '', opened: 0, clicked: 0 });
  return (
    <>
      <p className={classes['courseNote']}>
        {all(most) === 0
          ? 'Nobody has opened it or clicked in this time.'
          : `The ${granularity} with most was ${courseLabel(most.period)}: ${counted(most.opened, 'open')} and ${counted(most.clicked, 'click')}.`}
      </p>
      {all(totals) > 0 && (
        <Chart
          label={`People who opened and clicked by ${granularity}`}
          points={points}
          series={SERIES}
          kind="bar"
          format={formatCount}
        />
      )}
      {uncounted > 0 && (
        <p className={classes['courseNote']}>
          {counted(uncounted, 'open is', 'opens are')} not in the chart: Posthorn did not count by time then.
        </p>
      )}
    </>
  );
}
