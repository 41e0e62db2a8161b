import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMsOf } from '../../../test/harness/cpu-time.ts';
import { SES_ERRORS } from '../../../test/harness/ses-faults.ts';
import { judgeAnswer } from './judge-answer.ts';

const FROM = 'shop@example.com';
const judge = (status: number, body: string, headers: Record<string, string> = {}) =>
  judgeAnswer({ status, headers, body: Buffer.from(body) }, FROM);
const judgeError = (name: keyof typeof SES_ERRORS) => {
  const fault = SES_ERRORS[name];
  assert.ok(fault.act === 'error');
  return judge(fault.status, JSON.stringify({ message: fault.message }), { 'x-amzn-errortype': fault.code });
};

test('200 with a MessageId is accepted under that id', () => {
  assert.deepEqual(judge(200, '{"MessageId":"0100-a"}'), {
    kind: 'accepted',
    providerMessageId: '0100-a',
    response: '200 0100-a',
  });
});

test('200 with anything else is unknown: never sent with an empty id', () => {
  for (const body of [
    '',
    '{}',
    '[]',
    'null',
    '{"MessageId":""}',
    '{"MessageId":" "}',
    '{"MessageId":7}',
    '{"MessageId"',
    '<html>Please sign in</html>',
  ])
    assert.equal(judge(200, body).kind, 'unknown', body);
});

test('an error about this message refuses it, in the words of SES', () => {
  for (const name of ['unverifiedRecipient', 'badContent', 'badAddress'] as const) {
    const fault = SES_ERRORS[name];
    const verdict = judgeError(name);
    assert.equal(verdict.kind, 'refused', name);
    assert.ok(fault.act === 'error' && verdict.response.includes(fault.message), verdict.response);
  }
});

test('a sender that is not verified is the operator’s: later, and nobody else waits', () => {
  for (const name of ['unverifiedSender', 'mailFrom'] as const) {
    const verdict = judgeError(name);
    assert.partialDeepStrictEqual(verdict, { kind: 'temporary', code: 400, throttled: false });
    assert.ok(!('everyMessage' in verdict), name);
  }
});

test('an error that affects every message is reported as such', () => {
  for (const name of ['noConfigurationSet', 'suspended', 'paused'] as const)
    assert.partialDeepStrictEqual(judgeError(name), { kind: 'temporary', everyMessage: true }, name);
  assert.partialDeepStrictEqual(judge(302, ''), { kind: 'temporary', everyMessage: true });
  assert.partialDeepStrictEqual(judge(404, '<html>nothing here</html>'), { kind: 'temporary', everyMessage: true });
});

test('trouble with credentials has code 403, so that everything waits and nothing fails', () => {
  for (const name of ['expiredToken', 'unknownKey', 'skew', 'denied'] as const)
    assert.partialDeepStrictEqual(judgeError(name), { kind: 'temporary', code: 403, throttled: false }, name);
  const asBadRequest = judge(400, '{"__type":"com.amazon.coral.service#ExpiredTokenException","message":"old"}');
  assert.partialDeepStrictEqual(asBadRequest, { kind: 'temporary', code: 403 });
  assert.partialDeepStrictEqual(judge(403, '<html>blocked</html>'), { kind: 'temporary', code: 403 });
  assert.partialDeepStrictEqual(judge(400, '{"code":"RequestExpired","message":"late"}'), { code: 403 });
});

test('too fast is throttled; the quota of the day names the wait of ten minutes', () => {
  const rate = judgeError('rate');
  assert.partialDeepStrictEqual(rate, { kind: 'temporary', throttled: true });
  assert.ok(!('retryAfterSeconds' in rate));
  assert.partialDeepStrictEqual(judgeError('quota'), { kind: 'temporary', throttled: true, retryAfterSeconds: 600 });
  for (const code of ['ThrottlingException', 'Throttling', 'LimitExceededException', 'BadRequestException'])
    assert.partialDeepStrictEqual(
      judge(400, '{"message":"Daily message quota exceeded"}', { 'x-amzn-errortype': code }),
      { kind: 'temporary', throttled: true, retryAfterSeconds: 600 },
      code,
    );
  assert.partialDeepStrictEqual(judge(429, '', { 'retry-after': '7' }), { throttled: true, retryAfterSeconds: 7 });
});

test('a server error of AWS is temporary; of somebody in between it is unknown, except 503', () => {
  assert.partialDeepStrictEqual(judgeError('internal'), { kind: 'temporary', code: 500 });
  assert.partialDeepStrictEqual(judgeError('unavailable'), { kind: 'temporary', code: 503 });
  assert.partialDeepStrictEqual(judge(503, '<html>back soon</html>'), { kind: 'temporary', code: 503 });
  for (const status of [500, 502, 504]) assert.equal(judge(status, '<html>bad gateway</html>').kind, 'unknown');
});

test('an error that nobody has told us about is tried again, not refused', () => {
  assert.partialDeepStrictEqual(judge(400, '{"message":"?"}', { 'x-amzn-errortype': 'BrandNewException' }), {
    kind: 'temporary',
    code: 400,
    throttled: false,
  });
});

test('nobody stops everybody’s mail by what they call themselves', () => {
  for (const name of [
    'Daily message quota exceeded',
    'Maximum sending rate exceeded',
    'Account suspended',
    'Email sending is paused',
    'Configuration set x does not exist',
  ]) {
    const message = `Email address is not verified. The following identities failed the check in region US-EAST-1: ${name} <shop@example.com>`;
    const verdict = judge(400, JSON.stringify({ message }), { 'x-amzn-errortype': 'MessageRejected' });
    assert.partialDeepStrictEqual(verdict, { kind: 'temporary', throttled: false, code: 400 }, name);
    assert.ok(!('everyMessage' in verdict), name);
    const echoed = judge(400, JSON.stringify({ message: `Bad header: ${name}` }), {
      'x-amzn-errortype': 'BadRequestException',
    });
    assert.equal(echoed.kind, 'refused', name);
  }
});

test('whatever senders and servers write into an answer, judging it takes no time', () => {
  const start = 'Email address is not verified. The following identities failed the check in region US-EAST-1: ';
  for (const hostile of ['<', '> ', '< ', ',', ' ']) {
    const body = JSON.stringify({ message: start + hostile.repeat(100_000) });
    const took = cpuMsOf(() => judge(400, body, { 'x-amzn-errortype': 'MessageRejected' }));
    assert.ok(took < 500, `${hostile}: ${took} ms`);
  }
});
