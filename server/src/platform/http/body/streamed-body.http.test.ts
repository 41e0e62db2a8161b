import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { Moment } from '../../moments.ts';
import { busy, conflict } from '../../errors/app-error.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPlatformApp, WORKSPACE } from '../../../../test/harness/platform-app.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { route } from '../route.ts';
import type { StreamedPieces } from './streamed-body.ts';

const LIMIT = 100_000;
const REQUEST_MS = 300;
const BOUNDS = { silenceMs: 2_000, graceMs: 4_000, bytesPerSecondMin: 1_000 };
/** For what must not end by the limits of other requests. Node counts these by its own clock. */
const SHORT = { timeouts: { requestMs: REQUEST_MS, headersMs: REQUEST_MS, checkMs: 20 } };
/** For what ends by a limit of ours, when this clock is moved. */
const clock = createTestClock({ held: true });

interface Listening {
  app: FastifyInstance;
  errors: string[];
  port: number;
}
let database: TestDatabase;
let patient: Listening;
let hasty: Listening;
let held: Listening;
const arrived = new Moment<number>();
const refused = new Moment<Error>();
const begun = new Moment<StreamedPieces>();
/** The parts that `receive` has stored, and those that were removed again. */
const stored: string[] = [];
/** The pieces that came, for as long as anybody else holds them. */
let pieceRefs: WeakRef<Buffer>[] = [];
let discarded: string[] = [];

before(async () => {
  database = await createTestDatabase();
  await sql`insert into workspaces (id, name, slug) values (${WORKSPACE}, 'W', 'w')`.execute(database.db);
  const files = route({
    method: 'POST',
    path: '/files',
    id: 'add_file',
    tag: 'Files',
    summary: 'For the tests.',
    access: { scope: 'files:write' },
    query: Type.Object({ fail: Type.Optional(Type.Enum(['true'])) }),
    response: Type.Unknown(),
    body: {
      stream: ['text/csv', 'application/jsonl'],
      bytesMax: LIMIT,
      async receive(_ctx, _input, pieces) {
        const hash = createHash('sha256');
        let bytes = 0;
        begun.occur(pieces);
        try {
          for await (const piece of pieces) {
            hash.update(piece);
            pieceRefs.push(new WeakRef(piece));
            bytes += piece.length;
            arrived.occur(bytes);
          }
        } catch (error) {
          refused.occur(error instanceof Error ? error : new Error(String(error)));
          throw error;
        }
        const fingerprint = hash.digest('hex');
        stored.push(fingerprint);
        const discard = async (): Promise<void> => void discarded.push(fingerprint);
        return { value: { bytes }, fingerprint, discard };
      },
    },
    handler: async (_ctx, { body, query }) => {
      if (query.fail === 'true') throw conflict('no');
      return body;
    },
  });
  const listening = async (limits: Parameters<typeof createPlatformApp>[2]): Promise<Listening> => {
    const { app, errors } = await createPlatformApp(database.db, [files], limits);
    await app.listen({ host: '127.0.0.1', port: 0 });
    return { app, errors, port: (app.server.address() as AddressInfo).port }; // it listens on TCP
  };
  patient = await listening({});
  hasty = await listening(SHORT);
  held = await listening({ clock, streamBounds: BOUNDS });
});
after(async () => {
  await patient.app.close();
  await hasty.app.close();
  await held.app.close();
  await database.close();
});
afterEach(() => {
  stored.length = 0;
  discarded = [];
  pieceRefs = [];
});

