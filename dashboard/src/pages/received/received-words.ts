import type { InboundAuth, InboundEmail, InboundEmailSummary, InboundForward } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';
import { ownEntry } from '../../lib/own-entry.ts';

interface Words {
  label: string;
  tone: Tone;
}

const RESULTS: Readonly<Record<string, Words>> = {
  pass: { label: 'Passed', tone: 'ok' },
  fail: { label: 'Failed', tone: 'bad' },
  softfail: { label: 'Probably not allowed', tone: 'warn' },
  neutral: { label: 'No statement', tone: 'quiet' },
  none: { label: 'Nothing to check', tone: 'quiet' },
  policy: { label: 'Not good enough', tone: 'warn' },
  temperror: { label: 'The DNS did not answer', tone: 'warn' },
  permerror: { label: 'The record is wrong', tone: 'warn' },
};

/** A result of a check of the sender. One that we do not know keeps its own name. */
export const resultWords = (result: string): Words => ownEntry(RESULTS, result) ?? { label: result, tone: 'quiet' };

export const CHECKS: readonly { id: keyof InboundAuth; label: string; asks: string }[] = [
  { id: 'spf', label: 'SPF', asks: 'May the server that brought it send for the domain of the envelope?' },
  { id: 'dkim', label: 'DKIM', asks: 'Has it a signature of a domain, and is it unchanged since?' },
  { id: 'dmarc', label: 'DMARC', asks: 'Is the domain in From the one that SPF or DKIM speak for?' },
  { id: 'arc', label: 'ARC', asks: 'Did servers that passed it on note what they had found?' },
];

/** Whether From can be believed, in one sentence. */
export function senderVerdict(auth: InboundAuth | null): Words {
  if (auth === null) return { label: 'The sender was not checked.', tone: 'quiet' };
  if (auth.dmarc === 'pass') return { label: 'The domain in From has really sent this.', tone: 'ok' };
  if (auth.dmarc === 'fail')
    return { label: 'The domain in From denies this mail: the sender may be forged.', tone: 'bad' };
  return { label: 'Nothing proves who sent this.', tone: 'warn' };
}

export const MATCHED_BY: Readonly<Record<NonNullable<InboundEmail['matched_by']>, string>> = {
  in_reply_to: 'its In-Reply-To names the Message-ID of that email',
  references: 'its References name the Message-ID of that email',
  provider_id: 'it names the id that the provider gave to that email',
  plus_address: 'it was sent to the address of that email with a + in it',
};

export const FORWARD_STATES: Readonly<Record<InboundForward['status'], Words>> = {
  pending: { label: 'Waiting', tone: 'info' },
  succeeded: { label: 'Delivered', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
  discarded: { label: 'Discarded', tone: 'quiet' },
};

type Read = Pick<InboundEmailSummary, 'status' | 'parse_error' | 'auto_submitted' | 'in_reply_to_email_id'>;

/** Of a row: the most important thing about a message, or nothing. */
export function noteOf({ status, parse_error, auto_submitted, in_reply_to_email_id }: Read): Words | undefined {
  if (status === 'waiting') return { label: 'Being read', tone: 'info' };
  if (parse_error !== null) return { label: 'Not readable', tone: 'warn' };
  if (auto_submitted) return { label: 'By a program', tone: 'quiet' };
  return in_reply_to_email_id === null ? undefined : { label: 'An answer', tone: 'ok' };
}

type Answerable = Pick<InboundEmail, 'status' | 'auto_submitted' | 'from' | 'reply_to'>;

/** Why the server would refuse an answer to this message. */
export function whyNoAnswer({ status, auto_submitted, from, reply_to }: Answerable): string | undefined {
  if (status === 'waiting') return 'The message is being read. It can be answered in a second.';
  if (auto_submitted) return 'A program wrote this message, and programs could answer each other without end.';
  if (from === null && reply_to.length === 0) return 'The message does not say whom to answer.';
  return undefined;
}

const CLIPPED_CHARS = 600;

/** The beginning of a text that is shown beside others. */
export function clipped(text: string): string {
  const all = text.trim();
  return all.length <= CLIPPED_CHARS ? all : `${all.slice(0, CLIPPED_CHARS).trimEnd()} …`;
}

export const shown = (subject: string | null): string =>
  subject === null || subject.trim() === '' ? '(no subject)' : subject;
