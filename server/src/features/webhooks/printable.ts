/**
 * All but line ends and tabs: terminals and logs act on them, and the bidirectional ones make a text read as another.
 */
// oxlint-disable-next-line no-control-regex -- they are what this is about
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * What somebody's server answered, as text that is safe to keep and to show: at most so many bytes of UTF-8, control
 * characters written as `\u001b`, bytes that are no UTF-8 as U+FFFD.
 */
export function printable(bytes: Buffer, bytesMax: number): string {
  const isCut = bytes.length > bytesMax;
  let text = bytes.subarray(0, bytesMax).toString('utf8');
  // A character that the cut goes through.
  if (isCut) text = text.replace(/\ufffd$/, '');
  text = text.replaceAll(CONTROLS, escaped);
  // Escaping makes it longer; a half escape at the end would read as something else.
  const kept = Buffer.from(text);
  if (kept.length <= bytesMax) return text;
  return kept
    .subarray(0, bytesMax)
    .toString('utf8')
    .replace(/\ufffd$/, '')
    .replace(/\\(u[0-9a-f]{0,3})?$/, '');
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
