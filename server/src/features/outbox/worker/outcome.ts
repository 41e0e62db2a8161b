import type { Answer } from '#providers/email-provider.ts';
import { backoffSeconds, TRIED_FOR_SECONDS } from './backoff.ts';
import type { ClaimedEmail } from './queries/claim-emails.ts';
import type { Outcome } from './queries/settle-emails.ts';

const RESPONSE_CHARS_MAX = 1_000;
const THROTTLED_RETRY_SECONDS = 1;
// The daily quota comes back little by little (a window of 24 hours that moves): look every ten minutes.
const QUOTA_PAUSE_SECONDS = 600;
const OPERATOR_PAUSE_SECONDS = 60;
const MAKING_TRIES = 3;
// RFC 4954 §6 and HTTP: who we are was refused, whatever the message.
const CREDENTIALS_CODES = new Set([401, 403, 530, 534, 535, 538]);

/** The meaning of an answer for the pace of all mail, besides its meaning for the email. */
export type PaceEffect =
  | { kind: 'stretch'; seconds: number | null }
  | { kind: 'pause'; seconds: number; reason: string };

/** Fit for a text column and a person: no control characters, no half surrogate pairs, not endless. */
const readable = (response: string): string =>
  response
    .slice(0, RESPONSE_CHARS_MAX)
    .toWellFormed()
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, ' ');

// SES gives 60 characters, mail servers 10 to 40. A longer one, or one with control characters, finds no event again.
const ID_CHARS_MAX = 255;

const idOf = (given: string | null): string | null =>
  given === null || given.length > ID_CHARS_MAX || /[\x00-\x1f\x7f]/.test(given) || !given.isWellFormed()
    ? null
    : given;

type Head = Pick<Outcome, 'workspaceId' | 'emailId' | 'leaseToken' | 'tookSeconds'>;

const headOf = (email: ClaimedEmail, tookSeconds: number): Head => ({
  workspaceId: email.workspaceId,
  emailId: email.id,
  leaseToken: email.leaseToken,
  tookSeconds,
});

const PLAIN = {
  counted: true,
  providerMessageId: null,
  error: null,
  delaySeconds: null,
  record: null,
  response: null,
  rejects: [],
};

/** Back to the queue at its old turn, as if it had never been claimed. */
export const givenBack = (email: ClaimedEmail): Outcome => ({
  ...headOf(email, 0),
  ...PLAIN,
  status: 'queued',
  counted: false,
});

/** Never handed over, and never will be: what we would send breaks the rules of mail. */
export const refusedByUs = (email: ClaimedEmail, reason: string): Outcome => ({
  ...failed(email, readable(reason), 0, 'Bad content'),
  counted: false,
});

/**
 * Our own code could not make the message: tried three times, since a fault that is in the message comes back each
 * time, and then it is set aside so that nothing else waits for it.
 */
export function notReady(email: ClaimedEmail, error: unknown, random: number): Outcome {
  const reason = readable(`could not be composed: ${error instanceof Error ? error.message : String(error)}`);
  if (email.attempts + 1 >= MAKING_TRIES) return failed(email, `poison: ${reason}`, 0, 'Bad content');
  const delaySeconds = backoffSeconds(email.attempts + 1, random);
  return {
    ...headOf(email, 0),
    ...PLAIN,
    status: 'deferred',
    error: reason,
    record: 'temporary',
    response: reason,
    delaySeconds,
  };
}

/** `kind` is one of the words for the reason of a reject event; `reason` is what was said. */
function failed(
  email: ClaimedEmail,
  reason: string,
  tookSeconds: number,
  kind: 'provider' | 'Bad content' = 'provider',
): Outcome {
  const rejects = addressesOf(email).map((recipient) => ({ recipient, reason: kind, message: reason }));
  return {
    ...headOf(email, tookSeconds),
    ...PLAIN,
    status: 'failed',
    error: reason,
    record: 'refused',
    response: reason,
    rejects,
  };
}

/** The meaning of the provider's answer for the email. `random` in [0, 1) spreads retries. */
export function outcomeOf(email: ClaimedEmail, verdict: Answer, tookSeconds: number, random: number): Outcome {
  const response = readable(verdict.response);
  const head = { ...headOf(email, tookSeconds), ...PLAIN, response };
  switch (verdict.kind) {
    case 'accepted': {
      const refused = (verdict.refusedRecipients ?? []).map((one) => ({
        recipient: readable(one.address).toLowerCase(),
        reason: 'provider',
        message: readable(one.response),
      }));
      const leftOut = (email.leftOut ?? []).map((recipient) => ({
        recipient,
        reason: 'suppressed',
        message: null,
      }));
      return {
        ...head,
        status: 'sent',
        providerMessageId: idOf(verdict.providerMessageId),
        rejects: [...refused, ...leftOut],
      };
    }
    case 'refused':
      return failed(email, response, tookSeconds);
    case 'unknown':
      return { ...head, status: 'unconfirmed', error: response, record: 'unconfirmed' };
    case 'temporary':
      return deferred(email, verdict, head, random);
  }
}

function deferred(
  email: ClaimedEmail,
  verdict: Answer & { kind: 'temporary' },
  head: Omit<Outcome, 'status'>,
  random: number,
): Outcome {
  if (paceEffectOf(verdict) !== undefined) {
    // Not this email's fault: the attempt is not counted, and the pause of the pace is its wait.
    const delaySeconds = Math.min(QUOTA_PAUSE_SECONDS, verdict.retryAfterSeconds ?? THROTTLED_RETRY_SECONDS);
    return { ...head, status: 'deferred', counted: false, error: head.response, record: 'throttled', delaySeconds };
  }
  const left = TRIED_FOR_SECONDS - (email.secondsSinceFirstAttempt ?? 0);
  if (left <= 0)
    return { ...failed(email, head.response ?? 'temporary failure', head.tookSeconds), record: 'temporary' };
  const wanted = Math.max(verdict.retryAfterSeconds ?? 0, backoffSeconds(email.attempts + 1, random));
  return {
    ...head,
    status: 'deferred',
    error: head.response,
    record: 'temporary',
    delaySeconds: Math.min(wanted, left),
  };
}

export function paceEffectOf(verdict: Answer): PaceEffect | undefined {
  if (verdict.kind !== 'temporary') return undefined;
  if (verdict.code !== null && CREDENTIALS_CODES.has(verdict.code)) {
    return { kind: 'pause', seconds: OPERATOR_PAUSE_SECONDS, reason: `credentials: ${readable(verdict.response)}` };
  }
  if (verdict.everyMessage === true) {
    return { kind: 'pause', seconds: OPERATOR_PAUSE_SECONDS, reason: `account: ${readable(verdict.response)}` };
  }
  if (!verdict.throttled) return undefined;
  if (/quota|daily/i.test(verdict.response)) {
    const seconds = Math.min(QUOTA_PAUSE_SECONDS, verdict.retryAfterSeconds ?? QUOTA_PAUSE_SECONDS);
    return { kind: 'pause', seconds, reason: `quota: ${readable(verdict.response)}` };
  }
  const named = verdict.retryAfterSeconds;
  return { kind: 'stretch', seconds: named === undefined ? null : Math.min(QUOTA_PAUSE_SECONDS, named) };
}

/** The identities that would have got the message. */
function addressesOf(email: ClaimedEmail): string[] {
  if (email.grouped === null) return [email.recipient];
  const leftOut = new Set(email.leftOut ?? []);
  const { to, cc, bcc } = email.grouped;
  return [...to, ...cc, ...bcc].map((one) => one.address.toLowerCase()).filter((identity) => !leftOut.has(identity));
}