/** Sends what `write` writes, in chunks without a length. */
async function upload(
  write: (send: (text: string) => Promise<void>, end: () => void) => Promise<void>,
  headers: Record<string, string> = {},
  path = '/files',
  to = patient,
): Promise<{ status: number; body: { name?: string; message?: string; bytes?: number } }> {
  const request = httpRequest({
    port: to.port,
    path,
    method: 'POST',
    headers: { authorization: 'Bearer good', 'content-type': 'text/csv', ...headers },
  });
  request.on('error', () => undefined); // the server may close before everything is sent
  const answered = once(request, 'response') as Promise<[IncomingMessage]>; // of a request this is what comes
  const send = (text: string): Promise<void> => new Promise((resolve) => void request.write(text, () => resolve()));
  request.flushHeaders();
  void write(send, () => request.end());
  const [response] = await answered;
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer); // no encoding is set
  request.destroy();
  return { status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()) as object };
}

const uploadTo = (to: Listening, write: Parameters<typeof upload>[0]) => upload(write, {}, '/files', to);

const whole = (text: string, headers?: Record<string, string>, path?: string) =>
  upload(
    async (send, end) => {
      await send(text);
      end();
    },
    headers,
    path,
  );

test('200 and pieces are handed over while the rest is still to come, for longer than a request may last otherwise', async () => {
  const answer = await uploadTo(hasty, async (send, end) => {
    const first = arrived.next();
    await send('a'.repeat(1_000));
    assert.equal(await first, 1_000);
    for (let total = 1_000, from = performance.now(); performance.now() - from < REQUEST_MS * 2; ) {
      const next = arrived.next();
      await send('b');
      total += 1;
      assert.ok((await next) <= total);
    }
    end();
  });
  assert.equal(answer.status, 200);
  assert.equal(stored.length, 1);
});

test('200 for a body whose pieces nobody holds any more while the rest is still to come', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // what the flag adds
  const held: number[] = [];
  await upload(async (send, end) => {
    for (let sent = 0; sent < 20; sent += 1) {
      const next = arrived.next();
      await send('a'.repeat(1_000));
      await next;
    }
    collect();
    held.push(pieceRefs.filter((piece) => piece.deref() !== undefined).length);
    end();
  });
  // The last one or two may still be in somebody's hands.
  assert.ok(pieceRefs.length >= 20 && (held[0] ?? Infinity) <= 3, `${held[0]} of ${pieceRefs.length} are held`);
});

test('413 as soon as a body without a length grows beyond the limit, and nothing is kept', async () => {
  const answer = await upload(async (send) => {
    await send('a'.repeat(LIMIT));
    await send('a');
  });
  assert.equal(answer.status, 413);
  assert.deepEqual([stored, discarded], [[], []]);
});

test('413 before anything is read when the length is told', async () => {
  const answer = await upload(async () => undefined, { 'content-length': String(LIMIT + 1) });
  assert.equal(answer.status, 413);
  assert.deepEqual(stored, []);
});

test('200 for a body of exactly the limit', async () => {
  assert.deepEqual(await whole('a'.repeat(LIMIT)), { status: 200, body: { bytes: LIMIT } });
});

test('415 for another type, another charset and JSON', async () => {
  for (const type of ['text/plain', 'text/csv; charset=utf-16', 'application/json', 'text/csvx', '']) {
    const answer = await whole('a', { 'content-type': type });
    assert.equal(answer.status, 415, type);
    if (type !== '') assert.match(answer.body.message ?? '', /text\/csv or application\/jsonl/);
  }
  assert.equal((await whole('a', { 'content-type': 'Text/CSV; charset="UTF-8"; header=present' })).status, 200);
  assert.equal((await whole('a', { 'content-type': 'application/jsonl' })).status, 200);
  assert.equal(stored.length, 2);
});

test('408 for a sender that falls silent', async () => {
  let isAnswered = false;
  const answered = uploadTo(held, (send) => send('a')).finally(() => (isAnswered = true));
  await arrived.next();
  await clock.untilWaiting(BOUNDS.silenceMs);
  clock.advance(BOUNDS.silenceMs - 1);
  await new Promise(setImmediate);
  assert.equal(isAnswered, false, 'a millisecond before');
  clock.advance(1);
  const answer = await answered;
  assert.equal(answer.status, 408);
  assert.equal(answer.body.name, 'request_error');
  assert.deepEqual(stored, []);
});

