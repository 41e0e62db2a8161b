import type { PersonalContent } from '#features/outbox';
import { hasLiquid } from '#features/templates';
import { escapeHtml, html, type Html, trusted } from '#platform/html/html.ts';
import type { Newsletter } from '../../newsletter.ts';
import { messagesOf } from '../../locales/messages.ts';
import { say } from '#platform/pages/say-text.ts';
import { DEFAULT_ACCENT } from '#platform/pages/accent.ts';
import { footerHtml, type FooterLink, footerText } from './issue-footer.ts';

/** Mail programs show what follows the preview text after it: this is nothing, and long enough. */
const PADDING = '&#847;&zwnj;&nbsp;'.repeat(60);

/**
 * What goes around the html and text of an issue: the newsletter's mark, the preview text, and the footer with the way
 * out. Slots are written `{{ unsubscribe_url }}`; names that look like one are written so that they are none.
 */
export function issueFrame(
  newsletter: Newsletter,
  issue: { subject: string; preheader: string | null; viewUrl: string },
): PersonalContent['frame'] {
  const { footer } = messagesOf(newsletter.language);
  const links: FooterLink[] = [
    { label: footer.unsubscribe, url: '{{ unsubscribe_url }}' },
    { label: footer.preferences, url: '{{ preferences_url }}' },
    ...(issue.viewUrl === '' ? [] : [{ label: footer.viewOnline, url: issue.viewUrl }]),
  ];
  const reason = say(footer.reason, { newsletter: newsletter.name });
  const about = { reason, sender: senderName(newsletter), postalAddress: newsletter.postalAddress, links };
  const seen = footerHtml(about);
  const preheader = preheaderHtml(issue.preheader);
  return {
    html: {
      before: literal(`${documentStart(newsletter, issue.subject)}${preheader}${cardStart(newsletter)}`),
      after: literal(`\n</td></tr></table>\n${seen}\n</body>\n</html>\n`),
      preheader: literal(preheader),
      footer: literal(seen),
    },
    text: { after: footerText(about) },
  };
}

const senderName = ({ fromName, name }: Newsletter): string => fromName ?? name;

// Nothing of it matches what the author writes: no style sheet, only attributes on elements of ours.
const documentStart = ({ language, name }: Newsletter, subject: string): string =>
  `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="supported-color-schemes" content="light">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(hasLiquid(subject) ? name : subject)}</title>
</head>
<body style="margin:0;padding:0;background-color:#f4f4f5;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%">
`;

// Not in a tiny font or in the colour of the ground as well: filters count that against a sender.
function preheaderHtml(preheader: string | null): string {
  if (preheader === null || preheader === '') return '';
  // The slot of a template is filled later; a text of the author's is not looked at again.
  const text = preheader === '{{ preheader }}' ? preheader : escapeHtml(preheader);
  return `<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;line-height:1px;mso-hide:all">${text}${PADDING}</div>\n`;
}

/** A column that is 600 px wide where there is room, with the newsletter's colour above and its mark. */
function cardStart(newsletter: Newsletter): string {
  const accent = newsletter.accentColor ?? DEFAULT_ACCENT;
  return html`<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:600px;margin:0 auto;background-color:#ffffff;border-top:4px solid ${accent}"><tr><td style="padding:24px 24px 0;font-family:${trusted(FONTS)};font-size:18px;line-height:1.4;font-weight:bold;color:#18181b;word-break:break-word">${markOf(newsletter)}</td></tr><tr><td style="padding:16px 24px 32px;font-family:${trusted(FONTS)};font-size:16px;line-height:1.6;color:#18181b;word-break:break-word">
`.text;
}

const FONTS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const markOf = ({ logoUrl, name }: Newsletter): Html | string =>
  logoUrl === null
    ? name
    : html`<img src="${logoUrl}" alt="${name}" height="40" style="display:block;height:40px;width:auto;max-width:100%;border:0">`;

const SLOT = /\{\{ (?:unsubscribe_url|preferences_url|preheader) \}\}/g;

/** Braces of people's words as references, so that only the slots are ones. */
function literal(part: string): string {
  return part.replace(/\{\{ ?[^{}]*\}?\}?/g, (found) =>
    found.match(SLOT)?.[0] === found ? found : found.replaceAll('{', '&#123;'),
  );
}
