/** Hostile and heavy images against a real process, with its memory and that of the processes that decode for it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { startOnTestDatabase } from '../harness/posthorn-on-test-database.ts';
import type { PosthornProcess } from '../harness/posthorn-process.ts';

const UPLOADS = 40;
const RESIDENT_MAX_MB = 450;
const DECODING_MAX_MB = 750;

let posthorn: PosthornProcess;
before(async () => {
  posthorn = await startOnTestDatabase();
});
after(() => posthorn.stop());

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has ended
  }
};
/** The most that a process ever held, in MB (proc(5)). */
const peakMb = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;
const decoders = (): number[] =>
  textOf(`/proc/${posthorn.pid}/task/${posthorn.pid}/children`)
    .split(' ')
    .map(Number)
    .filter((pid) => pid > 0 && textOf(`/proc/${pid}/cmdline`).includes('decode-image-process'));

interface Answered {
  status: number;
  message?: string;
  retryAfter: string | null;
}

async function upload(bytes: Buffer, type = 'image/png'): Promise<Answered> {
  const answer = await fetch(`${posthorn.url}/v1/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${posthorn.key}`, 'content-type': type },
    body: new Uint8Array(bytes),
  });
  return {
    status: answer.status,
    ...((await answer.json()) as { message?: string }), // an answer of our own API
    retryAfter: answer.headers.get('retry-after'),
  };
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A good PNG of one colour, which is small as a file and large in memory. */
function bomb(side: number, bits: number, colour: number): Buffer {
  const channels = { 0: 1, 6: 4 }[colour] ?? 1;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = bits;
  header[9] = colour;
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil((side * bits * channels) / 8)) * side));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

test('422 for a bomb of 30,000 × 30,000 pixels and an animation of 1,000 frames, without their memory', async (t) => {
  const before = peakMb(posthorn.pid);
  const huge = await upload(bomb(30_000, 1, 0));
  assert.deepEqual([huge.status, huge.message?.slice(0, 40)], [422, 'The image has 30000 × 30000 pixels; at m']);
  const [side, frames] = [16, 1_000];
  const raw = Uint8Array.from({ length: side * side * frames * 3 }, (_, at) => ((at * 2_654_435_761) >>> 13) & 255);
  const animation = await sharp(raw, {
    raw: { width: side, height: side * frames, channels: 3, pageHeight: side },
  })
    .gif({ delay: Array<number>(frames).fill(50) })
    .toBuffer();
  const long = await upload(animation, 'image/gif');
  assert.deepEqual([long.status, long.message], [422, 'The animation has 1000 frames; at most 300 are taken.']);
  t.diagnostic(`the server held ${Math.round(before)} MB before and ${Math.round(peakMb(posthorn.pid))} MB after`);
  assert.ok(peakMb(posthorn.pid) - before < 60);
});

test('40 photos of 12 million pixels of one workspace at once: one is decoded at a time, and what is refused can be sent again', async (t) => {
  const photo = await sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#336699' } })
    .jpeg({ progressive: true })
    .toBuffer();
  // Bytes behind the end change the file and not the image.
  const files = Array.from({ length: UPLOADS }, (_, n) => Buffer.concat([photo, Buffer.from([n])]));
  let [atOnce, decodingMb] = [0, 0];
  const look = (): void => {
    const pids = decoders();
    atOnce = Math.max(atOnce, pids.length);
    decodingMb = Math.max(decodingMb, ...pids.map(peakMb));
  };
  const watched = setInterval(look, 50);
  const answers = await Promise.all(files.map((file) => upload(file, 'image/jpeg')));
  clearInterval(watched);
  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 503);
  t.diagnostic(
    `${made.length} stored, ${refused.length} refused; ${atOnce} decoding at once with ${Math.round(decodingMb)} MB, ` +
      `the server ${Math.round(peakMb(posthorn.pid))} MB`,
  );
  assert.equal(made.length + refused.length, UPLOADS);
  assert.ok(made.length >= 9, 'one that is decoded and eight that wait');
  // 2 where too many wait to be decoded. Bodies and the connections to the database have bounds, too, and say 1.
  for (const { retryAfter } of refused) assert.match(String(retryAfter), /^[12]$/);
  assert.ok(atOnce <= 1, `${atOnce} at once`);
  assert.ok(decodingMb < DECODING_MAX_MB, `${decodingMb} MB`);
  assert.ok(peakMb(posthorn.pid) < RESIDENT_MAX_MB, `${peakMb(posthorn.pid)} MB`);
  const again = await upload(files[answers.findIndex(({ status }) => status === 503)] ?? photo, 'image/jpeg');
  assert.equal(again.status, 201);
  assert.deepEqual(decoders(), [], 'no process is left');
});
