import type { Verdict } from '../email-provider.ts';
import type { SmtpFailure, Stage } from './smtp-failure.ts';

type Refusal = Exclude<Verdict, { kind: 'accepted' }>;

// "We send too fast", in the words of Amazon SES, Gmail, Outlook, Yahoo and Postfix. Only in a 4xx reply, and never
// about one mailbox (4.2.x, "mailbox over quota") or one message ("too many recipients"): a throttle answer
// slows everybody down and is no attempt, so a full mailbox must not look like one.
const RATE_WORDS =
  /throttl|rate[ -]?limit|sending rate|(exceed\w*|high|unusual) rate|rate (is )?exceeded|too (many|fast|much)|quota|flood/i;
const ONE_MAILBOX_OR_MESSAGE = /^\d{3}[ -]4\.2\.\d+\b|mailbox|too many recipients/i;
const MAIL_FLOOD = /^\d{3}[ -]4\.7\.28\b/; // RFC 7372 and the IANA registry of enhanced codes
const DAILY_QUOTA = /(daily|24[ -]?h\w*).{0,20}quota|quota.{0,20}(daily|per day)/i;
// Gmail answers an exhausted account with 550 5.4.5, which is about the account and passes with the day.
const ACCOUNT_LIMIT = /(daily|hourly|24[ -]?hour).{0,30}(limit|quota)|sending (limit|quota)/i;
// A daily window moves slowly: asking more often only adds to the refusals.
const DAILY_QUOTA_WAIT_SECONDS = 600;

// 5xx that would meet every message we offer: authentication wanted or broken (RFC 4954), command sequence or
// implementation (500, 502, 503), a host that takes no mail (521, RFC 7504).
const OPERATOR_CODES = new Set([500, 502, 503, 521, 530, 534, 535, 538]);
const OPERATOR_ENHANCED = /^\d{3}[ -]5\.(3\.[0235]|7\.(8|9|11|54|57|60))\b/;
const OPERATOR_WORDS =
  /service (is )?(currently |temporarily )?(not available|unavailable)|no smtp service|relay(ing)? (access )?(is )?(denied|not permitted|not allowed|prohibited)|unable to relay|not (permitted|allowed|authorized) to relay|authentication (is )?required|must (first )?authenticate|sending (is )?(paused|suspended|disabled)|account (is |has been )?(suspended|disabled|paused)|client host.{0,80}(blocked|rejected)/i;
// RFC 5321 §4.5.3.1.10: servers say 552 where 452 is meant.
const TOO_MANY_RECIPIENTS = /^552\b.*too many recipients/i;

/**
 * What a reply that was not the wished one means for the message. Only a 5xx about this message is `refused`: while
 * connecting and authenticating there is no message yet, so everything there is the operator's trouble.
 */
export function judgeReply(stage: Stage, response: string): Refusal {
  const code = replyCode(response);
  if (code === null || code < 400) {
    // No SMTP refusal at all: a login page, a reply out of step. After the whole message it may have been taken.
    if (stage === 'body') return { kind: 'unknown', response };
    return { kind: 'temporary', response, code, throttled: false };
  }
  if (code < 500) {
    const throttled =
      stage !== 'auth' &&
      !ONE_MAILBOX_OR_MESSAGE.test(response) &&
      (MAIL_FLOOD.test(response) || RATE_WORDS.test(response));
    const verdict: Refusal = { kind: 'temporary', response, code, throttled };
    if (throttled && DAILY_QUOTA.test(response)) verdict.retryAfterSeconds = DAILY_QUOTA_WAIT_SECONDS;
    return verdict;
  }
  if (stage !== 'auth' && ACCOUNT_LIMIT.test(response))
    return { kind: 'temporary', response, code, throttled: true, retryAfterSeconds: DAILY_QUOTA_WAIT_SECONDS };
  const aboutThisMessage =
    stage !== 'connect' &&
    stage !== 'auth' &&
    !OPERATOR_CODES.has(code) &&
    !OPERATOR_ENHANCED.test(response) &&
    !OPERATOR_WORDS.test(response) &&
    !TOO_MANY_RECIPIENTS.test(response);
  return aboutThisMessage
    ? { kind: 'refused', response, code }
    : { kind: 'temporary', response, code, throttled: false };
}

/** The meaning of a failed hand-off. */
export function judgeFailure(failure: SmtpFailure): Refusal {
  if (failure.impossible) return { kind: 'refused', response: failure.response, code: null };
  if (failure.refusals.length > 0) return judgeRefusals(failure.refusals);
  if (failure.replied) return judgeReply(failure.stage, failure.response);
  if (failure.allSent) return { kind: 'unknown', response: failure.response };
  return { kind: 'temporary', response: failure.response, code: null, throttled: false };
}

/** No recipient was taken: while one of them may be later, so may the message. */
function judgeRefusals(responses: readonly string[]): Refusal {
  const verdicts = responses.map((response) => judgeReply('rcpt', response));
  const temporary = verdicts.filter((verdict) => verdict.kind === 'temporary');
  const chosen = temporary.find((verdict) => verdict.throttled) ?? temporary[0] ?? verdicts[0];
  return chosen ?? { kind: 'temporary', response: 'no recipient', code: null, throttled: false };
}

/** The three digits of a well-formed reply, or null. */
export function replyCode(response: string): number | null {
  const digits = /^[2-5]\d\d(?=[ -]|$)/.exec(response)?.[0];
  return digits === undefined ? null : Number(digits);
}

/** The queue id by which the server's operator finds the message: Postfix, Exim and Amazon SES name it in the reply. */
export function queueIdOf(response: string): string | null {
  const found = /\bqueued as ([\w.-]{1,128})|\bid=([\w.-]{1,128})|^250 Ok ([\w-]{16,128})$/i.exec(response.trim());
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
}
