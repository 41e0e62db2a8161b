import { identityTold } from '../identity-told.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';

/** The meaning of a bounce for the person it was addressed to. */
export type BounceKind =
  /** The address is no good: never again. */
  | 'hard'
  /** Not now. Repeated, it means that nobody is there. */
  | 'soft'
  /** It was about the message, or about us, or it is no failure: nothing about the person. */
  | 'other';

/** The message was refused, not the person. */
const ABOUT_THE_MESSAGE = new Set(['MessageTooLarge', 'ContentRejected', 'AttachmentRejected']);
const AUTOMATIC_REPLY = new Set(['AutoReply', 'AutoResponder', 'OutOfOffice', 'OOTO']);
/** The provider's statement about the address itself, whatever the status beside it. */
const ABOUT_THE_ADDRESS = new Set(['NoEmail', 'Suppressed', 'OnAccountSuppressionList', 'UnsubscribedRecipient']);
/** RFC 3464 §2.3.3: the actions that are no failure. */
const NO_FAILURE = new Set(['delivered', 'relayed', 'expanded', 'delayed']);
const POLICY_WORDS =
  /\b(spam|blocked|block ?list(?:ed)?|black ?list(?:ed)?|spamhaus|dnsbl|rbl|reputation|policy|dmarc|not authorized to send)\b/i;

/**
 * What the bounce of an event says about its recipient. A refusal by policy (status x.7.x, or without a status the
 * words of it) is about us and never about the person, whether it is called permanent or not. A bounce that nobody
 * could make sense of (Undetermined) counts as one for the time being.
 */
export function bounceKindOf(event: ProviderEvent): BounceKind {
  if (event.type !== 'bounce') return 'other';
  const bounce = objectIn(event.payload, 'bounce');
  const subType = textIn(bounce, 'bounceSubType');
  if (ABOUT_THE_MESSAGE.has(subType) || AUTOMATIC_REPLY.has(subType)) return 'other';
  const recipient = entryOf(bounce, event.recipient);
  if (NO_FAILURE.has(textIn(recipient, 'action').toLowerCase())) return 'other';
  const type = textIn(bounce, 'bounceType');
  if (type === 'Permanent') return ABOUT_THE_ADDRESS.has(subType) || !isByPolicy(recipient) ? 'hard' : 'other';
  if (type !== 'Transient' && type !== 'Undetermined') return 'other';
  return isByPolicy(recipient) ? 'other' : 'soft';
}

/** The provider has given up, for whatever reason: what counts against a send. */
export const isPermanentBounce = (event: ProviderEvent): boolean =>
  event.type === 'bounce' && textIn(objectIn(event.payload, 'bounce'), 'bounceType') === 'Permanent';

/** The status speaks first; its text only where there is none (RFC 3463: x.7.x is security or policy). */
function isByPolicy(recipient: object): boolean {
  const status = /^\s*[245]\.(\d{1,3})\.\d{1,3}/.exec(textIn(recipient, 'status'));
  if (status !== null) return status[1] === '7';
  const said = textIn(recipient, 'diagnosticCode');
  const inText = /\b[45]\.(\d{1,3})\.\d{1,3}\b/.exec(said);
  return inText === null ? POLICY_WORDS.test(said) : inText[1] === '7';
}

/** The entry of this recipient; the only one when its address was written in another way. */
function entryOf(bounce: object, recipient: string): object {
  const listed = 'bouncedRecipients' in bounce ? bounce.bouncedRecipients : [];
  const entries = Array.isArray(listed)
    ? listed.filter((one): one is object => typeof one === 'object' && one !== null)
    : [];
  const wanted = identityTold(recipient);
  return entries.find((one) => identityTold(textIn(one, 'emailAddress')) === wanted) ?? entries[0] ?? {};
}

const objectIn = (holder: object, name: string): object => {
  const value: unknown = Reflect.get(holder, name);
  return typeof value === 'object' && value !== null ? value : {};
};

const textIn = (holder: object, name: string): string => {
  const value: unknown = Reflect.get(holder, name);
  return typeof value === 'string' ? value : '';
};
