import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SafeAnswer, SafeFetch, SafeRequest } from '#platform/safe-fetch/safe-fetch.ts';
import { printable } from './printable.ts';
import { sendAttempt } from './send-attempt.ts';
import { signatureHeaders } from './signature.ts';

const NOW = new Date('2026-11-20T10:00:00.900Z');

/** Answers as told, and remembers what it was asked. */
function answering(answer: SafeAnswer): SafeFetch & { asked: (SafeRequest & { url: string })[] } {
  const asked: (SafeRequest & { url: string })[] = [];
  return {
    asked,
    checkUrl: async (url) => url,
    request: async (url, request) => {
      asked.push({ ...request, url });
      return answer;
    },
    close: async () => undefined,
  };
}

const answered = (status: number, given: { headers?: Record<string, string>; body?: Buffer } = {}): SafeAnswer => ({
  kind: 'answered',
  status,
  statusText: '',
  headers: given.headers ?? {},
  body: given.body ?? Buffer.alloc(0),
  truncated: false,
  tookMs: 12,
});

const EVENT_ID = '0197f400-1c2d-7abc-8def-0123456789ab';

const attemptWith = (safeFetch: SafeFetch) =>
  sendAttempt({
    safeFetch,
    webhookId: 'w-1',
    url: 'https://example.com/hooks',
    secrets: ['whsec_a', 'whsec_b'],
    body: '{"a":1}',
    eventId: EVENT_ID,
    eventType: 'send',
    deliveryId: 'd-1',
    attempt: 2,
    now: NOW,
  });

test('an attempt is one signed POST of exactly the body, ten seconds long, of which 64 KB are read', async () => {
  const fetch = answering(answered(200));
  await attemptWith(fetch);
  assert.deepEqual(fetch.asked, [
    {
      url: 'https://example.com/hooks',
      method: 'POST',
      headers: signatureHeaders({
        body: '{"a":1}',
        secrets: ['whsec_a', 'whsec_b'],
        timestampSeconds: Math.floor(NOW.getTime() / 1_000),
        eventId: EVENT_ID,
        eventType: 'send',
        deliveryId: 'd-1',
        attempt: 2,
      }),
      body: '{"a":1}',
      onBehalfOf: 'w-1',
      timeoutMs: 10_000,
      bodyBytesMax: 65_536,
    },
  ]);
});

test('only 200 to 299 is success', async () => {
  for (const status of [200, 201, 204, 299]) {
    const outcome = await attemptWith(answering(answered(status, { body: Buffer.from('thanks') })));
    assert.deepEqual(outcome, {
      status,
      statusText: '',
      responseBody: 'thanks',
      tookMs: 12,
      error: null,
      retryAfterSeconds: null,
      blocked: false,
    });
  }
  for (const status of [0, 199, 300, 301, 304, 400, 404, 410, 429, 500, 503, 600]) {
    const outcome = await attemptWith(answering(answered(status)));
    assert.equal(outcome.status, status);
    assert.match(outcome.error ?? '', new RegExp(`answered ${status}`));
  }
  assert.match((await attemptWith(answering(answered(301)))).error ?? '', /redirects are not followed/);
});

test('a request that was not sent or got no answer has a reason and no status', async () => {
  const blocked = await attemptWith(answering({ kind: 'blocked', reason: 'not public', tookMs: 1 }));
  assert.deepEqual(blocked, {
    status: null,
    statusText: '',
    responseBody: '',
    tookMs: 1,
    error: 'not public',
    retryAfterSeconds: null,
    blocked: true,
  });
  const failed = await attemptWith(answering({ kind: 'failed', reason: 'no answer', tookMs: 10_000 }));
  assert.deepEqual([failed.status, failed.error, failed.blocked], [null, 'no answer', false]);
});

test('Retry-After is read from 429 and 503, as seconds or as a date', async () => {
  const asked = async (status: number, value: string): Promise<number | null> =>
    (await attemptWith(answering(answered(status, { headers: { 'retry-after': value } })))).retryAfterSeconds;
  assert.equal(await asked(429, '120'), 120);
  assert.equal(await asked(503, 'Fri, 20 Nov 2026 10:01:00 GMT'), 60);
  assert.equal(await asked(503, 'Fri, 20 Nov 2026 09:00:00 GMT'), 0);
  assert.equal(await asked(500, '120'), null);
  for (const value of ['', '-1', '1.5', '1e3', 'soon', '2026-11-20', '99999999999'])
    assert.equal(await asked(429, value), null);
});

test('an answer is kept up to 4 KB, and nothing in it acts on a terminal or a log', async () => {
  const body = Buffer.concat([Buffer.from('a\x1b[31m\r\nb\0\u202ec\u0085 é🎉\t'), Buffer.from([0xff, 0xc3])]);
  assert.equal(printable(body, 4_096), 'a\\u001b[31m\\u000d\nb\\u0000\\u202ec\\u0085 é🎉\t\ufffd\ufffd');
  const long = await attemptWith(answering(answered(200, { body: Buffer.from(`x${'é'.repeat(30_000)}`) })));
  assert.equal(long.responseBody, `x${'é'.repeat(2_047)}`);
  const escaped = await attemptWith(answering(answered(200, { body: Buffer.alloc(60_000) })));
  assert.ok(Buffer.byteLength(escaped.responseBody) <= 4_096);
  assert.match(escaped.responseBody, /^(\\u0000)+$/);
});
