import { cardMail, mailAddress, mailButton, mailLink, mailParagraph } from '#platform/pages/card-mail.ts';
import type { Brand } from '#platform/pages/layout.ts';

/** An email about one thing to do. All texts are ours, in one language. */
export interface ButtonMail {
  subject: string;
  preheader: string;
  title: string;
  text: string;
  button: string;
  url: string;
  linkHint: string;
  /** How long the link works, and what to do who did not ask. */
  notes: string;
  /** Another link, small. */
  second?: { label: string; url: string };
}

/**
 * The email as HTML and as text: the name, logo and colour of the list, and nothing else that anybody typed.
 */
export function buttonMail(
  brand: Pick<Brand, 'name' | 'accentColor' | 'logoUrl'>,
  language: string,
  mail: ButtonMail,
): { subject: string; html: string; text: string } {
  const { accentColor } = brand;
  const page = cardMail({
    language,
    subject: mail.subject,
    preheader: mail.preheader,
    brand,
    title: mail.title,
    content: [
      mailParagraph(mail.text),
      mailButton({ label: mail.button, url: mail.url }, accentColor),
      mailParagraph(mail.linkHint, { isQuiet: true }),
      mailAddress(mail.url, accentColor),
      mailParagraph(mail.notes, { isQuiet: true }),
      ...(mail.second === undefined ? [] : [mailParagraph(mailLink(mail.second, accentColor), { isQuiet: true })]),
    ],
  });
  const text = [
    brand.name,
    mail.text,
    `${mail.button}:\n${mail.url}`,
    mail.notes,
    ...(mail.second === undefined ? [] : [`${mail.second.label}:\n${mail.second.url}`]),
  ].join('\n\n');
  return { subject: mail.subject, html: page, text: `${text}\n` };
}
