import type { SafeAnswer, SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { printable } from './printable.ts';
import { signatureHeaders } from './signature.ts';

/** A receiver has this long for everything (name, connection, TLS, answer), unless the operator gives it less. */
export const ATTEMPT_SECONDS = 10;
/** The part of an answer that is read, so that the connection is over; the rest is cut off. */
const ANSWER_READ_BYTES_MAX = 64 * 1024;
/** The part of it that is kept. */
const ANSWER_KEPT_BYTES_MAX = 4 * 1024;

export interface Attempt {
  safeFetch: SafeFetch;
  webhookId: string;
  url: string;
  /** New first. */
  secrets: readonly string[];
  body: string;
  eventId: string;
  eventType: string;
  deliveryId: string;
  /** From 1. */
  attempt: number;
  now: Date;
  signal?: AbortSignal;
  timeoutMs?: number;
}

export interface AttemptOutcome {
  /** Only 200 to 299 is success; null when no answer came. */
  status: number | null;
  /** The words beside the status; empty when no answer came. */
  statusText: string;
  /** At most 4 KB, control characters escaped. */
  responseBody: string;
  tookMs: number;
  /** Why it is no success, in words that anybody may read; null for one. */
  error: string | null;
  /** The wait that a 429 or 503 asked for, as it was asked: whoever retries sets the limit. Null: nothing readable. */
  retryAfterSeconds: number | null;
  /** Not sent: the address is not one that we may reach. */
  blocked: boolean;
}

/** One signed POST of one event. It never rejects; a redirect is a failure and is not followed. */
export async function sendAttempt(attempt: Attempt): Promise<AttemptOutcome> {
  const { safeFetch, url, body, now, signal, timeoutMs } = attempt;
  const answer = await safeFetch.request(url, {
    method: 'POST',
    headers: signatureHeaders({ ...attempt, timestampSeconds: Math.floor(now.getTime() / 1_000) }),
    body,
    onBehalfOf: attempt.webhookId,
    timeoutMs: timeoutMs ?? ATTEMPT_SECONDS * 1_000,
    bodyBytesMax: ANSWER_READ_BYTES_MAX,
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.kind !== 'answered') {
    const { reason: error, tookMs } = answer;
    const blocked = answer.kind === 'blocked';
    return { status: null, statusText: '', responseBody: '', tookMs, error, retryAfterSeconds: null, blocked };
  }
  return {
    status: answer.status,
    statusText: answer.statusText,
    responseBody: printable(answer.body, ANSWER_KEPT_BYTES_MAX),
    tookMs: answer.tookMs,
    error: errorOf(answer.status),
    retryAfterSeconds: retryAfterOf(answer, now),
    blocked: false,
  };
}

function errorOf(status: number): string | null {
  if (status >= 200 && status <= 299) return null;
  if (status >= 300 && status <= 399) {
    return `The receiver answered ${status}, and redirects are not followed: give the endpoint its final address.`;
  }
  return `The receiver answered ${status}; only 200 to 299 is success.`;
}

/** Retry-After (RFC 9110 §10.2.3): seconds or a date. */
function retryAfterOf(answer: SafeAnswer & { kind: 'answered' }, now: Date): number | null {
  if (answer.status !== 429 && answer.status !== 503) return null;
  const given = answer.headers['retry-after'];
  if (typeof given !== 'string') return null;
  if (/^[0-9]{1,9}$/.test(given)) return Number(given);
  // Only the fixed form of RFC 9110: Date.parse alone takes nearly anything.
  const at = /^[A-Z][a-z]{2}, .* GMT$/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}
