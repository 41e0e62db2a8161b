import { encode } from 'uqr';

/** Light modules around the code, which a reader needs to find it (ISO/IEC 18004, 9.1). */
const QUIET = 4;

/** The dark modules of a QR code as one path of an SVG, with the width of its view box. */
export function qrPath(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET });
  const parts: string[] = [];
  data.forEach((row, y) => {
    for (let x = 0; x < size; ) {
      const end = row.indexOf(false, x);
      const until = end === -1 ? size : end;
      if (until > x) parts.push(`M${x} ${y}h${until - x}v1H${x}z`);
      x = until + 1;
    }
  });
  return { size, path: parts.join('') };
}
