/** The header section of a message or a part, as any program may have written it. Nothing in it is refused. */
import { MimeError } from './mime-error.ts';

export interface RawField {
  /** As it was written. */
  name: string;
  /** Unfolded; a character stands for a byte (latin1). */
  value: string;
}

export interface HeaderSection {
  fields: RawField[];
  /** Where the body begins. */
  bodyAt: number;
}

const SECTION_BYTES_MAX = 256 * 1_024;
const FIELDS_MAX = 2_000;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Reads the fields between two places of a message, up to the first empty line. A line that is no field is passed over;
 * a section whose first line is none is all body, as in a message without a header. Throws MimeError beyond the limits.
 */
export function readHeaderSection(raw: Buffer, start: number, end: number): HeaderSection {
  const fields: RawField[] = [];
  let at = start;
  let current: { name: string; lines: string[] } | undefined;
  const finish = (): void => {
    if (current !== undefined) fields.push({ name: current.name, value: current.lines.join('').trim() });
    current = undefined;
  };
  while (at < end) {
    const newline = raw.indexOf(LF, at);
    const next = newline === -1 || newline >= end ? end : newline + 1;
    const line = raw.toString('latin1', at, endOfText(raw, at, next));
    if (line === '') {
      finish();
      return { fields, bodyAt: next };
    }
    if (next - start > SECTION_BYTES_MAX) throw new MimeError('A header of it is larger than 256 KB.');
    const isFolded = line.startsWith(' ') || line.startsWith('\t');
    if (isFolded && current !== undefined) current.lines.push(line);
    else if (!isFolded) {
      finish();
      const colon = line.indexOf(':');
      const name = colon === -1 ? '' : line.slice(0, colon).trimEnd();
      if (/^[!-9;-~]+$/.test(name)) {
        current = { name, lines: [line.slice(colon + 1)] };
        if (fields.length >= FIELDS_MAX) throw new MimeError('A header of it has more than 2,000 fields.');
      } else if (at === start) {
        return { fields, bodyAt: start };
      }
    }
    at = next;
  }
  finish();
  return { fields, bodyAt: end };
}

/** Without the line end. */
function endOfText(raw: Buffer, from: number, to: number): number {
  let end = to;
  if (end > from && raw[end - 1] === LF) end -= 1;
  if (end > from && raw[end - 1] === CR) end -= 1;
  return end;
}

/** The value of the first field with this name, in lower case. */
export const fieldValue = (fields: readonly RawField[], name: string): string | undefined =>
  fields.find((field) => field.name.toLowerCase() === name)?.value;
