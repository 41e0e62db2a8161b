import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { decodeImage } from './decode-image.ts';

const filled = (background: string) => sharp({ create: { width: 50, height: 40, channels: 3, background } });

test('a process that takes too long is ended, and its image is refused', async () => {
  const clock = createTestClock({ held: true });
  const decoded = decodeImage(await filled('#123456').png().toBuffer(), clock);
  clock.advance(30_000);
  await assert.rejects(decoded, /took longer than 30 seconds/);
});

test('colours of other spaces become sRGB, and 16 bits become 8', async () => {
  const clock = createTestClock({ held: true });
  const inks = await filled('#cc3333').toColourspace('cmyk').jpeg().toBuffer();
  const deep = await filled('#cc3333').toColourspace('rgb16').png().toBuffer();
  assert.equal((await sharp(inks).metadata()).space, 'cmyk');
  assert.equal((await sharp(deep).metadata()).depth, 'ushort');
  for (const file of [inks, deep]) {
    const { mail } = await decodeImage(file, clock);
    const { space, depth, channels } = await sharp(mail.bytes).metadata();
    assert.deepEqual([space, depth, channels], ['srgb', 'uchar', 3]);
    const { dominant } = await sharp(mail.bytes).stats();
    assert.ok(dominant.r > 150 && dominant.g < 100, JSON.stringify(dominant));
  }
});

test('transparency is kept as PNG, whatever it came as', async () => {
  const clear = sharp({ create: { width: 50, height: 40, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } });
  const { mail } = await decodeImage(await clear.webp().toBuffer(), createTestClock({ held: true }));
  assert.equal(mail.contentType, 'image/png');
  assert.equal((await sharp(mail.bytes).stats()).isOpaque, false);
});

test('an image of more than 30,000 pixels on a side is refused, and one of 30,000 is taken', async () => {
  const strip = (height: number) =>
    sharp({ create: { width: 1, height, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
  const clock = createTestClock({ held: true });
  await assert.rejects(decodeImage(await strip(30_001), clock), /1 × 30001 pixels; at most 30000 are taken on a side/);
  assert.equal((await decodeImage(await strip(30_000), clock)).mail.height, 4_800);
});
