import { SEND_LIMITS } from '#features/emails';
import { AddressError, type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import { invalid } from '#platform/errors/app-error.ts';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import type { ReplyBody } from './schemas.ts';

// As of a send: a line break would be a fold at best, and the beginning of another field at worst.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The address that an answer comes from. Throws 400. */
export function readFrom(text: string): Mailbox {
  try {
    return parseMailbox(text);
  } catch (error) {
    if (error instanceof AddressError) throw invalid('from', `from must be an email address. ${error.reason}`);
    throw error;
  }
}

function refuseSubject(subject: string): void {
  if (CONTROL.test(subject)) throw invalid('subject', 'subject must not have control characters or line breaks');
  if (subject.trim() === '')
    throw invalid('subject', 'subject must not be empty. Leave it out for Re: and the subject.');
}

const refuseLong = (field: 'html' | 'text') => (body: string) => {
  if (Buffer.byteLength(body, 'utf8') > SEND_LIMITS.bodyBytes) throw invalid(field, `${field} must be at most 2 MB`);
};

export const readReply = readEach<typeof ReplyBody>({
  from: readFrom,
  subject: refuseSubject,
  html: refuseLong('html'),
  text: refuseLong('text'),
});
