import { Progress, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getAnalyticsHealthOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { SendingHealth } from '../../api/generated/types.gen.ts';
import { counted, formatPercent } from '../../lib/number.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { BOUNCE_LIMIT, COMPLAINT_LIMIT, ENOUGH } from './limits.ts';
import classes from './overview.module.css';

const STATES: Readonly<Record<SendingHealth['status'], { tone: Tone; label: string }>> = {
  ok: { tone: 'ok', label: 'Good' },
  warning: { tone: 'warn', label: 'Over a limit' },
  paused: { tone: 'bad', label: 'Providers pause accounts here' },
};

/** The two rates of the last seven days that providers judge a sender by. */
export function SendingHealthSection() {
  const { data, error, refetch } = useQuery(getAnalyticsHealthOptions());
  return (
    <Section
      title="Health"
      description="Providers judge a sender by two rates. These are of the last seven days."
      actions={data && <State health={data} />}
    >
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={56} />}
      {data !== undefined && (
        <>
          <div className={classes['rates']}>
            <Rate label="Permanent bounces" rate={data.bounce_rate} limit={BOUNCE_LIMIT} counts={data.sent >= ENOUGH} />
            <Rate label="Complaints" rate={data.complaint_rate} limit={COMPLAINT_LIMIT} counts={data.sent >= ENOUGH} />
          </div>
          {data.sent < ENOUGH && (
            <p className={classes['note']}>
              {counted(data.sent, 'email was', 'emails were')} sent. The rates count from {ENOUGH} emails.
            </p>
          )}
          {data.reasons.map((reason) => (
            <div key={reason} style={{ marginTop: 12 }}>
              <Notice tone={STATES[data.status].tone}>{reason}</Notice>
            </div>
          ))}
        </>
      )}
    </Section>
  );
}

/** Nothing is good yet where too little was sent to tell. */
function State({ health: { status, sent } }: { health: SendingHealth }) {
  if (status === 'ok' && sent < ENOUGH) return <StatusBadge tone="quiet">Too few emails to tell</StatusBadge>;
  return <StatusBadge tone={STATES[status].tone}>{STATES[status].label}</StatusBadge>;
}

function Rate({ label, rate, limit, counts }: { label: string; rate: number; limit: number; counts: boolean }) {
  const words = `${formatPercent(rate)}, limit ${formatPercent(limit)}`;
  const over = rate > 2 * limit ? 'red' : rate > limit ? 'yellow' : 'accent';
  const color = counts ? over : 'gray';
  return (
    <div>
      <div className={classes['rate']}>
        <b>{label}</b>
        <span>{words}</span>
      </div>
      <Progress.Root size="sm">
        <Progress.Section
          value={Math.min((rate / (2 * limit)) * 100, 100)}
          color={color}
          aria-label={label}
          aria-valuetext={words}
        />
      </Progress.Root>
    </div>
  );
}
