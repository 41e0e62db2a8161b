import { type BounceCause, judgeBounce } from '#mail/returned/bounce-judgement.ts';
import { identityTold } from '../identity-told.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';
import { ownEntry } from '#platform/own-entry.ts';

/** The meaning of a bounce for the person it was addressed to. */
export type BounceKind =
  /** The address is no good: never again. */
  | 'hard'
  /** Not now. Repeated, it means that nobody is there. */
  | 'soft'
  /** Refused for reasons that are ours: reputation, authentication, rate, content. */
  | 'policy'
  /** It was about the size of the message, or nobody can tell, or it is no failure: nothing about the person. */
  | 'other';

const KIND_OF_CAUSE: Readonly<Record<BounceCause, BounceKind>> = {
  address: 'hard',
  full: 'soft',
  later: 'soft',
  too_large: 'other',
  content: 'policy',
  attachment: 'policy',
  sender: 'policy',
  sender_later: 'policy',
  unclear: 'other',
};
const KIND_OF_SUB_TYPE: Readonly<Record<string, BounceKind>> = {
  // The message was refused, not the person.
  MessageTooLarge: 'other',
  ContentRejected: 'policy',
  AttachmentRejected: 'policy',
  AutoReply: 'other',
  AutoResponder: 'other',
  OutOfOffice: 'other',
  OOTO: 'other',
  MailboxFull: 'soft',
};
/** The provider's statement about the address itself, whatever the status beside it. */
const ABOUT_THE_ADDRESS = new Set(['NoEmail', 'Suppressed', 'OnAccountSuppressionList', 'UnsubscribedRecipient']);
/** RFC 3464 §2.3.3: the actions that are no failure. */
const NO_FAILURE = new Set(['delivered', 'relayed', 'expanded', 'delayed']);

/**
 * The kind of a bounce, for the recipient of its event. The type that it was given is believed only as far as the words
 * of the receiving server allow: a provider calls "550 5.1.1 too many recipients this hour" permanent too. A bounce
 * that nobody could make sense of (Undetermined) says nothing about anybody.
 */
export function bounceKindOf(event: ProviderEvent): BounceKind {
  if (event.type !== 'bounce') return 'other';
  const bounce = objectIn(event.payload, 'bounce');
  const subType = textIn(bounce, 'bounceSubType');
  const recipient = entryOf(bounce, event.recipient);
  if (NO_FAILURE.has(textIn(recipient, 'action').toLowerCase())) return 'other';
  const type = textIn(bounce, 'bounceType');
  if (type === 'Permanent' && ABOUT_THE_ADDRESS.has(subType)) return 'hard';
  const bySubType = ownEntry(KIND_OF_SUB_TYPE, subType);
  if (bySubType !== undefined) return bySubType;
  const { cause } = judgeBounce(
    textIn(recipient, 'status').trim() || null,
    textIn(recipient, 'diagnosticCode') || null,
  );
  const kind = KIND_OF_CAUSE[cause];
  if (type === 'Permanent') return cause === 'unclear' ? 'hard' : kind;
  if (type === 'Transient') return kind === 'policy' || cause === 'too_large' ? kind : 'soft';
  // A bounce that is not known to be temporary counts against nobody.
  return type === 'Undetermined' && kind === 'policy' ? 'policy' : 'other';
}

/** The answer of the receiving server to this recipient; '' when it is not known. */
export const bounceWordsOf = (event: ProviderEvent): string =>
  textIn(entryOf(objectIn(event.payload, 'bounce'), event.recipient), 'diagnosticCode');

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
