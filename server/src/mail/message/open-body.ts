/**
 * A body whose texts are partly each recipient's own: everything else of it is encoded once, into the lines that leave
 * and, where they differ, the lines that DKIM signs.
 *
 * A gap is filled with lines of its own, which end with a soft break. One that always has as many characters, which
 * need no encoding, has its place within a line, so that filling it is writing it there.
 */
import type { Attachment } from '../attachments/attachment-rules.ts';
import { relaxedBodyHash, relaxedLines } from '../dkim.ts';
import { type MimePart, nestParts, textHeaders } from './message-body.ts';
import { QuotedLines, quotedPiece } from './quoted-lines.ts';
import { encodeTextBase64, textEncoding } from './transfer-encoding.ts';

/** Text that is the same for all recipients, or a gap. */
export type Piece<T> = string | Gap<T>;

export interface Gap<T> {
  text(recipient: T): string;
  /** It has always as many characters, all of them letters, digits, `-` and `_`. */
  chars?: number;
}

export interface OpenTexts<T> {
  html: readonly Piece<T>[] | null;
  /** null: there is no text part. */
  text: readonly Piece<T>[] | null;
  attachments: readonly Attachment[];
}

export interface OpenBody<T> {
  headers: string;
  fill(recipient: T): FilledBody;
  /** Of memory that it keeps. */
  bytes: number;
}

export interface FilledBody {
  body: Buffer;
  /**
   * The body with as many free bytes before it. Undefined: there is no room for so many, or it was taken. A header that
   * is written there makes a message without a copy of the body.
   */
  takeRoom(bytes: number): Buffer | undefined;
  /** The `bh=` of DKIM. Files are in it: ask only with a key. */
  bodyHash(): string;
}

/** For the header of most messages, signed and with the links of a list. */
const ROOM_BYTES = 4096;

/** Bytes of all recipients, and the places in them that are written over. */
interface Shared<T> {
  bytes: Buffer;
  places: { at: number; gap: Gap<T> }[];
}

/** The same before the bytes stand in one Buffer: they are copied once, together with those of their neighbours. */
interface Parts<T> {
  chunks: Buffer[];
  places: Shared<T>['places'];
}

/** A run of lines: as they leave, as they are signed (the same object if nothing differs); or a gap's own lines. */
type Segment<T> = { sent: Shared<T>; signed: Shared<T> } | { linesOf(recipient: T): string };

/** A segment before it is joined with its neighbours. */
type Run<T> = { sent: Parts<T>; signed: Parts<T> } | { linesOf(recipient: T): string };

/**
 * Composes all that recipients share. Nothing that is filled in can end a part: no boundary comes out of an encoding.
 */
export function composeOpenBody<T>({ html, text, attachments }: OpenTexts<T>): OpenBody<T> {
  const open = new Map<Buffer, Run<T>[]>();
  const partOf = (subtype: 'plain' | 'html', pieces: readonly Piece<T>[]): MimePart => {
    const { encoding, segments } = encodePieces(pieces);
    const mark = Buffer.alloc(0);
    open.set(mark, segments);
    return { headers: textHeaders(subtype, encoding), chunks: [mark] };
  };
  const part = nestParts(attachments, {
    html: html === null ? null : partOf('html', html),
    text: text === null ? null : partOf('plain', text),
  });
  const segments = joined(part.chunks.flatMap((chunk) => open.get(chunk) ?? [sharedBytes(chunk)]));
  return { headers: part.headers, bytes: keptBytes(segments), fill: (recipient) => fill(segments, recipient) };
}

function encodePieces<T>(pieces: readonly Piece<T>[]) {
  const merged = withoutNeighbours(pieces).map((piece): Buffer | Gap<T> =>
    typeof piece === 'string' ? Buffer.from(piece) : piece,
  );
  const encoding = textEncoding(merged.filter((piece) => isBytes(piece)));
  if (encoding === 'quoted-printable') return { encoding, segments: quotedSegments(merged) };
  // Three bytes make four characters wherever they stand: such a text is encoded whole.
  const linesOf = (recipient: T): string => {
    const text = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text(recipient))).join('');
    return Buffer.concat(encodeTextBase64(text)).toString('latin1');
  };
  return { encoding, segments: [{ linesOf }] };
}

const isBytes = <T>(piece: Buffer | Gap<T>): piece is Buffer => Buffer.isBuffer(piece);

function quotedSegments<T>(pieces: readonly (Buffer | Gap<T>)[]): Run<T>[] {
  const segments: Run<T>[] = [];
  const lines = new QuotedLines(pieces.filter((piece) => isBytes(piece)).reduce((sum, { length }) => sum + length, 0));
  let gaps: Gap<T>[] = [];
  const close = (): void => {
    segments.push(sharedLines(lines.take(), gaps));
    gaps = [];
  };
  for (const piece of pieces) {
    if (isBytes(piece)) lines.add(piece);
    else if (piece.chars !== undefined && piece.chars <= QuotedLines.CHARS) {
      lines.reserve(piece.chars);
      gaps.push(piece);
    } else {
      lines.breakLine();
      close();
      segments.push({ linesOf: (recipient) => quotedPiece(piece.text(recipient)) });
    }
  }
  lines.end();
  close();
  return segments;
}

