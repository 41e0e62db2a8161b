/**
 * The verdict on the address, in the words of Amazon SES. `Permanent` ends mail to a person, so the words of
 * the receiving server are heard before its status (RFC 3463): servers put 5.1.1 beside "your IP is blacklisted". Only
 * where the words say nothing of us, of the message or of the hour is the status believed, and only if no other stands
 * beside it. `wordings/` has what servers say, with what each is.
 */
import { type BounceCause, causeInWords } from './bounce-words.ts';
import { ownEntry } from '#platform/own-entry.ts';

export type { BounceCause } from './bounce-words.ts';

export interface BounceJudgement {
  bounceType: 'Permanent' | 'Transient' | 'Undetermined';
  bounceSubType:
    | 'General'
    | 'MailboxFull'
    | 'MessageTooLarge'
    | 'ContentRejected'
    | 'AttachmentRejected'
    | 'Undetermined';
  cause: BounceCause;
}

const IN_WORDS_OF_SES: Readonly<Record<BounceCause, Omit<BounceJudgement, 'cause'>>> = {
  address: { bounceType: 'Permanent', bounceSubType: 'General' },
  later: { bounceType: 'Transient', bounceSubType: 'General' },
  // Also when the server says 5.2.2: people empty their mailboxes, and one whom nobody empties is found by repetition.
  full: { bounceType: 'Transient', bounceSubType: 'MailboxFull' },
  too_large: { bounceType: 'Transient', bounceSubType: 'MessageTooLarge' },
  content: { bounceType: 'Transient', bounceSubType: 'ContentRejected' },
  attachment: { bounceType: 'Transient', bounceSubType: 'AttachmentRejected' },
  sender: { bounceType: 'Undetermined', bounceSubType: 'Undetermined' },
  sender_later: { bounceType: 'Transient', bounceSubType: 'General' },
  unclear: { bounceType: 'Undetermined', bounceSubType: 'Undetermined' },
};

/**
 * Details of a status that mean one thing wherever they come from; classes 4 and 5 have them in common. The generic
 * ones (x.0.0, x.1.0, x.2.0, x.2.1, x.3.0, x.3.5, x.5.0) are used for everything, and say nothing.
 */
const BY_DETAIL: Readonly<Record<string, BounceCause>> = {
  '1.1': 'address',
  '1.2': 'address',
  '1.3': 'address',
  '1.6': 'address',
  // About the sender's address or system, not the recipient's.
  '1.7': 'sender',
  '1.8': 'sender',
  '1.9': 'sender',
  // The domain says that it takes no mail (RFC 7505).
  '1.10': 'address',
  // Exchange Online: the daily limit of the sender.
  '1.90': 'sender',
  '2.2': 'full',
  '2.3': 'too_large',
  '2.4': 'later',
  '3.1': 'later',
  '3.2': 'later',
  '3.4': 'too_large',
  '4.1': 'later',
  '4.2': 'later',
  '4.3': 'later',
  '4.4': 'address',
  '4.5': 'later',
  '4.6': 'later',
  '4.7': 'later',
  '4.8': 'later',
  // Exchange Online: the domain does not exist.
  '4.310': 'address',
  // The protocol: what we said was not understood.
  '5.1': 'sender',
  '5.2': 'sender',
  '5.3': 'sender',
  '5.4': 'sender',
};

// Servers use these for nothing else: a text that we do not understand does not matter beside them.
const CERTAIN = new Set(['1.1', '1.3', '1.6', '1.10', '4.310']);

