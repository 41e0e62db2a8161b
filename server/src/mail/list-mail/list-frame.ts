import { escapeHtml, html, type Html, trusted } from '#platform/html/html.ts';
import { DEFAULT_ACCENT } from '#platform/pages/accent.ts';
import { type Footer, footerHtml, footerText } from './footer.ts';

/** Mail programs show what follows the preview text after it: this is nothing, and long enough. */
const PADDING = '&#847;&zwnj;&nbsp;'.repeat(60);

/** Whose mail it is. */
export interface Mark {
  name: string;
  accentColor: string | null;
  logoUrl: string | null;
}

export interface Framing {
  /** BCP 47. */
  language: string;
  /** Of the document, the same for all recipients. */
  title: string;
  mark: Mark;
  /** `{{ preheader }}`: a template that is filled in for each recipient. */
  preheader: string | null;
  footer: Footer;
}

export interface ListFrame {
  html: { before: string; after: string; preheader: string; footer: string };
  text: { after: string };
}

/**
 * What goes around the html and text of mail to a list: the list's mark, the preview text, and the footer with the way
 * out. Slots are written `{{ unsubscribe_url }}`; names that look like one are written so that they are none.
 */
export function listFrame(framing: Framing): ListFrame {
  const seen = footerHtml(framing.footer);
  const preheader = preheaderHtml(framing.preheader);
  return {
    html: {
      before: literal(`${documentStart(framing)}${preheader}${cardStart(framing)}`),
      after: literal(`\n</td></tr></table>\n${seen}\n</body>\n</html>\n`),
      preheader: literal(preheader),
      footer: literal(seen),
    },
    text: { after: footerText(framing.footer) },
  };
}

// Nothing of it matches what the author writes: no style sheet, only attributes on elements of ours. It is light, also
// at night: what the author wrote was made for a light ground (decision 0235).
const documentStart = ({ language, title }: Framing): string =>
  `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="supported-color-schemes" content="light">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(title)}</title>
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

/**
 * A column that is 600 px wide where there is room, with the list's colour above and its mark. Its layout is fixed, so
 * that wide content shrinks to it and does not widen it.
 */
function cardStart({ mark }: Framing): string {
  const accent = mark.accentColor ?? DEFAULT_ACCENT;
  return html`<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="table-layout:fixed;width:100%;max-width:600px;margin:0 auto;background-color:#ffffff;border-top:4px solid ${accent}"><tr><td style="padding:24px 24px 0;font-family:${trusted(FONTS)};font-size:18px;line-height:1.4;font-weight:bold;color:#18181b;word-break:break-word">${markOf(mark)}</td></tr><tr><td style="padding:16px 24px 32px;font-family:${trusted(FONTS)};font-size:16px;line-height:1.6;color:#18181b;word-break:break-word">
`.text;
}

const FONTS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const markOf = ({ logoUrl, name }: Mark): Html | string =>
  logoUrl === null
    ? name
    : html`<img src="${logoUrl}" alt="${name}" height="40" style="display:block;width:auto;height:auto;max-width:100%;max-height:40px;border:0">`;

const SLOT = /\{\{ (?:unsubscribe_url|preferences_url|preheader) \}\}/g;

/** Braces of people's words as references, so that only the slots are ones. */
function literal(part: string): string {
  return part.replace(/\{\{ ?[^{}]*\}?\}?/g, (found) =>
    found.match(SLOT)?.[0] === found ? found : found.replaceAll('{', '&#123;'),
  );
}
