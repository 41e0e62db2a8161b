import { html } from '#platform/html/html.ts';
import { localeOf } from '../locales/messages.ts';
import { say } from '../locales/say-text.ts';
import type { Newsletter } from '../newsletter.ts';
import { LIGHT, paletteOf } from '../public/pages/accent.ts';

// The link's own life; the token says the same.
const LINK_DAYS = 7;
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

export interface ConfirmationLinks {
  confirmUrl: string;
  unsubscribeUrl: string;
}

/**
 * What the email that asks for confirmation says: who asks, what happens if it is ignored, how long the link works. The
 * name and colour of the newsletter, and nothing else that anybody typed. No picture and no style sheet are loaded.
 */
export function confirmationBody(
  newsletter: Pick<Newsletter, 'name' | 'language' | 'accentColor'>,
  { confirmUrl, unsubscribeUrl }: ConfirmationLinks,
): { subject: string; html: string; text: string } {
  const { language, messages } = localeOf(newsletter.language);
  const texts = messages.confirmationMail;
  const named = { newsletter: newsletter.name };
  const says = {
    subject: say(texts.subject, named).replace(/[\r\n]+/g, ' '),
    text: say(texts.text, named),
    expiry: say(texts.expiry, { days: LINK_DAYS }),
  };
  const colours = paletteOf(newsletter.accentColor, LIGHT);
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${says.subject}</title>
</head>
<body style="margin:0;padding:0;background:#f4f5f7">
<div style="display:none;max-height:0;overflow:hidden">${texts.preheader}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f5f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background:#ffffff;border-radius:12px;border-top:4px solid ${colours.fill}">
<tr><td style="padding:32px;${FONT};font-size:16px;line-height:1.55;color:#1d2025;word-break:break-word">
<p style="margin:0 0 16px;font-size:14px;color:#5a606b">${newsletter.name}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${texts.title}</h1>
<p style="margin:0 0 24px">${says.text}</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="background:${colours.fill};border-radius:8px">
<a href="${confirmUrl}" style="display:inline-block;padding:13px 24px;${FONT};font-size:16px;font-weight:600;color:${colours.onFill};text-decoration:none">${texts.button}</a>
</td></tr></table>
<p style="margin:24px 0 8px;font-size:14px;color:#5a606b">${texts.linkHint}</p>
<p style="margin:0 0 24px;font-size:14px;word-break:break-all"><a href="${confirmUrl}" style="color:${colours.text}">${confirmUrl}</a></p>
<p style="margin:0 0 8px;font-size:14px;color:#5a606b">${says.expiry} ${texts.ignore}</p>
<p style="margin:0;font-size:14px"><a href="${unsubscribeUrl}" style="color:${colours.text}">${texts.unsubscribe}</a></p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text;
  const text = [
    newsletter.name,
    says.text,
    `${texts.button}:\n${confirmUrl}`,
    `${says.expiry} ${texts.ignore}`,
    `${texts.unsubscribe}:\n${unsubscribeUrl}`,
  ].join('\n\n');
  return { subject: says.subject, html: page, text: `${text}\n` };
}
