/**
 * The parts of a received message by their places in it: nothing is copied, so that a message of 25 MB costs little
 * more than itself, and an attachment is read later from its place alone. Time is linear in the bytes at each depth.
 */
import { fieldValue, readHeaderSection } from './header-section.ts';
import { MimeError } from './mime-error.ts';
import { readParameters } from './parameters.ts';

/** A part that holds no others. */
export interface MimeLeaf {
  /** Of its header. */
  headerAt: number;
  /** Of its body. */
  start: number;
  end: number;
  /** In lower case, such as `text/plain`. */
  type: string;
  charset: string | undefined;
  /** Of the transfer, in lower case. */
  encoding: string;
  /** `attachment`, `inline`, or null when the part does not say. */
  disposition: string | null;
  /** As it was written; a character stands for a byte, unless RFC 2231 was used. */
  filename: string | null;
  contentId: string | null;
  /** It stands within parts that are signed or encrypted together. */
  isSealed: boolean;
}

export interface MimeLimits {
  depth: number;
  parts: number;
  /** Called for each part. Throws when time is up. */
  check(): void;
}

/** The properties that a part has from the parts around it. */
interface Around {
  fallbackType: string;
  isSealed: boolean;
}

const SEALS = ['multipart/signed', 'multipart/encrypted'];

/** The leaves of a message in their order. Throws MimeError beyond the limits. */
export function mimeLeaves(raw: Buffer, limits: MimeLimits): MimeLeaf[] {
  const leaves: MimeLeaf[] = [];
  let parts = 0;
  const visit = (start: number, end: number, depth: number, { fallbackType, isSealed }: Around): void => {
    parts += 1;
    if (parts > limits.parts) throw new MimeError(`It has more than ${limits.parts} parts.`);
    if (depth > limits.depth) throw new MimeError(`Its parts are nested more than ${limits.depth} deep.`);
    limits.check();
    const { fields, bodyAt } = readHeaderSection(raw, start, end);
    const { value, parameters } = readParameters(fieldValue(fields, 'content-type') ?? '');
    const type = /^[!-~]+\/[!-~]+$/.test(value) ? value : fallbackType;
    const boundary = parameters.get('boundary') ?? '';
    if (type.startsWith('multipart/') && boundary !== '') {
      const inner = {
        fallbackType: type === 'multipart/digest' ? 'message/rfc822' : 'text/plain',
        isSealed: isSealed || SEALS.includes(type),
      };
      let isEmpty = true;
      for (const part of partsBetween({ raw, from: bodyAt, to: end }, boundary, limits.check)) {
        isEmpty = false;
        visit(part.start, part.end, depth + 1, inner);
      }
      if (!isEmpty) return;
    }
    const disposition = readParameters(fieldValue(fields, 'content-disposition') ?? '');
    leaves.push({
      headerAt: start,
      start: bodyAt,
      end,
      type: type.startsWith('multipart/') ? 'text/plain' : type,
      charset: parameters.get('charset'),
      encoding: (fieldValue(fields, 'content-transfer-encoding') ?? '').split(/[;\s]/, 1)[0]?.toLowerCase() ?? '',
      disposition: disposition.value === '' ? null : disposition.value,
      filename: disposition.parameters.get('filename') ?? parameters.get('name') ?? null,
      contentId: /<?([^\s<>]{1,250})>?/.exec(fieldValue(fields, 'content-id') ?? '')?.[1] ?? null,
      isSealed,
    });
  };
  visit(0, raw.length, 0, { fallbackType: 'text/plain', isSealed: false });
  return leaves;
}

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;

/** The parts between the lines of a boundary. The last one ends with the message when its line is missing. */
function* partsBetween(
  section: Section,
  boundary: string,
  check: () => void,
): Generator<{ start: number; end: number }> {
  const { raw, to } = section;
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  let start: number | undefined;
  let at: number | undefined = section.from;
  while ((at = nextDashes(section, at)) !== undefined) {
    check();
    const found = at;
    const line = lineOfDelimiter(section, found, delimiter);
    at = line?.next ?? found + 2;
    if (line === undefined) continue;
    if (start !== undefined) yield { start, end: Math.max(start, withoutLineEnd(raw, found, start)) };
    if (line.isLast) return;
    start = line.next;
  }
  if (start !== undefined) yield { start, end: to };
}

/** A part of a message, without its header. */
interface Section {
  raw: Buffer;
  from: number;
  to: number;
}

const LINE_OF_DASHES = Buffer.from('\n--');

/**
 * The next line from here on that begins with two dashes. A boundary is compared only there: a search for all of it
 * takes the product of both lengths in a message that is made for that.
 */
function nextDashes({ raw, from, to }: Section, at: number): number | undefined {
  const isBegin = at === from && at + 2 <= to && raw[at] === DASH && raw[at + 1] === DASH;
  if (isBegin) return at;
  // The line end in front belongs to the line before.
  const begin = Math.max(at - 1, from);
  const found = raw.subarray(begin, to).indexOf(LINE_OF_DASHES);
  return found === -1 ? undefined : begin + found + 1;
}

/** Undefined: the line is of another boundary, or of a longer one. */
function lineOfDelimiter(
  { raw, to }: Section,
  found: number,
  delimiter: Buffer,
): { isLast: boolean; next: number } | undefined {
  let at = found + delimiter.length;
  if (at > to || delimiter.compare(raw, found, at) !== 0) return undefined;
  const isLast = raw[at] === DASH && raw[at + 1] === DASH;
  if (isLast) at += 2;
  while (at < to && (raw[at] === 0x20 || raw[at] === 0x09)) at += 1;
  if (at < to && raw[at] === CR) at += 1;
  if (at >= to) return { isLast, next: to };
  return raw[at] === LF ? { isLast, next: at + 1 } : undefined;
}

/** The line end in front of a boundary belongs to it (RFC 2046 §5.1.1). */
function withoutLineEnd(raw: Buffer, end: number, start: number): number {
  let at = end;
  if (at > start && raw[at - 1] === LF) at -= 1;
  if (at > start && raw[at - 1] === CR) at -= 1;
  return at;
}
