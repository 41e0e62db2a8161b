/** The footer of mail to a list: why it came, from whom, and how to leave. */
import { escapeHtml } from '#platform/html/html.ts';

export interface FooterLink {
  label: string;
  url: string;
}

export interface Footer {
  reason: string;
  sender: string;
  postalAddress: string | null;
  links: readonly FooterLink[];
}

const COLOR = '#52525b';
const GROUND = '#f4f4f5';

const FONT = 'Arial,Helvetica,sans-serif';

/**
 * On every element, because a style sheet of the author's may mean all of them: what is important on an element itself
 * wins over any sheet. `all` takes back whatever a sheet says, inherited or not, but for the direction.
 */
const reset = (...declarations: string[]): string =>
  ['all:initial', 'direction:ltr', 'unicode-bidi:normal', 'visibility:visible', ...declarations]
    .map((one) => `${one}!important`)
    .join(';');
/** Once without the word, for Outlook, which passes over important ones. */
const style = (plain: string, ...declarations: string[]): string =>
  `style="${plain}${plain === '' ? '' : ';'}${reset(...declarations)}"`;

const TEXT = [`color:${COLOR}`, `font-family:${FONT}`, 'font-size:13px', 'line-height:20px'];
const BLOCK = [...TEXT, `background-color:${GROUND}`, 'text-align:center', 'padding:24px'];
const LINK = [...TEXT, 'text-decoration:underline'];
const TABLE = style(
  `width:100%;background-color:${GROUND}`,
  'display:table',
  'width:100%',
  'clear:both',
  `background-color:${GROUND}`,
  'position:relative',
  'z-index:2147483647',
);
const CELL = style(BLOCK.join(';'), 'display:table-cell', ...BLOCK, 'overflow-wrap:anywhere');
const ANCHOR = style(LINK.join(';'), 'display:inline', 'cursor:pointer', 'outline:revert', ...LINK);

/** One table, which begins with its tag: where it stands is looked up by that. Its words stand in its cell alone. */
export function footerHtml({ reason, sender, postalAddress, links }: Footer): string {
  const link = ({ label, url }: FooterLink) =>
    `<a href="${isSlot(url) ? url : escapeHtml(url)}" data-posthorn-no-track ${ANCHOR}>${escapeHtml(label)}</a>`;
  const lines = [
    escapeHtml(reason),
    `${links.map(link).join(' &nbsp;·&nbsp; ')}<br>`,
    ...addressLines(sender, postalAddress).map(escapeHtml),
  ];
  return (
    `<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${GROUND}" ${TABLE}>` +
    `<tbody ${style('', 'display:table-row-group')}><tr ${style('', 'display:table-row')}>` +
    `<td align="center" ${CELL}>${lines.join('<br>')}</td></tr></tbody></table>`
  );
}

const isSlot = (url: string): boolean => url.startsWith('{{ ');

export function footerText({ reason, sender, postalAddress, links }: Footer): string {
  const lines = [
    '--',
    reason,
    '',
    ...links.map(({ label, url }) => `${label}: ${url}`),
    '',
    ...addressLines(sender, postalAddress),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The sender, and the postal address below; most addresses begin with the sender, who is named once. */
function addressLines(sender: string, postalAddress: string | null): string[] {
  const lines = (postalAddress ?? '').split(/\r\n|\r|\n/).map((line) => line.trim());
  const written = lines.filter((line) => line !== '');
  return written[0] === sender.trim() ? written : [sender.trim(), ...written];
}
