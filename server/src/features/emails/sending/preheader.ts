import { escapeHtml } from '#platform/html/html.ts';

/** Enough invisible filler that inboxes do not go on with the first words of the body after a short preheader. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(40);
const HIDDEN =
  'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all;font-size:1px;line-height:1px;color:transparent';

/**
 * Puts the preheader into the html as a hidden block: right after the body tag, or at the very start when there is
 * none. Not a byte of the rest is changed.
 */
export function insertPreheader(html: string, preheader: string): string {
  const block = `<div style="${HIDDEN}">${escapeHtml(preheader)}${FILLER}</div>`;
  const at = endOfBodyTag(html);
  return `${html.slice(0, at)}${block}${html.slice(at)}`;
}

/**
 * The place after the first `<body …>` outside a comment, whose attribute values may hold a `>`; 0 without one. Each
 * character is looked at once: a regular expression with lazy parts takes hours for two megabytes of `<!--`.
 */
function endOfBodyTag(html: string): number {
  const next = /<!--|<body(?=[\s>/])/gi;
  for (let match = next.exec(html); match !== null; match = next.exec(html)) {
    if (match[0] !== '<!--') return endOfTag(html, next.lastIndex);
    const end = html.indexOf('-->', next.lastIndex);
    if (end === -1) return 0;
    next.lastIndex = end + 3;
  }
  return 0;
}

function endOfTag(html: string, from: number): number {
  let quote = '';
  for (let index = from; index < html.length; index += 1) {
    const character = html.charAt(index);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return index + 1;
  }
  return 0;
}
