import { Skeleton } from '@mantine/core';
import type { BroadcastAudience } from '../../../api/generated/types.gen.ts';
import { formatCount } from '../../../lib/number.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import classes from '../broadcasts.module.css';
import { useAudienceCount } from '../sending/use-audience-count.ts';
import { hasAudience } from './draft.ts';

interface Props {
  id: string;
  /** Another value counts again. */
  version: unknown;
  audience: BroadcastAudience;
  /** The parts that are missing, as sentences. */
  lacks: readonly string[];
}

/** Exactly how many people would get it now, who is left out and why, and the parts that are missing. */
export function AudienceCount({ id, version, audience, lacks }: Props) {
  const isAsked = hasAudience(audience);
  const { data, error, refetch, isPlaceholderData } = useAudienceCount(id, version, isAsked);
  return (
    <div className={classes['count']} aria-live="polite">
      {isAsked && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isAsked && data === undefined && error === null && <Skeleton height={72} />}
      {isAsked && data !== undefined && (
        <div data-stale={isPlaceholderData || undefined}>
          <p className={classes['will']}>
            <strong>{formatCount(data.will_send)}</strong> {data.will_send === 1 ? 'person' : 'people'} would get it now
          </p>
          <dl className={classes['left-out']}>
            <dt>In the audience</dt>
            <dd>
              {data.is_estimate && 'at least '}
              {formatCount(data.total)}
            </dd>
            <dt>Left out, unsubscribed</dt>
            <dd>{formatCount(data.unsubscribed)}</dd>
            <dt>Left out, suppressed</dt>
            <dd>{formatCount(data.suppressed)}</dd>
          </dl>
        </div>
      )}
      {lacks.length > 0 && (
        <div className={classes['lacks']}>
          <p>Before it can be sent</p>
          <ul>
            {lacks.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
