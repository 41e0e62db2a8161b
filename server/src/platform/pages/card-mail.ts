/**
 * An email that is one card: whose it is, a heading, paragraphs, perhaps a button. It is laid out by tables and by
 * styles on the elements, which every mail program reads. The one style sheet is for the dark, where a program has
 * that; the others show the card in light. No picture is loaded but the logo.
 */
import { type Html, html, trusted } from '../html/html.ts';
import { DARK, LIGHT, paletteOf } from './accent.ts';
import { type Brand, isolated, logoOf } from './layout.ts';

export interface CardMail {
  /** BCP 47. */
  language: string;
  subject: string;
  /** Shown by mail programs after the subject. */
  preheader: string;
  brand: Pick<Brand, 'name' | 'accentColor' | 'logoUrl'>;
  title: string;
  /** Made by `mailParagraph` and `mailButton`. */
  content: readonly Html[];
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TEXT = '#1d2025';
const QUIET = '#5a606b';
const DARK_TEXT = '#e8eaee';
const DARK_QUIET = '#a8b0ba';

export function cardMail({ language, subject, preheader, brand, title, content }: CardMail): string {
  const { fill } = paletteOf(brand.accentColor, LIGHT);
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${trusted(darkStyle(brand.accentColor))}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${LIGHT.ground}">
<div style="display:none;max-height:0;overflow:hidden">${preheader}</div>
<table class="ground" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${LIGHT.ground}">
<tr><td align="center" style="padding:24px 12px">
<table class="card" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px;background:${LIGHT.card};border-radius:12px;border-top:4px solid ${fill}">
<tr><td align="left" style="padding:28px 24px;${trusted(FONT)};font-size:16px;line-height:1.55;color:${TEXT};word-break:break-word">
<p class="quiet" style="margin:0 0 16px;font-size:14px;color:${QUIET}">${markOf(brand)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;color:${TEXT}">${title}</h1>
${content}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text;
}

/** `isQuiet`: smaller and in grey, for what is not read first. */
export const mailParagraph = (text: Html | string, { isQuiet = false } = {}): Html =>
  isQuiet
    ? html`<p class="quiet" style="margin:0 0 12px;font-size:14px;color:${QUIET}">${text}</p>\n`
    : html`<p style="margin:0 0 20px;color:${TEXT}">${text}</p>\n`;

/** 44 px high and more, for thumbs; on the table cell as well, because Outlook paints that. */
export function mailButton({ label, url }: { label: string; url: string }, accentColor: string | null): Html {
  const { fill, onFill } = paletteOf(accentColor, LIGHT);
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px"><tr><td style="background:${fill};border-radius:8px">
<a href="${url}" style="display:inline-block;padding:12px 20px;${trusted(FONT)};font-size:16px;font-weight:600;color:${onFill};text-decoration:none">${label}</a>
</td></tr></table>
`;
}

/** A link with its text, in the colour of the list. */
export const mailLink = ({ label, url }: { label: string; url: string }, accentColor: string | null): Html =>
  html`<a class="link" href="${url}" style="color:${paletteOf(accentColor, LIGHT).text}">${label}</a>`;

/** For programs in which a button cannot be pressed: the address itself, which is long and breaks anywhere. */
export const mailAddress = (url: string, accentColor: string | null): Html =>
  html`<p style="margin:0 0 20px;font-size:12px;line-height:1.5;word-break:break-all">${mailLink({ label: url, url }, accentColor)}</p>\n`;

function darkStyle(accentColor: string | null): string {
  const { text } = paletteOf(accentColor, DARK);
  return `@media (prefers-color-scheme:dark){.ground{background:${DARK.ground}!important}.card{background:${DARK.card}!important}\
.card td,.card h1,.card p{color:${DARK_TEXT}!important}.card p.quiet{color:${DARK_QUIET}!important}.card a.link{color:${text}!important}}`;
}

/** In the size that it has on a page. Outlook reads only the attribute: without it a logo has its full size. */
function markOf({ name, logoUrl }: Pick<Brand, 'name' | 'logoUrl'>): Html {
  const logo = logoOf({ logoUrl });
  return logo === null
    ? isolated(name)
    : html`<img src="${logo}" alt="${name}" height="40" style="display:block;width:auto;height:auto;max-width:100%;max-height:40px;border:0">`;
}
