import { buttonMail, localeOf } from '#features/reader-pages';
import { say } from '#platform/pages/say-text.ts';
import type { Newsletter } from '../../newsletter.ts';

// The link's own life; the token says the same.
const LINK_DAYS = 7;

export interface ConfirmationLinks {
  confirmUrl: string;
  unsubscribeUrl: string;
}

/**
 * The text of the email that asks for confirmation: who asks, what happens if it is ignored, how long the link works.
 */
export function confirmationBody(
  newsletter: Pick<Newsletter, 'name' | 'language' | 'accentColor' | 'logoUrl'>,
  { confirmUrl, unsubscribeUrl }: ConfirmationLinks,
): { subject: string; html: string; text: string } {
  const { language, messages } = localeOf(newsletter.language);
  const texts = messages.confirmationMail;
  const named = { newsletter: newsletter.name };
  return buttonMail(newsletter, language, {
    subject: say(texts.subject, named).replace(/[\r\n]+/g, ' '),
    preheader: texts.preheader,
    title: texts.title,
    text: say(texts.text, named),
    button: texts.button,
    url: confirmUrl,
    linkHint: texts.linkHint,
    notes: `${say(texts.expiry, { days: LINK_DAYS })} ${texts.ignore}`,
    second: { label: texts.unsubscribe, url: unsubscribeUrl },
  });
}
