import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, errorSentence, faultsByField, faultsOf, readFailure } from './api-error.ts';

const refusal = (more: object) =>
  readFailure(
    { statusCode: 400, name: 'validation_error', message: 'subject is required', requestId: 'req-1', ...more },
    { status: 400, requestId: 'req-1', retryAfter: undefined },
  );

test('a refusal is its message and its request id', () => {
  assert.equal(errorSentence(refusal({})), 'subject is required. (request req-1)');
});

test('several faults are all named', () => {
  const error = refusal({ details: ['to[2] must be an email', 'subject is required'], param: 'to[2]' });
  assert.equal(errorSentence(error), 'to[2] must be an email. subject is required. (request req-1)');
  assert.deepEqual(faultsOf(error), [
    { param: 'to[2]', sentence: 'to[2] must be an email.' },
    { param: 'subject', sentence: 'subject is required.' },
  ]);
});

test('a fault belongs to the longest field name that the form has', () => {
  const error = refusal({ details: ['limits.daily must be a number', 'allowed_ips[1] is bad', 'other is bad'] });
  const { byField, rest } = faultsByField(error, ['limits.daily', 'limits', 'allowed_ips']);
  assert.deepEqual(byField, {
    'limits.daily': 'It must be a number.',
    allowed_ips: 'Entry 2 is bad.',
  });
  assert.deepEqual(rest, [{ param: 'other', sentence: 'other is bad.' }]);
});

test('beside its field a fault does not repeat the name that the API has for it; a sentence of its own stays', () => {
  const error = refusal({ details: ['from_name is too long', 'slug: the address is taken', 'limits.x is bad'] });
  const { byField } = faultsByField(error, ['from_name', 'slug', 'limits']);
  assert.deepEqual(byField, {
    from_name: 'It is too long.',
    slug: 'slug: the address is taken.',
    limits: 'limits.x is bad.',
  });
});

test('a limit says when to try again', () => {
  const error = readFailure(
    { message: 'Too many attempts.', name: 'rate_limit_error', requestId: 'r' },
    { status: 429, requestId: 'r', retryAfter: '40' },
  );
  assert.equal(errorSentence(error), 'Too many attempts. Try again in 40 seconds. (request r)');
});

test('a lost connection and an answer that is not ours are sentences too', () => {
  assert.equal(
    errorSentence(readFailure(new TypeError('Failed to fetch'), undefined)),
    'Posthorn cannot be reached. Check your connection.',
  );
  assert.equal(
    errorSentence(
      readFailure('<html>Bad gateway</html>', { status: 502, requestId: undefined, retryAfter: undefined }),
    ),
    'The server gave an answer that cannot be read (status 502).',
  );
  assert.equal(errorSentence(new TypeError('x is undefined')), 'The page failed: x is undefined.');
  assert.ok(readFailure({}, undefined) instanceof ApiError);
});

test('a time in a sentence is told in the zone of the person', () => {
  const message = 'The earliest time is 2026-12-01T08:00:00.000Z, at the pace of now.';
  const error = refusal({ message, param: 'finish_by' });
  assert.match(errorSentence(error), /^The earliest time is Tue, Dec 0?1, 2026, \d\d:00:00 \S+, at the pace of now\./);
  assert.match(faultsByField(error, ['finish_by']).byField['finish_by'] ?? '', /Dec 0?1, 2026/);
});
