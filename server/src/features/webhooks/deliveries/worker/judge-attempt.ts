import type { AttemptOutcome } from '../../send-attempt.ts';
import type { DueDelivery } from '../queries/due-deliveries.ts';
import type { AttemptRecord } from '../queries/record-attempts.ts';
import { retryDelaySeconds } from './retry-delay.ts';

/** An attempt that was made. */
export interface Made {
  url: string;
  startedAt: Date;
  outcome: AttemptOutcome;
}

/**
 * The consequences of an answer: 2xx is success, anything else fails, and the failure of the last attempt is the end.
 */
export function judgeAttempt(
  delivery: DueDelivery,
  { url, startedAt, outcome }: Made,
  waits: readonly number[],
  random: number,
): AttemptRecord {
  const attempt = delivery.attempt + 1;
  const { status: responseStatus, responseBody, error, retryAfterSeconds } = outcome;
  const succeeded = responseStatus !== null && responseStatus >= 200 && responseStatus <= 299 && error === null;
  const delay = succeeded ? undefined : retryDelaySeconds(attempt, waits, retryAfterSeconds, random);
  return {
    deliveryId: delivery.id,
    attempt,
    status: succeeded ? 'succeeded' : delay === undefined ? 'failed' : 'pending',
    delaySeconds: delay ?? null,
    url,
    responseStatus,
    responseBody: responseStatus === null ? null : responseBody,
    tookMs: Math.round(outcome.tookMs),
    error,
    startedAt,
  };
}

/** The event is not there any more (deleted by age, or with its email): there is nothing to send. */
export const discarded = (delivery: DueDelivery, now: Date): AttemptRecord => ({
  deliveryId: delivery.id,
  attempt: 0,
  status: 'discarded',
  delaySeconds: null,
  url: null,
  responseStatus: null,
  responseBody: null,
  tookMs: null,
  error: 'The event is no longer kept.',
  startedAt: now,
});

/** "Gone": the receiver asks us to stop. */
export const asksToStop = (outcome: AttemptOutcome): boolean => outcome.status === 410;
