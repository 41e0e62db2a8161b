/**
 * The memory of a real process while more large bodies arrive than it may hold at once.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';

const MB = 1_048_576;
const BODIES = 40;
const BODY_BYTES = 30 * MB;
const RESIDENT_MAX_MB = 600;

let database: TestDatabase;
let posthorn: PosthornProcess;
before(async () => {
  database = await createTestDatabase();
  posthorn = await startProcess({ databaseUrl: database.url });
});
after(async () => {
  await posthorn.stop();
  await database.close();
});

/** The most that it ever held, in MB (proc(5)). */
const peakMb = (): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${posthorn.pid}/status`, 'utf8'))?.[1]) / 1_024;

/** A send with one attachment, as bytes. */
function aLargeBody(): Buffer {
  const email = { from: 'hello@posthorn.test', to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
  const content = 'QUJD'.repeat(BODY_BYTES / 4);
  return Buffer.from(JSON.stringify({ ...email, attachments: [{ filename: 'a.bin', content }] }));
}

const send = (body: Buffer): Promise<{ status: number; retryAfter: string | undefined }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(`${posthorn.url}/v1/send`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${posthorn.key}`,
        'content-type': 'application/json',
        'content-length': body.length,
      },
    });
    let isAnswered = false;
    request.on('response', (response) => {
      isAnswered = true;
      response.resume();
      response.once('end', () => request.destroy()); // the rest of a refused body need not be sent
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
    });
    request.on('error', (error) => (isAnswered ? undefined : reject(error)));
    request.end(body);
  });

test('40 bodies of 30 MB at once: each is answered, and the process stays under 600 MB resident', async (t) => {
  const body = aLargeBody();
  const answers = await Promise.all(Array.from({ length: BODIES }, () => send(body)));
  const accepted = answers.filter(({ status }) => status === 202);
  const refused = answers.filter(({ status }) => status === 503);
  assert.equal(accepted.length + refused.length, BODIES);
  assert.ok(accepted.length > 0);
  for (const { retryAfter } of refused) assert.equal(retryAfter, '1');
  t.diagnostic(`${accepted.length} accepted, ${refused.length} refused, peak ${Math.round(peakMb())} MB`);
  assert.ok(peakMb() < RESIDENT_MAX_MB, `${peakMb()} MB`);
  assert.equal((await send(Buffer.from(JSON.stringify({})))).status, 400, 'the budget is free again');
});
