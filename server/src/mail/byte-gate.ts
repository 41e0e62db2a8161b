/**
 * The last look at the bytes before they leave: what a provider is handed is one well-formed message, from whom and to
 * whom the envelope says. It reads bytes only and shares no code with the composer, so a fault there is seen here.
 * Anything it refuses should have been refused at acceptance: a problem means a bug, and the email is not sent.
 */
import { isAscii } from 'node:buffer';

export interface GateExpectation {
  /** Every address of the envelope; To and Cc may name no other. */
  envelopeTo: readonly string[];
  /** The address (not the name) of the sender. */
  from: string;
}

/** RFC 5322 §2.1.1, without the line break. */
const lineCharsMax = 998;
const headerBytesMax = 16 * 1024;
const exactlyOnce = ['from', 'date', 'message-id', 'subject', 'to', 'mime-version', 'content-type'];
// biome-ignore format: a list of words
const atMostOnce = [
  'sender', 'reply-to', 'cc', 'content-transfer-encoding', 'in-reply-to', 'references', 'dkim-signature', 'list-unsubscribe',
  'list-unsubscribe-post', 'list-id', 'auto-submitted', 'precedence', 'feedback-id',
];
const never = ['bcc', 'return-path', 'resent-bcc', 'received'];

/** A message that somebody else composed carries the traces of its way. */
export const rawHeaderBytesMax = 64 * 1024;
/** For our signature. */
const rawHeaderBytesReserved = 4 * 1024;
const rawExactlyOnce = ['from', 'date', 'message-id'];
// biome-ignore format: a list of words
const rawAtMostOnce = [
  'sender', 'reply-to', 'to', 'cc', 'subject', 'in-reply-to', 'references', 'mime-version', 'content-type',
  'content-transfer-encoding', 'content-disposition', 'content-id', 'content-description',
];
const rawNever = ['bcc', 'return-path', 'resent-bcc'];

/** The problems of a finished message; empty when it may leave. */
export function inspectMessage(mime: Buffer, expected: GateExpectation): string[] {
  const problems = inspectLines(mime);
  if (!isAscii(mime)) problems.push('a byte above 127');
  const headerEnd = mime.indexOf('\r\n\r\n', 0, 'latin1');
  if (headerEnd === -1) return [...problems, 'no end of the header section'];
  if (headerEnd > headerBytesMax) return [...problems, `header section of ${headerEnd} bytes`];
  const fields = readFields(mime.toString('latin1', 0, headerEnd), problems);
  const count = (name: string) => fields.get(name)?.length ?? 0;
  for (const name of exactlyOnce) if (count(name) !== 1) problems.push(`${count(name)} ${name} fields`);
  for (const name of atMostOnce) if (count(name) > 1) problems.push(`${count(name)} ${name} fields`);
  for (const name of never) if (count(name) > 0) problems.push(`a ${name} field`);
  inspectAddresses(fields, expected, problems);
  const messageId = fields.get('message-id')?.[0];
  if (messageId !== undefined && !/^<[^\s<>@]+@[^\s<>@]+>$/.test(messageId)) problems.push('message-id is not one id');
  return problems;
}

/**
 * The problems of a message that somebody else composed; empty when it may leave. Its lines are those that SMTP can
 * carry, and the fields that readers and receivers go by are there once. To and Cc may name anybody: who gets it is
 * the envelope's to say.
 */
export function inspectRawMessage(mime: Buffer, expected: Pick<GateExpectation, 'from'>): string[] {
  const problems = inspectLines(mime);
  const headerEnd = mime.indexOf('\r\n\r\n', 0, 'latin1');
  if (headerEnd === -1) return [...problems, 'no end of the header section'];
  if (headerEnd > rawHeaderBytesMax + rawHeaderBytesReserved) return [...problems, `a header of ${headerEnd} bytes`];
  const section = mime.toString('latin1', 0, headerEnd);
  if (/[\x80-\xff]/.test(section)) problems.push('a byte above 127 in its header');
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(section)) problems.push('a control character in its header');
  const fields = readFields(section, problems, anyField);
  const count = (name: string) => fields.get(name)?.length ?? 0;
  for (const name of rawExactlyOnce) if (count(name) !== 1) problems.push(`${count(name)} ${name} fields`);
  for (const name of rawAtMostOnce) if (count(name) > 1) problems.push(`${count(name)} ${name} fields`);
  for (const name of rawNever) if (count(name) > 0) problems.push(`a ${name} field`);
  const [sender, ...others] = readAddresses(withoutComments(fields.get('from')?.[0] ?? ''));
  if (others.length > 0 || sender !== expected.from.toLowerCase()) problems.push('another sender than was accepted');
  return problems;
}

