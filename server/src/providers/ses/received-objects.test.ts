import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type FakeS3, startFakeS3 } from '../../../test/harness/fake-s3.ts';
import { createReceivedObjects } from './received-objects.ts';

const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'wJalr' };
const name = { region: 'eu-north-1', bucket: 'mail', key: 'in/ä b+c' };
const bytes = Buffer.from('Subject: Hello\r\n\r\nHello \xff\r\n', 'latin1');
let s3: FakeS3;
let objects: ReturnType<typeof createReceivedObjects>;
before(async () => {
  s3 = await startFakeS3();
  objects = createReceivedObjects({ endpoint: s3.endpoint }, { credentials });
});
beforeEach(() => s3.objects.clear());
after(async () => {
  objects.close();
  await s3.stop();
});

test('the real client reads an object byte for byte, whatever its name has', async () => {
  s3.objects.set('mail/in/ä b+c', { bytes });
  assert.deepEqual(await objects.fetch(name, 1_000), { bytes });
  assert.equal(s3.requests.at(-1), 'GET mail/in/ä b+c');
});

test('an object that is too large is not read, and says its size', async () => {
  s3.objects.set('mail/in/ä b+c', { bytes: Buffer.alloc(5_000_000) });
  assert.deepEqual(await objects.fetch(name, 1_000), { tooLarge: 5_000_000 });
});

test('an object that is not there, may not be read, is encrypted or ends early is a refusal with a reason', async () => {
  await assert.rejects(objects.fetch(name, 1_000), { name: 'NoSuchKey' });
  s3.objects.set('mail/in/ä b+c', { status: 403, code: 'AccessDenied' });
  await assert.rejects(objects.fetch(name, 1_000), { name: 'AccessDenied' });
  s3.objects.set('mail/in/ä b+c', { bytes, metadata: { 'x-amz-key-v2': 'AYAD' } });
  await assert.rejects(objects.fetch(name, 1_000), /KMS key/);
  s3.objects.set('mail/in/ä b+c', { cutOff: bytes });
  await assert.rejects(objects.fetch(name, 1_000));
});

test('a close ends what is under way, and the next call works', async () => {
  s3.objects.set('mail/in/ä b+c', { bytes });
  const cut = assert.rejects(objects.fetch(name, 1_000), /closed/);
  objects.close();
  await cut;
  assert.deepEqual(await objects.fetch(name, 1_000), { bytes });
});
