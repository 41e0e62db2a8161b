/** The kind of a file by its first bytes. Nothing else that a caller says about a file is believed. */
export type ImageKind = 'png' | 'jpeg' | 'gif' | 'webp';

const startsWith = (bytes: Buffer, latin1: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + latin1.length) === latin1;

const KINDS: Readonly<Record<ImageKind, (bytes: Buffer) => boolean>> = {
  png: (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n'),
  jpeg: (bytes) => startsWith(bytes, '\xff\xd8\xff'),
  gif: (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'),
  webp: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
};

export const kindOf = (bytes: Buffer): ImageKind | undefined =>
  (Object.keys(KINDS) as ImageKind[]).find((kind) => KINDS[kind](bytes)); // `keys` forgets that the keys are known

const TAKEN = 'Save it as PNG, JPEG, GIF or WebP.';

/** Brands of ISO media files (ISO/IEC 14496-12, 4.3) that are photographs. */
const HEIC = /^(?:heic|heix|heim|heis|hevc|hevx|mif1|msf1)$/;

/** Why a file that is no image of these kinds is refused, and the remedy. */
export function refusalOf(bytes: Buffer): string {
  if (bytes.length === 0) return 'The file is empty.';
  const brand = startsWith(bytes, 'ftyp', 4) ? bytes.toString('latin1', 8, 12) : '';
  if (HEIC.test(brand))
    return 'This is a HEIC photo, which most mail programs and browsers do not show. Save it as JPEG.';
  if (brand === 'avif' || brand === 'avis') return `This is an AVIF image, which mail programs do not show. ${TAKEN}`;
  const start = bytes
    .toString('latin1', 0, 1_024)
    .trimStart()
    .replace(/^\xef\xbb\xbf/, '')
    .toLowerCase();
  if (/^(?:<\?xml|<!--|<!doctype svg|<svg)/.test(start) && start.includes('<svg'))
    return `SVG images can contain programs, and mail programs do not show them. ${TAKEN}`;
  if (start.startsWith('%pdf')) return `This is a PDF document. ${TAKEN}`;
  if (startsWith(bytes, 'BM')) return `This is a BMP image. ${TAKEN}`;
  if (startsWith(bytes, 'II*\0') || startsWith(bytes, 'MM\0*')) return `This is a TIFF image. ${TAKEN}`;
  return `The file is not an image in a known format. ${TAKEN}`;
}