// Exchange Online, and nobody else: a recipient that its directory does not have.
const UNKNOWN_AT_THE_EDGE = /5\.4\.1 .{0,340}recipient address(?:es)? rejected ?: access denied/i;
// Under a status of policy only the plainest words are about the person: Yandex says "550 5.7.1 No such user!".
const PLAINLY_GONE =
  /no such user\b(?! (?:is|policy))|(?:user|recipient|mail[ -]?box) (?:unknown|not found|not available|does(?: not|n['’]t) exist)|unknown (?:user|recipient)|no mailbox here by that name|recipient address rejected: .{0,40}(?:as invalid|not in recipient list|inactive mail ?box)/i;

const STATUS = /^([245])\.(\d{1,3})\.(\d{1,3})$/;
// After an SMTP code, a # or a bracket, after "said:", or at the beginning: elsewhere such digits are versions and IPs.
const STATUSES_IN_TEXT =
  /(?:\b[45]\d\d[ -]|[#([]|[;>:]|^|\b[45]\.\d{1,3}\.\d{1,3} )\s{0,3}([45])\.(\d{1,3})\.(\d{1,3})(?!\d|\.\d)/g;
const CODE_IN_TEXT = /(?:^|[\s;:(<"'])([45])\d\d(?=[ \-#:])/;
// Of an answer of several lines: the code that begins each stands between the words.
const CODES_BETWEEN = / [45]\d\d(?:-| (?=[45]\.\d))(?:[45]\.\d{1,3}\.\d{1,3} )?/g;
// A server's answer is a line or two; the rest is what it quotes.
const CHARS_MAX = 4_000;

/**
 * Judges one refusal. `status` as in `5.1.1`, `diagnostic` as the receiving server put it; null when not known. A
 * status that cannot be one (`9.9.9`) makes the whole report doubtful, and its text is not asked.
 */
export function judgeBounce(status: string | null, diagnostic: string | null): BounceJudgement {
  const cause = causeOf(status, oneLine(diagnostic ?? ''));
  return { ...IN_WORDS_OF_SES[cause], cause };
}

/** Words that a line end broke are whole again. */
const oneLine = (text: string): string =>
  text
    .slice(0, CHARS_MAX)
    .replace(/([a-z])-\r?\n\s*([a-z])/gi, '$1$2')
    .replace(/\s+/g, ' ')
    .trim();

function causeOf(status: string | null, said: string): BounceCause {
  const [, given = '', subject = '', detail = ''] = STATUS.exec(status ?? '') ?? [];
  if (status !== null && (given === '' || given === '2')) return 'unclear';
  const inText = [...said.matchAll(STATUSES_IN_TEXT)];
  const codes = new Set(inText.map(([, , one, other]) => `${Number(one)}.${Number(other)}`));
  if (given !== '') codes.add(`${Number(subject)}.${Number(detail)}`);
  const replied = CODE_IN_TEXT.exec(said)?.[1];
  const isTemporary =
    given === '4' || replied === '4' || (given === '' && replied === undefined && inText[0]?.[1] === '4');
  return whatPasses(byWordsAndCodes(said, [...codes]), isTemporary);
}

function byWordsAndCodes(said: string, codes: readonly string[]): BounceCause {
  if (UNKNOWN_AT_THE_EDGE.test(said)) return 'address';
  const words = causeInWords(said.replace(CODES_BETWEEN, ' '));
  const isPolicy = codes.some((code) => code.startsWith('7.'));
  if (words === 'address') return isPolicy && !PLAINLY_GONE.test(said) ? 'sender' : 'address';
  // Whatever else is said beside a status of policy, it is about us.
  if (words === 'later' && isPolicy) return 'sender_later';
  if (words !== undefined) return words;
  const causes = codes.map(causeOfDetail);
  const certain = causes.find((cause) => cause !== undefined && cause !== 'address');
  if (certain !== undefined) return certain;
  const isGone = causes.length > 0 && causes.every((cause) => cause === 'address');
  return isGone && (isSilent(said) || codes.every((code) => CERTAIN.has(code))) ? 'address' : 'unclear';
}

function causeOfDetail(detail: string): BounceCause | undefined {
  if (detail.startsWith('6.')) return 'content';
  // Security and policy (RFC 3463 §3.8).
  if (detail.startsWith('7.')) return 'sender';
  return ownEntry(BY_DETAIL, detail);
}

/** Only codes, and no word that could have contradicted them. */
const isSilent = (said: string): boolean => !/[a-z]{2}/i.test(said.replace(/^\s*(?:smtp|dns|x-[a-z]+)\s*;/i, ''));

/** A server that says 4 has not refused for good, whatever it calls the reason. */
function whatPasses(cause: BounceCause, isTemporary: boolean): BounceCause {
  if (!isTemporary) return cause;
  if (cause === 'address' || cause === 'unclear') return 'later';
  return cause === 'sender' ? 'sender_later' : cause;
}
