import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import type { Clock } from '#platform/clock.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import { type DecodedImage, type DecodingAnswer, type ImageFile, OUT_OF_MEMORY_EXIT } from './decoded-image.ts';
import { kindOf, refusalOf } from './image-kind.ts';

const PROCESS = join(import.meta.dirname, 'decode-image-process.ts');
const SECONDS_MAX = 30;
const PARAM = 'body';
/** Of Node, after an error that nothing caught. */
const FAULT_EXIT = 1;

/**
 * The pixels of an uploaded file, encoded anew: without metadata (EXIF, GPS, profiles), upright, in sRGB. Throws 422
 * with a sentence for a file that is no such image, is damaged, or would need more time or memory than an image may.
 */
export async function decodeImage(bytes: Buffer, clock: Clock): Promise<DecodedImage> {
  const kind = kindOf(bytes);
  if (kind === undefined) throw unacceptable(PARAM, refusalOf(bytes));
  // The libraries need nothing of the environment, and it holds the secrets of the server.
  const child = spawn(process.execPath, [PROCESS, kind], { stdio: 'pipe', env: {} });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let isLate = false;
  const timer = clock.timer(SECONDS_MAX * 1_000, () => {
    isLate = true;
    child.kill('SIGKILL');
  });
  child.stdin.on('error', () => undefined); // it may end before it has read everything
  child.stdin.end(bytes);
  try {
    const [output, complaint, code] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
    if (isLate)
      throw unacceptable(PARAM, `Reading the image took longer than ${SECONDS_MAX} seconds. Make it smaller.`);
    if (code === OUT_OF_MEMORY_EXIT) throw unacceptable(PARAM, 'The image needs too much memory. Make it smaller.');
    if (code === FAULT_EXIT) throw new Error(`decoding failed: ${complaint.slice(0, 2_000)}`);
    // A library crashed.
    if (code !== 0 || output.length < 4) throw unacceptable(PARAM, 'The image is damaged and cannot be read.');
    return read(output);
  } finally {
    timer.cancel();
  }
}

function read(output: Buffer): DecodedImage {
  let at = 4 + output.readUInt32BE(0);
  const answer = JSON.parse(output.toString('utf8', 4, at)) as DecodingAnswer; // written by our own process
  if ('refused' in answer) throw unacceptable(PARAM, answer.refused);
  const [mail, large = null] = answer.files.map(({ size, ...rest }): ImageFile => {
    at += size;
    // A copy: else each file would keep all of them in memory.
    return { ...rest, bytes: Buffer.from(output.subarray(at - size, at)) };
  });
  if (mail === undefined) throw new Error('the process that decodes gave no file');
  return { frames: answer.frames, mail, large };
}
