import type { Html } from '#platform/html/html.ts';
import { cardMail } from '#platform/pages/card-mail.ts';
import type { SystemMail } from '../wiring.ts';

/** A subject is one line, whatever a workspace is called. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

const POSTHORN = { name: 'Posthorn', accentColor: null, logoUrl: null };

/** A mail of Posthorn itself, as a card and as text. Its subject is its heading. */
export function postMail(
  to: string,
  mail: { subject: string; text: readonly string[]; content: readonly Html[] },
): SystemMail {
  const subject = oneLine(mail.subject);
  const [preheader = ''] = mail.text;
  return {
    to,
    subject,
    text: mail.text.join('\n\n'),
    html: cardMail({ language: 'en', subject, preheader, brand: POSTHORN, title: subject, content: mail.content }),
  };
}
