import { useQuery } from '@tanstack/react-query';
import { Progress, Skeleton } from '@mantine/core';
import { getRateLimitsOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { ApiKey } from '../../api/generated/types.gen.ts';
import { formatCount } from '../../lib/number.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import classes from './keys.module.css';
import { KeyUses } from './KeyUses.tsx';

const TIERS = [
  { id: 'hourly', label: 'This hour' },
  { id: 'daily', label: 'Today (UTC)' },
  { id: 'monthly', label: 'This month (UTC)' },
] as const;

/** The rest of the limits, and the course of the last days. */
export function KeyUsage({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      <Limits apiKey={apiKey} />
      <KeyUses id={apiKey.id} />
    </>
  );
}

/** How much of each limit is used, read again every ten seconds. */
function Limits({ apiKey }: { apiKey: ApiKey }) {
  const usage = useQuery({ ...getRateLimitsOptions({ path: { apiKeyId: apiKey.id } }), refetchInterval: 10_000 });
  if (usage.data === undefined) {
    return usage.error === null ? (
      <Skeleton height={160} />
    ) : (
      <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
    );
  }
  const { data } = usage;
  return (
    <div className={classes['usage']}>
      {TIERS.map(({ id, label }) => {
        const { limit, remaining, resetAt } = data[id];
        const used = limit === 0 ? 0 : limit - remaining;
        const words = limit === 0 ? 'No limit' : `${formatCount(used)} of ${formatCount(limit)} send requests`;
        return (
          <div key={id}>
            <div style={{ display: 'flex', justifyContent: 'space-between', fontSize: '0.8125rem', marginBottom: 6 }}>
              <b style={{ fontWeight: 500 }}>{label}</b>
              <span>
                {words}
                {limit > 0 && (
                  <>
                    {' · again '}
                    <RelativeTime at={resetAt} />
                  </>
                )}
              </span>
            </div>
            {limit > 0 && (
              <Progress
                value={(used / limit) * 100}
                size="sm"
                color={remaining === 0 ? 'red' : 'accent'}
                aria-label={label}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}
