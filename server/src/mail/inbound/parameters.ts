/** A field with parameters, such as Content-Type (RFC 2045), also in the forms of RFC 2231. */

export interface WithParameters {
  /** In lower case. */
  value: string;
  /** By their names in lower case. A character of a value stands for a byte, unless it was decoded by RFC 2231. */
  parameters: Map<string, string>;
}

const FIELD_CHARS_MAX = 65_536;
const PIECES_MAX = 1_000;

/** Reads a field. Time is linear in it, and nothing is refused. */
export function readParameters(field: string): WithParameters {
  const [first = '', ...rest] = piecesOf(field.slice(0, FIELD_CHARS_MAX));
  const plain = new Map<string, string>();
  const continued = new Map<string, { place: number; text: string; isEncoded: boolean }[]>();
  for (const piece of rest) {
    const equals = piece.indexOf('=');
    if (equals < 1) continue;
    const name = piece.slice(0, equals).trim().toLowerCase();
    const text = unquoted(piece.slice(equals + 1).trim());
    const [, base, place, isEncoded] = /^([^*]+)\*(\d{1,4})?(\*)?$/.exec(name) ?? [];
    if (base === undefined) {
      if (!plain.has(name)) plain.set(name, text);
      continue;
    }
    const pieces = continued.get(base) ?? [];
    pieces.push({ place: Number(place ?? 0), text, isEncoded: isEncoded === '*' || place === undefined });
    continued.set(base, pieces);
  }
  for (const [name, pieces] of continued) plain.set(name, joined(pieces));
  return { value: first.trim().toLowerCase(), parameters: plain };
}

/** Splits at semicolons outside of quotation marks. */
function piecesOf(field: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < field.length && pieces.length < PIECES_MAX; at += 1) {
    const char = field[at];
    if (isQuoted && char === '\\') at += 1;
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === ';' && !isQuoted) {
      pieces.push(field.slice(from, at));
      from = at + 1;
    }
  }
  pieces.push(field.slice(from));
  return pieces;
}

const unquoted = (text: string): string =>
  text.startsWith('"')
    ? text.slice(1, text.endsWith('"') && text.length > 1 ? -1 : undefined).replace(/\\(.)/g, '$1')
    : text;

/** `utf-8'en'%e2%82%ac` and its continuations, which share the charset of the first. */
function joined(pieces: { place: number; text: string; isEncoded: boolean }[]): string {
  const ordered = pieces.toSorted((a, b) => a.place - b.place);
  const first = ordered[0];
  const [, charset, start] = first?.isEncoded === true ? (/^([^']*)'[^']*'(.*)$/s.exec(first.text) ?? []) : [];
  const bytes = ordered.map(({ text, isEncoded }, index) => {
    const own = index === 0 && start !== undefined ? start : text;
    return isEncoded ? percentDecoded(own) : Buffer.from(own, 'latin1');
  });
  const all = Buffer.concat(bytes);
  return charset === undefined ? all.toString('latin1') : decoderOf(charset).decode(all);
}

const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([0-9a-fA-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label.trim() || 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}
