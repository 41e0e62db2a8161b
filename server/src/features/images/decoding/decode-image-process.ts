/**
 * Decodes one image and ends: `node decode-image-process.ts <kind>`, the file on standard input. The libraries that
 * decode are written in C and read what strangers sent. So they run in a process of their own, which has no secret, no
 * connection and no other image. A crash, endless work or too much memory ends this process and nothing else.
 */
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';
import type { DecodingAnswer, ImageFile } from './decoded-image.ts';
import { OUT_OF_MEMORY_EXIT } from './decoded-image.ts';
import type { ImageKind } from './image-kind.ts';

/** Mail is 600 px wide, and dense screens show two pixels for each. */
const MAIL_PX = 1_200;
const LARGE_PX = 2_400;
/** A wide image is bounded by its width, a strip of pictures by its height. */
const HEIGHT_PER_WIDTH = 4;
/** Every frame is a picture of its own: at twice the width, animations would be too heavy for mail. */
const ANIMATION_PX = 600;
const PIXELS_MAX = 50_000_000;
/** No camera and no screen makes one so long. A strip of 1 × 50,000,000 pixels kept the process busy for 30 s. */
const SIDE_PX_MAX = 30_000;
const FRAMES_MAX = 300;
const ANIMATION_BYTES_MAX = 5 * 1_048_576;
/** From here on, a PNG without transparency is tried as a JPEG: it may be a photo. */
const PHOTO_BYTES_MIN = 300_000;
const JPEG_QUALITY = 82;
const MEMORY_BYTES_MAX = 700 * 1_048_576;
const LOOK_AT_MEMORY_MS = 20;
const LOADERS = ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'];

/** A fault of the image, in a sentence for its owner. */
class Refused extends Error {}

/** Mail goes first. */
setPriority(10);
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS });
// oxlint-disable-next-line house/no-ambient-time -- no clock is passed to a process, and no test waits for it
setInterval(() => {
  if (process.memoryUsage.rss() > MEMORY_BYTES_MAX) process.exit(OUT_OF_MEMORY_EXIT);
}, LOOK_AT_MEMORY_MS).unref();

const kind = process.argv[2] as ImageKind; // by the process that starts this one
try {
  const { frames, files } = await decode(await buffer(process.stdin));
  const headers = files.map(({ bytes, ...rest }) => ({ ...rest, size: bytes.length }));
  write(
    { frames, files: headers },
    files.map(({ bytes }) => bytes),
  );
} catch (error) {
  // Faults of this file; all faults of an image are plain errors.
  if (error instanceof TypeError || error instanceof ReferenceError) throw error;
  write({ refused: error instanceof Refused ? error.message : 'The image is damaged or incomplete.' }, []);
}

function write(answer: DecodingAnswer, files: readonly Buffer[]): void {
  const json = Buffer.from(JSON.stringify(answer));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  process.stdout.end(Buffer.concat([length, json, ...files]));
}

async function decode(file: Buffer): Promise<{ frames: number; files: ImageFile[] }> {
  const { width, height, pages: frames = 1 } = await sharp(file, { limitInputPixels: false }).metadata();
  if (frames > FRAMES_MAX) throw new Refused(`The animation has ${frames} frames; at most ${FRAMES_MAX} are taken.`);
  if (width * height * frames > PIXELS_MAX) {
    const many = frames === 1 ? '' : ` in ${frames} frames`;
    throw new Refused(
      `The image has ${width} × ${height} pixels${many}; at most ${PIXELS_MAX / 1_000_000} million are taken. Make it smaller.`,
    );
  }
  if (Math.max(width, height) > SIDE_PX_MAX) {
    throw new Refused(
      `The image has ${width} × ${height} pixels; at most ${SIDE_PX_MAX} are taken on a side. Make it smaller.`,
    );
  }
  return frames > 1 ? decodeAnimation(file, frames) : decodeStill(file);
}

function open(file: Buffer, animated: boolean): Sharp {
  return sharp(file, { animated, failOn: 'error', limitInputPixels: PIXELS_MAX }).autoOrient().toColourspace('srgb');
}

async function decodeAnimation(file: Buffer, frames: number): Promise<{ frames: number; files: ImageFile[] }> {
  const { data, info } = await open(file, true)
    .resize({ width: ANIMATION_PX, withoutEnlargement: true })
    .gif()
    .toBuffer({ resolveWithObject: true });
  if (data.length > ANIMATION_BYTES_MAX) {
    const mb = Math.ceil(data.length / 1_048_576);
    throw new Refused(`The animation has ${mb} MB at a width of ${info.width} px; mail carries at most 5. Shorten it.`);
  }
  const height = info.pageHeight ?? info.height;
  return { frames, files: [{ contentType: 'image/gif', width: info.width, height, bytes: data }] };
}

interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 };
}

async function decodeStill(file: Buffer): Promise<{ frames: number; files: ImageFile[] }> {
  const large = await pixelsOf(open(file, false), LARGE_PX);
  const isOpaque = large.raw.channels === 3 || (await sharp(large.data, { raw: large.raw }).stats()).isOpaque;
  const fitsMail = large.raw.width <= MAIL_PX && large.raw.height <= MAIL_PX * HEIGHT_PER_WIDTH;
  if (fitsMail) return { frames: 1, files: [await encode(large, isOpaque)] };
  const mail = await pixelsOf(sharp(large.data, { raw: large.raw }), MAIL_PX);
  return { frames: 1, files: [await encode(mail, isOpaque), await encode(large, isOpaque)] };
}

async function pixelsOf(image: Sharp, width: number): Promise<Pixels> {
  const { data, info } = await image
    .resize({ width, height: width * HEIGHT_PER_WIDTH, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
}

/** WebP becomes one of the others: Outlook on Windows shows none. */
async function encode({ data, raw }: Pixels, isOpaque: boolean): Promise<ImageFile> {
  const { width, height } = raw;
  const pixels = () => (isOpaque ? sharp(data, { raw }).removeAlpha() : sharp(data, { raw }));
  const asJpeg = () => pixels().jpeg({ quality: JPEG_QUALITY, mozjpeg: true }).toBuffer();
  const isPhoto = kind === 'jpeg' || (kind === 'webp' && isOpaque);
  if (isPhoto) return { contentType: 'image/jpeg', width, height, bytes: await asJpeg() };
  const png = await pixels().png({ compressionLevel: 9 }).toBuffer();
  if (isOpaque && png.length > PHOTO_BYTES_MIN) {
    const jpeg = await asJpeg();
    if (jpeg.length * 3 < png.length) return { contentType: 'image/jpeg', width, height, bytes: jpeg };
  }
  return { contentType: 'image/png', width, height, bytes: png };
}
