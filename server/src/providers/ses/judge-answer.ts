import type { Verdict } from '../email-provider.ts';
import type { HttpAnswer } from './progress.ts';
import { ownEntry } from '#platform/own-entry.ts';

type Temporary = Extract<Verdict, { kind: 'temporary' }>;

/** The meaning of an SES error for the message, by name. */
type Meaning =
  /** About this message: it is never offered again. */
  | 'refused'
  /** Too fast, or the day's quota is used up: nobody's attempt. */
  | 'throttled'
  /** Our credentials were not believed or not allowed: every message would meet it. */
  | 'credentials'
  /** The account or its set-up: every message would meet it. */
  | 'everyone'
  /** About the identity this message is sent from, or about the service: tried again later. */
  | 'later';

/**
 * Errors of SendEmail (page "SendEmail" of the Amazon SES API v2 Reference) and those of every AWS service (page
 * "Common Errors"). An error that is not listed, and is no server error, is retried: a name we do not know is not
 * proof that this message can never pass.
 */
const MEANING_OF: Readonly<Record<string, Meaning>> = {
  // "The message can't be sent because it contains invalid content."
  MessageRejected: 'refused',
  // "The input you provided is invalid."
  BadRequestException: 'refused',
  ValidationException: 'refused',
  ValidationError: 'refused',
  InvalidParameterValue: 'refused',
  RequestEntityTooLargeException: 'refused',

  TooManyRequestsException: 'throttled',
  ThrottlingException: 'throttled',
  Throttling: 'throttled',
  RequestLimitExceeded: 'throttled',
  // "There are too many instances of the specified resource type": for SendEmail, of messages.
  LimitExceededException: 'throttled',

  // "... because the account's ability to send email has been permanently restricted", "... is currently paused".
  AccountSuspendedException: 'everyone',
  SendingPausedException: 'everyone',
  // "The resource you attempted to access doesn't exist": the only resource we name is the configuration set.
  NotFoundException: 'everyone',
  UnknownOperationException: 'everyone',

  // "... because the sending domain isn't verified": one domain of one workspace; others are to go on.
  MailFromDomainNotVerifiedException: 'later',
  // "The request was aborted before a reply was sent", "reading the request timed out".
  RequestAbortedException: 'later',
  RequestTimeoutException: 'later',
  ServiceUnavailable: 'later',
  InternalFailure: 'later',
  InternalServiceErrorException: 'later',

  AccessDenied: 'credentials',
  AccessDeniedException: 'credentials',
  NotAuthorized: 'credentials',
  OptInRequired: 'credentials',
  ExpiredToken: 'credentials',
  ExpiredTokenException: 'credentials',
  IncompleteSignature: 'credentials',
  IncompleteSignatureException: 'credentials',
  InvalidClientTokenId: 'credentials',
  InvalidSignatureException: 'credentials',
  SignatureDoesNotMatch: 'credentials',
  MissingAuthenticationToken: 'credentials',
  MissingAuthenticationTokenException: 'credentials',
  UnrecognizedClientException: 'credentials',
  // The clocks of this machine and of AWS differ by more than five (RequestTimeTooSkewed) or 15 minutes.
  RequestExpired: 'credentials',
  RequestTimeTooSkewed: 'credentials',
};

// Words count at the beginning only: SES repeats what senders wrote (a display name), and nobody may stop everybody's
// mail by what they call themselves.
// Page "Errors related to the sending quotas for your Amazon SES account": these words, whatever the error is called.
const RATE_WORDS = /^maximum sending rate exceeded/i;
const QUOTA_WORDS = /^daily (message|sending) quota exceeded/i;
// The window of 24 hours moves slowly. The page: wait "up to 10 minutes".
const QUOTA_WAIT_SECONDS = 600;
const PAUSED_WORDS =
  /^(email )?sending (is |has been )?(paused|suspended|disabled)|^(the |your )?account (is |has been )?(paused|suspended|disabled)/i;
