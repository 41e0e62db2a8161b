import { SegmentedControl, Skeleton } from '@mantine/core';
import { withQuery } from '../../lib/curl.ts';
import type { Course, CourseState } from '../../lib/mail/course-state.ts';
import { counted, formatCount } from '../../lib/number.ts';
import { CurlButton } from '../code/CurlButton.tsx';
import { Chart } from '../data/Chart.tsx';
import { ErrorState } from '../ErrorState.tsx';
import { Section } from '../Section.tsx';
import { courseLabel } from './course-label.ts';
import classes from './results.module.css';

const SERIES = [
  { id: 'opened', name: 'Opened', color: 'var(--ph-dot-info)' },
  { id: 'clicked', name: 'Clicked', color: 'var(--ph-chart-clicked)' },
] as const;

interface Props {
  state: CourseState;
  /** Of the call. */
  path: string;
  /** Whose zone the days and hours are of. */
  zoneOf?: 'newsletter' | 'workspace';
}

/** When people opened and clicked an issue or a broadcast, each of them once: by hour in the first days, and by day. */
export function MailingCourse({
  state: { course, error, query, onGranularity, refetch },
  path,
  zoneOf = 'workspace',
}: Props) {
  return (
    <Section
      title="Opens and clicks over time"
      description={`Each person once, at their first time.${course === undefined ? '' : ` Days and hours are those of ${course.timezone}, the zone of the ${zoneOf}.`}`}
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
            value={course?.granularity ?? 'hour'}
            onChange={onGranularity}
          />
          <CurlButton call={{ method: 'GET', path: withQuery(path, query) }} />
        </>
      }
    >
      {error !== null && course === undefined && <ErrorState error={error} onRetry={refetch} />}
      {course === undefined && error === null && <Skeleton height={240} />}
      {course !== undefined && <Shown course={course} />}
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
