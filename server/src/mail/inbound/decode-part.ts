/** The bytes and the text of a part: whatever its sender wrote, something comes out. */

/** The bytes of a part without its transfer encoding. A broken encoding is read as far as it can be. */
export function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  switch (encoding) {
    case 'base64':
      return Buffer.from(bytes.toString('latin1'), 'base64');
    case 'quoted-printable':
      return decodeQuotedPrintable(bytes);
    default:
      return bytes;
  }
}

const EQUALS = 0x3d;
const LF = 0x0a;
const CR = 0x0d;

/** RFC 2045 §6.7. An `=` that begins nothing stays as it is. */
function decodeQuotedPrintable(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte !== EQUALS) {
      out[length++] = byte;
      continue;
    }
    const [first, second] = [bytes[at + 1], bytes[at + 2]];
    if (first === LF || first === undefined) at += 1;
    else if (first === CR && second === LF) at += 2;
    else {
      const value = Number.parseInt(String.fromCharCode(first, second ?? 0), 16);
      const isPair = isHex(first) && second !== undefined && isHex(second);
      out[length++] = isPair ? value : EQUALS;
      if (isPair) at += 2;
    }
  }
  return out.subarray(0, length);
}

const isHex = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);

/**
 * The text of bytes in a charset. UTF-8 where none is named, and Windows-1252 for bytes that are no UTF-8, whatever the
 * sender says. No NUL and no half characters, which the database does not store.
 */
export function decodeText(bytes: Buffer, charset: string | undefined): string {
  return storable(decodeBytes(bytes, (charset ?? 'utf-8').trim().toLowerCase()));
}

export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

function decodeBytes(bytes: Buffer, charset: string): string {
  const isUtf8 = charset === '' || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii';
  if (!isUtf8) {
    try {
      return new TextDecoder(charset).decode(bytes);
    } catch {
      // A charset that nobody knows: most are UTF-8 with a wrong name.
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