test('408 for a sender that trickles for ever', async () => {
  const piecesPerSecond = 20;
  let pieces = 0;
  const answer = await uploadTo(held, async (send) => {
    const over = refused.next().then(() => true);
    for (let isOver = false; !isOver; ) {
      const next = arrived.next();
      await send('a');
      await next;
      pieces += 1;
      clock.advance(1_000 / piecesPerSecond);
      isOver = await Promise.race([over, new Promise<false>((resolve) => void setImmediate(resolve, false))]);
    }
  });
  assert.equal(answer.status, 408);
  // Each of its bytes earns a millisecond.
  const expected = (BOUNDS.graceMs / 1_000) * piecesPerSecond;
  assert.ok(pieces >= expected && pieces <= expected + 5, `${pieces} pieces`);
  assert.deepEqual(stored, []);
});

test('413 can be read by a sender that goes on sending, who is cut off five seconds later', async () => {
  const request = httpRequest({
    port: held.port,
    path: '/files',
    method: 'POST',
    headers: { authorization: 'Bearer good', 'content-type': 'text/csv' },
  });
  request.on('error', () => undefined); // the server cuts it off
  const answered = once(request, 'response') as Promise<[IncomingMessage]>; // of a request this is what comes
  request.write('a'.repeat(LIMIT + 1));
  const [response] = await answered;
  assert.equal(response.statusCode, 413);
  response.resume();
  const cutOff = once(request, 'close');
  await clock.untilWaiting(5_000);
  clock.advance(5_000);
  await cutOff;
});

test('an upload that breaks off leaves nothing, and is no failure of ours', async () => {
  const { errors, port } = patient;
  const noticed = refused.next();
  const request = httpRequest({
    port,
    path: '/files',
    method: 'POST',
    headers: { authorization: 'Bearer good', 'content-type': 'text/csv' },
  });
  request.on('error', () => undefined); // we end it ourselves
  const first = arrived.next();
  request.write('a');
  await first;
  request.destroy();
  await noticed;
  assert.deepEqual([stored, errors], [[], []]);
});

test('409 of the handler takes back what was received', async () => {
  assert.equal((await whole('abc', {}, '/files?fail=true')).status, 409);
  assert.equal(stored.length, 1);
  assert.deepEqual(discarded, stored);
});

test('400 for a wrong query before the body is read', async () => {
  assert.equal((await upload(async () => undefined, {}, '/files?fail=no')).status, 400);
  assert.deepEqual(stored, []);
});

test('200 again for a repetition with the same Idempotency-Key, whose file is taken back; 409 with another file', async () => {
  const headers = { 'idempotency-key': 'one' };
  assert.deepEqual(await whole('abc', headers), { status: 200, body: { bytes: 3 } });
  assert.deepEqual(discarded, []);
  assert.deepEqual(await whole('abc', headers), { status: 200, body: { bytes: 3 } });
  assert.equal(discarded.length, 1);
  assert.equal((await whole('abd', headers)).status, 409);
  assert.equal(discarded.length, 2);
  assert.equal((await whole('abc', headers, '/files?fail=true')).status, 409);
});

test('503 at once for a body that its reader is stopped in, however silent the sender is', async () => {
  const begins = begun.next();
  const came = arrived.next();
  const sent = uploadTo(held, async (send) => send('a,b\n'));
  const pieces = await begins;
  assert.equal(await came, 4);
  clock.advance(1_500);
  assert.deepEqual(pieces.progress(), { bytes: 4, waitedMs: 1_500 });
  pieces.stop(busy('Its place is needed.', 7));
  const { status, body } = await sent;
  assert.deepEqual([status, body.message], [503, 'Its place is needed.']);
  assert.deepEqual([stored, discarded], [[], []]);
});
