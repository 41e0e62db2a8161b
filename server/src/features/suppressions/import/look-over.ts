import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { invalid } from '#platform/errors/app-error.ts';

/** No row of a list of addresses is this long; what is, is a quote that was never closed, or no CSV. */
export const ROW_CHARS_MAX = 65_536;

export interface Look {
  /** Lines, whatever ends them; a file has no more rows than this. */
  lines: number;
  /** Some row may reach over its line, and a mistake in it over the rest of the file. */
  hasQuotes: boolean;
}

const PIECE_BYTES = 1_048_576;
const [NUL, LF, CR, QUOTE] = [0, 10, 13, 34];

/**
 * Refuses, with a validation error, what is no UTF-8 text in lines. Before anything is parsed: the parser's own limit
 * does not count empty cells, and there may be millions of them.
 */
export async function lookOver(file: Buffer): Promise<Look> {
  const [first, second] = file;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw invalid('body', 'The file is UTF-16. Save it as UTF-8 ("CSV UTF-8" in a spreadsheet).');
  }
  const look = { lines: 1, hasQuotes: false };
  let start = 0;
  for (let from = 0; from < file.length; from += PIECE_BYTES) {
    start = lookOverPiece(file, from, start, look);
    await setImmediate();
  }
  refuseLongLine(look.lines, file.length - start);
  if (!isUtf8(file)) throw invalid('body', 'The file is not UTF-8. Save it as UTF-8 ("CSV UTF-8" in a spreadsheet).');
  return look;
}

/** Takes and returns where the line under way begins. */
function lookOverPiece(file: Buffer, from: number, lineStart: number, look: Look): number {
  let start = lineStart;
  for (let at = from, end = Math.min(from + PIECE_BYTES, file.length); at < end; at += 1) {
    const byte = file[at];
    if (byte === QUOTE) look.hasQuotes = true;
    else if (byte === NUL) throw invalid('body', `The file is no text: it has a NUL byte at ${at}.`);
    else if (byte === LF || byte === CR) {
      if (byte === CR && file[at + 1] === LF) continue;
      refuseLongLine(look.lines, at - start);
      look.lines += 1;
      start = at + 1;
    }
  }
  return start;
}

function refuseLongLine(line: number, bytes: number): void {
  if (bytes > ROW_CHARS_MAX) throw invalid('body', `Line ${line} is longer than ${ROW_CHARS_MAX} bytes.`);
}
