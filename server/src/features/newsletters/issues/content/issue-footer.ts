/** The footer of every issue: why it came, from whom, and how to leave. */
import { escapeHtml } from '#platform/html/html.ts';

export interface FooterLink {
  label: string;
  url: string;
}

interface Footer {
  reason: string;
  sender: string;
  postalAddress: string | null;
  links: readonly FooterLink[];
}

const COLOR = '#52525b';
const GROUND = '#f4f4f5';

/**
 * Said on every element, because a style sheet of the author's may mean all of them; a declaration that is important on
 * the element itself wins over any sheet. Once more without the word, for Outlook, which passes over important ones.
 */
const SHOWN =
  'visibility:visible!important;opacity:1!important;position:static!important;float:none!important;clip:auto!important;' +
  'clip-path:none!important;transform:none!important;filter:none!important;max-height:none!important;' +
  'max-width:none!important;overflow:visible!important;text-indent:0!important;letter-spacing:normal!important;' +
  'animation:none!important;transition:none!important;mask:none!important;zoom:1!important;translate:none!important;' +
  'scale:none!important;content-visibility:visible!important';
const TEXT = [
  `color:${COLOR}`,
  `background-color:${GROUND}`,
  'font-family:Arial,Helvetica,sans-serif',
  'font-size:13px',
  'line-height:20px',
  'text-align:center',
];
const LAST = 'z-index:2147483647!important';

const important = (declarations: readonly string[]): string =>
  [...declarations, ...declarations.map((one) => `${one}!important`)].join(';');

const style = (display: string, ...more: string[]): string =>
  `style="${important([`display:${display}`, ...TEXT, ...more])};${SHOWN}"`;

/** One table, which begins with its tag: where it stands is looked up by that. */
export function footerHtml({ reason, sender, postalAddress, links }: Footer): string {
  const row = (content: string) =>
    `<tr ${style('table-row', 'height:auto')}><td align="center" ${style('table-cell', 'height:auto', 'width:auto', 'padding:4px 24px', 'word-break:break-word')}>${content}</td></tr>`;
  const text = (words: string) => `<span ${style('inline')}>${words}</span>`;
  const link = ({ label, url }: FooterLink) =>
    // biome-ignore format: one tag
    `<a href="${isSlot(url) ? url : escapeHtml(url)}" data-posthorn-no-track ${style('inline', 'text-decoration:underline')}>${escapeHtml(label)}</a>`;
  const rows = [
    text(escapeHtml(reason)),
    links.map(link).join(text(' &nbsp;·&nbsp; ')),
    text(
      [sender, ...(postalAddress ?? '').split(/\r\n|\r|\n/)]
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .map(escapeHtml)
        .join('<br>'),
    ),
  ];
  const table = style('table', 'width:100%', 'height:auto', 'margin:0', 'clear:both').replace(
    'position:static!important',
    `position:relative!important;${LAST}`,
  );
  return `<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${GROUND}" ${table}>${rows.map(row).join('')}</table>`;
}

const isSlot = (url: string): boolean => url.startsWith('{{ ');

export function footerText({ reason, sender, postalAddress, links }: Footer): string {
  const lines = [
    '--',
    reason,
    '',
    ...links.map(({ label, url }) => `${label}: ${url}`),
    '',
    sender,
    ...(postalAddress ?? '').split(/\r\n|\r|\n/).map((line) => line.trim()),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
