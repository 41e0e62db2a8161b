import { TextDecoder } from 'node:util';

/**
 * The charsets in which html can be read, changed and written again: UTF-8, and those with one byte for each character.
 * Node can read others, such as Shift_JIS, but cannot write them.
 */
export interface HtmlCharset {
  /** null: the bytes are no text of this charset, or would not come back as they were. */
  decode(bytes: Buffer): string | null;
  /** null: a character is not in the charset. */
  encode(text: string): Buffer | null;
}

const SINGLE_BYTE = /^(?:iso-8859-\d{1,2}|windows-(?:125\d|874)|koi8-[ru])$/;

const utf8: HtmlCharset = {
  decode: (bytes) => decodeWith(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), bytes),
  encode: (text) => Buffer.from(text),
};

const ascii: HtmlCharset = {
  // Whatever its other bytes are, nobody has said.
  decode: (bytes) => (bytes.every((byte) => byte < 0x80) ? bytes.toString('latin1') : null),
  encode: utf8.encode,
};

const known = new Map<string, HtmlCharset | null>();

/** `label` as the field Content-Type gives it; undefined: it gives none. null: the charset cannot be written. */
export function htmlCharset(label: string | undefined): HtmlCharset | null {
  const name = label?.trim().toLowerCase();
  if (name === undefined || name === 'us-ascii') return ascii;
  if (name === 'utf-8' || name === 'utf8') return utf8;
  // Only these are kept, of which there are few: anybody can send any name.
  if (!SINGLE_BYTE.test(name)) return null;
  const found = known.get(name) ?? singleByte(name);
  known.set(name, found);
  return found;
}

function singleByte(name: string): HtmlCharset | null {
  const decoder = decoderOf(name);
  if (decoder === null) return null;
  const byteOf = new Map<number, number>();
  for (let byte = 0; byte <= 0xff; byte += 1) {
    const character = decodeWith(decoder, Buffer.of(byte));
    if (character !== null) byteOf.set(character.charCodeAt(0), byte);
  }
  const encode = (text: string): Buffer | null => {
    const bytes = Buffer.allocUnsafe(text.length);
    for (let at = 0; at < text.length; at += 1) {
      const byte = byteOf.get(text.charCodeAt(at));
      if (byte === undefined) return null;
      bytes[at] = byte;
    }
    return bytes;
  };
  return {
    decode(bytes) {
      const text = decodeWith(decoder, bytes);
      return text !== null && encode(text)?.equals(bytes) === true ? text : null;
    },
    encode,
  };
}

function decoderOf(name: string): TextDecoder | null {
  try {
    return new TextDecoder(name, { fatal: true });
  } catch {
    return null;
  }
}

function decodeWith(decoder: TextDecoder, bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
