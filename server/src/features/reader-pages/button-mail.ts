import { type Html, html } from '#platform/html/html.ts';
import { type Brand, logoOf } from '#platform/pages/layout.ts';
import { LIGHT, paletteOf } from '#platform/pages/accent.ts';

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

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
 * The email as HTML and as text: the name, logo and colour of the list, and nothing else that anybody typed. No style
 * sheet is loaded, and no picture but the logo.
 */
export function buttonMail(
  brand: Pick<Brand, 'name' | 'accentColor' | 'logoUrl'>,
  language: string,
  mail: ButtonMail,
): { subject: string; html: string; text: string } {
  const colours = paletteOf(brand.accentColor, LIGHT);
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${mail.subject}</title>
</head>
<body style="margin:0;padding:0;background:#f4f5f7">
<div style="display:none;max-height:0;overflow:hidden">${mail.preheader}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f5f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background:#ffffff;border-radius:12px;border-top:4px solid ${colours.fill}">
<tr><td style="padding:32px;${FONT};font-size:16px;line-height:1.55;color:#1d2025;word-break:break-word">
<p style="margin:0 0 16px;font-size:14px;color:#5a606b">${markOf(brand)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${mail.title}</h1>
<p style="margin:0 0 24px">${mail.text}</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td style="background:${colours.fill};border-radius:8px">
<a href="${mail.url}" style="display:inline-block;padding:13px 24px;${FONT};font-size:16px;font-weight:600;color:${colours.onFill};text-decoration:none">${mail.button}</a>
</td></tr></table>
<p style="margin:24px 0 8px;font-size:14px;color:#5a606b">${mail.linkHint}</p>
<p style="margin:0 0 24px;font-size:14px;word-break:break-all"><a href="${mail.url}" style="color:${colours.text}">${mail.url}</a></p>
<p style="margin:0 0 8px;font-size:14px;color:#5a606b">${mail.notes}</p>${
    mail.second === undefined
      ? null
      : html`
<p style="margin:0;font-size:14px"><a href="${mail.second.url}" style="color:${colours.text}">${mail.second.label}</a></p>`
  }
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text;
  const text = [
    brand.name,
    mail.text,
    `${mail.button}:\n${mail.url}`,
    mail.notes,
    ...(mail.second === undefined ? [] : [`${mail.second.label}:\n${mail.second.url}`]),
  ].join('\n\n');
  return { subject: mail.subject, html: page, text: `${text}\n` };
}

/** In the size that it has on a page. Outlook reads only the attribute: without it a logo has its full size. */
function markOf({ name, logoUrl }: Pick<Brand, 'name' | 'logoUrl'>): Html | string {
  const logo = logoOf({ logoUrl });
  return logo === null
    ? name
    : html`<img src="${logo}" alt="${name}" height="32" style="display:block;width:auto;height:auto;max-width:160px;max-height:32px;border:0">`;
}
