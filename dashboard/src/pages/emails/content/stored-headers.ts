import type { Email, EmailContent } from '../../../api/generated/types.gen.ts';

interface Header {
  name: string;
  value: string;
}

/**
 * The headers of the message that are stored: those that every message has, and those that the sender gave. The date,
 * the headers of MIME and the signature are made when the message is handed over. A message that was given whole has
 * headers of its own, which count.
 */
export function storedHeaders(
  email: Pick<Email, 'from' | 'to' | 'cc' | 'reply_to' | 'message_id'>,
  { subject, headers }: Pick<EmailContent, 'subject' | 'headers'>,
): Header[] {
  const given = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const names = new Set(given.map(({ name }) => name.toLowerCase()));
  const own: Header[] = [
    { name: 'From', value: email.from },
    { name: 'To', value: email.to.join(', ') },
    { name: 'Cc', value: email.cc.join(', ') },
    { name: 'Reply-To', value: email.reply_to.join(', ') },
    { name: 'Subject', value: subject },
    { name: 'Message-ID', value: email.message_id },
  ];
  return [...own.filter(({ name, value }) => value !== '' && !names.has(name.toLowerCase())), ...given];
}
