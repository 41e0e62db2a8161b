import { readMessageId } from '../../lib/mail/message-id.ts';

/** The text in the search of emails, in the words of the API. */
export type EmailSearch =
  | { kind: 'id'; id: string }
  | { kind: 'filter'; filter: { to?: string; subject?: string; provider_message_id?: string } }
  | { kind: 'none' };

const ADDRESS = /^[^\s<>@]+@[^\s<>@]+$/;
const DOMAIN = /^@[^\s<>@]+$/;
const NAMED = /^[^<>]+<([^\s<>@]+@[^\s<>@]+)>$/;

/** An id, a Message-ID, an address (with its name or without), a domain; everything else is a part of a subject. */
export function readSearch(text: string | undefined): EmailSearch {
  const typed = text?.trim() ?? '';
  if (typed === '') return { kind: 'none' };
  const message = readMessageId(typed);
  if (message !== undefined && 'id' in message) return { kind: 'id', ...message };
  if (message !== undefined) return { kind: 'filter', filter: { provider_message_id: message.providerId } };
  const address = ADDRESS.test(typed) || DOMAIN.test(typed) ? typed : NAMED.exec(typed)?.[1];
  if (address !== undefined) return { kind: 'filter', filter: { to: address } };
  return { kind: 'filter', filter: { subject: typed } };
}