const NO_CONFIGURATION_SET = /^configuration set .{0,80}(does not exist|doesn't exist|not found)/i;
// "Email address is not verified. The following identities failed the check in region US-EAST-1: a@x.test, b@y.test"
const NOT_VERIFIED =
  /^email address(?:es)? (?:is |are )?not verified\.? .{0,40}identities failed the check in region [a-z0-9-]+: (?<identities>.+)$/is;
const CREDENTIALS_CODE = 403;

/** The meaning of the answer of SES to SendEmail, for a message that is sent from `from` (a bare address). */
export function judgeAnswer(answer: HttpAnswer, from: string): Verdict {
  const body = jsonOf(answer);
  if (answer.status >= 200 && answer.status < 300) {
    const messageId = body?.['MessageId'];
    if (typeof messageId === 'string' && messageId.trim() !== '')
      return { kind: 'accepted', providerMessageId: messageId, response: `${answer.status} ${messageId}` };
    // A login page, a proxy, half an answer: somebody said yes, and we do not know to what.
    return { kind: 'unknown', response: `${answer.status} without a MessageId: ${excerpt(answer)}` };
  }
  const name = errorNameOf(answer, body);
  const words = textOf(body?.['message']) ?? textOf(body?.['Message']) ?? excerpt(answer);
  const response = `${name ?? answer.status}: ${words}`;
  if (QUOTA_WORDS.test(words)) return throttled(response, answer, QUOTA_WAIT_SECONDS);
  if (RATE_WORDS.test(words)) return throttled(response, answer);
  switch (meaningOf(answer.status, name, words, from)) {
    case 'refused':
      return { kind: 'refused', response, code: answer.status };
    case 'throttled':
      return throttled(response, answer, retryAfterOf(answer));
    case 'credentials':
      return temporary(response, CREDENTIALS_CODE);
    case 'everyone':
      return { ...temporary(response, answer.status), everyMessage: true };
    case 'later':
      return temporary(response, answer.status);
    case 'unknown':
      return { kind: 'unknown', response };
  }
}

function meaningOf(status: number, name: string | null, words: string, from: string): Meaning | 'unknown' {
  if (status >= 500) {
    // AWS says of 5xx that the request failed, and its own SDKs send SendEmail again after 500, 502, 503 and 504. So do
    // we when it is AWS that answers; a gateway in between (502, 504 without the name of an error) cannot know.
    return name !== null || status === 503 ? 'later' : 'unknown';
  }
  if (NO_CONFIGURATION_SET.test(words) || PAUSED_WORDS.test(words)) return 'everyone';
  const unverified = NOT_VERIFIED.exec(words)?.groups?.['identities'];
  if (unverified !== undefined) return isSender(from, unverified) ? 'later' : 'refused';
  const known = name === null ? undefined : ownEntry(MEANING_OF, name);
  if (known !== undefined) return known;
  if (status === 401 || status === 403) return 'credentials';
  if (status === 429) return 'throttled';
  // Nobody who speaks for SES: a wrong address of the API meets every message (RFC 9110: 3xx and 404 did nothing).
  return name === null && (status < 400 || status === 404 || status === 405) ? 'everyone' : 'later';
}

/**
 * In the sandbox SES names recipients that are not verified: they never will be of themselves, so the message is
 * refused. When it names who sends, the identity is the operator's to mend.
 */
function isSender(from: string, identities: string): boolean {
  const sender = from.toLowerCase();
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return identities
    .toLowerCase()
    .split(',')
    .map((identity) => bareIdentity(identity.trim()))
    .some((identity) => identity === sender || identity === domain);
}

/** By searching from the end, since names of senders are in it: a pattern takes seconds for a name of brackets. */
const bareIdentity = (identity: string): string =>
  identity.endsWith('>') ? identity.slice(identity.lastIndexOf('<') + 1, -1) : identity;

const temporary = (response: string, code: number | null): Temporary => ({
  kind: 'temporary',
  response,
  code,
  throttled: false,
});

const throttled = (response: string, answer: HttpAnswer, retryAfterSeconds?: number): Temporary => ({
  ...temporary(response, answer.status),
  throttled: true,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});

/** Only whole seconds; AWS sends no dates. */
function retryAfterOf(answer: HttpAnswer): number | undefined {
  const seconds = answer.headers['retry-after'];
  return seconds !== undefined && /^\d{1,5}$/.test(seconds) ? Number(seconds) : undefined;
}

/** As REST-JSON names errors: a header, or `code` or `__type` of the body; "aws.ses#Name:http://…" is "Name". */
function errorNameOf(answer: HttpAnswer, body: Record<string, unknown> | undefined): string | null {
  const given = answer.headers['x-amzn-errortype'] ?? textOf(body?.['code']) ?? textOf(body?.['__type']);
  const name = given?.split(':')[0]?.split('#').at(-1)?.trim();
  return name === undefined || !/^[A-Za-z][\w.-]{0,99}$/.test(name) ? null : name;
}

function jsonOf(answer: HttpAnswer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(answer.body.toString('utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Record<string, unknown>; // just checked: an object that is no list
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const excerpt = (answer: HttpAnswer): string =>
  answer.body.toString('utf8').replace(/\s+/g, ' ').trim().slice(0, 200) || 'an empty answer';