const CR = 0x0d;
const LF = 0x0a;

/** Each byte of a word: one above CR. */
const ABOVE_CR = 0x0e0e0e0e;
const HIGH_BITS = 0x80808080;

function inspectLines(mime: Buffer): string[] {
  const problems: string[] = [];
  if (mime.includes(0)) problems.push('a NUL');
  const nextControl = controlFinder(mime);
  let start = 0;
  for (let at = nextControl(0); at < mime.length; at = nextControl(at)) {
    const byte = mime[at];
    if (byte !== LF && byte !== CR) {
      at += 1;
      continue;
    }
    if (byte === LF || mime[at + 1] !== LF) {
      problems.push(byte === LF ? 'a bare LF' : 'a bare CR');
      break;
    }
    if (at - start > lineCharsMax) {
      problems.push(`a line longer than ${lineCharsMax}`);
      break;
    }
    at += 2;
    start = at;
  }
  if (problems.length === 0 && start < mime.length) problems.push('a last line without CRLF');
  return problems;
}

/**
 * Gives the place of the first byte up to CR, from a place on, or a place close before it. Four bytes are looked at
 * together: one after the other takes four times as long, and so does asking for each line break.
 */
function controlFinder(mime: Buffer): (from: number) => number {
  const lead = -mime.byteOffset & 3;
  const words = new Int32Array(mime.buffer, mime.byteOffset + lead, Math.max(0, mime.length - lead) >> 2);
  return (from) => {
    let word = (from - lead) >> 2;
    if (from < lead || lead + word * 4 !== from) return from;
    for (; word < words.length; word += 1) {
      const four = words[word] ?? 0;
      // The high bit of a byte stays only where that byte was below, or next to one that was.
      if (((four - ABOVE_CR) & ~four & HIGH_BITS) !== 0) break;
    }
    return lead + word * 4;
  };
}

const ourField = /^([!-9;-~]+):(?: (.*))?$/;
const anyField = /^([!-9;-~]+):[ \t]*(.*)$/;

/** Unfolded values by lower-case name. */
function readFields(section: string, problems: string[], form = ourField): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const field of section.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const match = form.exec(field);
    const name = match?.[1]?.toLowerCase();
    if (name === undefined) {
      problems.push('a header line that is no field');
      continue;
    }
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [match?.[2] ?? '']);
    else values.push(match?.[2] ?? '');
  }
  return fields;
}

function inspectAddresses(fields: Map<string, string[]>, expected: GateExpectation, problems: string[]): void {
  const [sender, ...others] = readAddresses(fields.get('from')?.[0] ?? '');
  if (others.length > 0 || sender !== expected.from.toLowerCase()) problems.push('from is not the expected sender');
  const envelope = new Set(expected.envelopeTo.map((address) => address.toLowerCase()));
  if (envelope.size === 0) problems.push('an envelope without recipients');
  const shown = [...readAddresses(fields.get('to')?.[0] ?? ''), ...readAddresses(fields.get('cc')?.[0] ?? '')];
  if (shown.length === 0) problems.push('nobody in to');
  if (shown.some((address) => address === undefined || !envelope.has(address))) {
    problems.push('to or cc names an address that is not in the envelope');
  }
}

/** Without comments, and with a word for each quoted name. A comment that never ends stays: no address has it. */
const withoutComments = (list: string): string =>
  list.replace(/"(?:[^"\\]|\\.?)*(?:"|$)|\([^()\\]*\)/g, (text) => (text.startsWith('"') ? 'name' : ''));

/** The addresses of a list, lower-cased; undefined stands for an entry that is not exactly one mailbox. */
function readAddresses(list: string): (string | undefined)[] {
  if (list === '') return [];
  // Quoted names are the only place where a comma or an angle bracket may stand without its meaning. One that never
  // ends is read to the end: the pattern cannot fail, so it cannot try again from every quote.
  return list
    .replace(/"(?:[^"\\]|\\.?)*(?:"|$)/g, 'name')
    .split(',')
    .map((entry) => /^(?:[^<>@()\\]*<([^\s<>@()]+@[^\s<>@()]+)>|([^\s<>@()]+@[^\s<>@()]+))$/.exec(entry.trim()))
    .map((match) => (match?.[1] ?? match?.[2])?.toLowerCase());
}