/** Neighbours become one text: a CR and the LF behind it are one line break. */
function withoutNeighbours<T>(pieces: readonly Piece<T>[]): Piece<T>[] {
  const merged: Piece<T>[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') merged[merged.length - 1] = last + piece;
    else merged.push(piece);
  }
  return merged;
}

/** `parts`: the lines between the places of the gaps. No run of white space reaches over a gap, which has none. */
function sharedLines<T>(parts: readonly Buffer[], gaps: readonly Gap<T>[]): Run<T> {
  const sent = withPlaces(parts, gaps);
  const relaxed = parts.map((part) => relaxedLines(part));
  if (relaxed.every((part, index) => part === parts[index])) return { sent, signed: sent };
  return { sent, signed: withPlaces(relaxed, gaps) };
}

function withPlaces<T>(parts: readonly Buffer[], gaps: readonly Gap<T>[]): Parts<T> {
  let at = 0;
  const places: Parts<T>['places'] = [];
  const chunks: Buffer[] = [];
  for (const [index, part] of parts.entries()) {
    chunks.push(part);
    at += part.length;
    const gap = gaps[index];
    if (gap?.chars === undefined) continue;
    chunks.push(Buffer.alloc(gap.chars, '-'));
    places.push({ at, gap });
    at += gap.chars;
  }
  return { chunks, places };
}

/** Base64 has no white space, and stays what it is. */
function sharedBytes<T>(bytes: Buffer): Run<T> {
  const sent = { chunks: [bytes], places: [] };
  const relaxed = relaxedLines(bytes);
  return { sent, signed: relaxed === bytes ? sent : { chunks: [relaxed], places: [] } };
}

/** Neighbours that are everybody's become one. */
function joined<T>(segments: readonly Run<T>[]): Segment<T>[] {
  const runs: Segment<T>[] = [];
  let run: Extract<Run<T>, { sent: unknown }>[] = [];
  const close = (): void => {
    const isSame = run.every(({ sent, signed }) => sent === signed);
    const sent = concat(run.map((segment) => segment.sent));
    if (run.length > 0) runs.push({ sent, signed: isSame ? sent : concat(run.map(({ signed }) => signed)) });
    run = [];
  };
  for (const segment of segments) {
    if ('sent' in segment) run.push(segment);
    else {
      close();
      runs.push(segment);
    }
  }
  close();
  return runs;
}

function concat<T>(parts: readonly Parts<T>[]): Shared<T> {
  let before = 0;
  const places = parts.flatMap(({ chunks, places: own }) => {
    const moved = own.map(({ at, gap }) => ({ at: at + before, gap }));
    before += chunks.reduce((sum, { length }) => sum + length, 0);
    return moved;
  });
  return { bytes: Buffer.concat(parts.flatMap(({ chunks }) => chunks)), places };
}

const keptBytes = <T>(segments: readonly Segment<T>[]): number =>
  segments.reduce((sum, one) => {
    if (!('sent' in one)) return sum + 1_000;
    const { sent, signed } = one;
    return sum + sent.bytes.length + (sent === signed ? 0 : signed.bytes.length) + sent.places.length * 200;
  }, 0);

const SCRATCH_BYTES = 262_144;
let scratch: Buffer | undefined;

/**
 * Bytes that are read before anything else is composed. Each Buffer of its own brings the next collection of garbage
 * nearer, which looks at all that is alive.
 */
function scratchOf(bytes: number): Buffer {
  if (bytes > SCRATCH_BYTES) return Buffer.allocUnsafe(bytes);
  scratch ??= Buffer.allocUnsafe(SCRATCH_BYTES);
  return scratch.subarray(0, bytes);
}

function fill<T>(segments: readonly Segment<T>[], recipient: T): FilledBody {
  const texts = segments.map((segment) => ('sent' in segment ? segment : segment.linesOf(recipient)));
  const bytesFrom = (form: 'sent' | 'signed', room: number): Buffer => {
    const chars = texts.reduce((sum, one) => sum + (typeof one === 'string' ? one.length : one[form].bytes.length), 0);
    const bytes = form === 'signed' ? scratchOf(room + chars) : Buffer.allocUnsafe(room + chars);
    let at = room;
    for (const one of texts) {
      if (typeof one === 'string') {
        at += bytes.write(one, at, 'latin1');
        continue;
      }
      const shared = one[form];
      shared.bytes.copy(bytes, at);
      for (const { at: place, gap } of shared.places) writeToken(bytes, at + place, gap, recipient);
      at += shared.bytes.length;
    }
    return bytes;
  };
  const bytes = bytesFrom('sent', ROOM_BYTES);
  const body = bytes.subarray(ROOM_BYTES);
  let room = ROOM_BYTES;
  const isSignedAsSent = texts.every((one) => typeof one === 'string' || one.sent === one.signed);
  return {
    body,
    takeRoom(wanted) {
      if (wanted > room) return undefined;
      room = 0;
      return bytes.subarray(ROOM_BYTES - wanted);
    },
    bodyHash: () => relaxedBodyHash(isSignedAsSent ? body : bytesFrom('signed', 0)),
  };
}

function writeToken<T>(bytes: Buffer, at: number, gap: Gap<T>, recipient: T): void {
  const token = gap.text(recipient);
  // One of another length would leave what was written before, or go over what follows.
  if (token.length !== gap.chars) throw new Error(`a token of ${token.length} characters has a place for ${gap.chars}`);
  bytes.write(token, at, 'latin1');
}
