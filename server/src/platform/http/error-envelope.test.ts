import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AppError,
  conflict,
  forbidden,
  invalid,
  notFound,
  rateLimited,
  unacceptable,
  unauthenticated,
  unavailable,
} from '../errors/app-error.ts';
import { ERROR_GUIDE } from '../errors/error-guide.ts';
import { ERROR_NAMES, ERROR_TABLE } from '../errors/error-table.ts';
import { asAppError, errorAnswer, statusOf } from './error-envelope.ts';
import { HttpError } from './http-error.ts';

const DOCS = 'https://mail.example.com/docs';
const answerTo = (error: AppError) => errorAnswer(error, 'req_12345678', DOCS);

test('the envelope of every name', () => {
  for (const name of ERROR_NAMES) {
    const { status, body } = answerTo(new AppError(name, 'Why.'));
    assert.equal(status, ERROR_TABLE[name].http);
    assert.equal(body['statusCode'], status);
    assert.equal(body['name'], name);
    assert.equal(body['message'], 'Why.');
    assert.equal(body['requestId'], 'req_12345678');
    assert.equal(body['documentation'], `${DOCS}/errors#${name}`);
    assert.equal('param' in body || 'details' in body, false);
  }
});

test('the names and statuses that callers branch on', () => {
  assert.deepEqual(Object.fromEntries(ERROR_NAMES.map((name) => [name, ERROR_TABLE[name].http])), {
    authentication_error: 401,
    permission_error: 403,
    validation_error: 400,
    not_found_error: 404,
    conflict_error: 409,
    rate_limit_error: 429,
    service_unavailable_error: 503,
    timeout_error: 504,
    internal_error: 500,
    request_error: 400,
  });
  assert.deepEqual(Object.keys(ERROR_GUIDE).sort(), [...ERROR_NAMES].sort());
});

test('400 when it cannot be read, 422 when it is not acceptable: one name', () => {
  assert.equal(statusOf(invalid('to', 'x')), 400);
  assert.equal(statusOf(unacceptable('from', 'x')), 422);
  assert.equal(answerTo(unacceptable('from', 'x')).body['name'], 'validation_error');
  assert.equal(answerTo(unacceptable('from', 'x')).body['param'], 'from');
});

test('details, param and nothing that is for the log', () => {
  const error = new AppError('validation_error', 'Two.', {
    param: 'a',
    details: ['a is bad', 'b is bad'],
    internal: 'hunter2',
    cause: new Error('hunter2'),
  });
  const { body } = answerTo(error);
  assert.deepEqual([body['param'], body['details']], ['a', ['a is bad', 'b is bad']]);
  assert.doesNotMatch(JSON.stringify(body), /hunter2|stack/);
});

test('a full limit says when it is open again, in the body and in Retry-After', () => {
  const { body, headers } = answerTo(
    rateLimited('Full.', { retryAfterSeconds: 90, resetAt: new Date('2026-12-01T10:00:00Z') }),
  );
  assert.equal(body['retryAfter'], 90);
  assert.equal(body['resetAt'], '2026-12-01T10:00:00.000Z');
  assert.equal(headers['retry-after'], '90');
});

test('401 names the scheme', () => {
  assert.equal(answerTo(unauthenticated('No.')).headers['www-authenticate'], 'Bearer');
  assert.equal(answerTo(forbidden('No.')).headers['www-authenticate'], undefined);
});

test('503 says when to try again', () => {
  assert.equal(answerTo(unavailable('Not now.')).headers['retry-after'], '1');
});

test('an id of any length is cut in the message', () => {
  assert.equal(notFound('email', 'x'.repeat(10_000)).message.length < 100, true);
});

test('an error we did not expect shows nothing of itself', () => {
  for (const thrown of [
    new Error('hunter2'),
    'hunter2',
    { message: 'hunter2' },
    null,
    undefined,
    Object.assign(new Error('hunter2'), { code: '42P01' }),
  ]) {
    const error = asAppError(thrown);
    assert.equal(error.name, 'internal_error');
    assert.doesNotMatch(JSON.stringify(answerTo(error)), /hunter2/);
    assert.equal(error.cause, thrown);
  }
});

test('a lost database is 503, and does not say what nobody can know: that nothing was done', () => {
  for (const code of ['ECONNREFUSED', '57P01', '08006', '53300', '25006']) {
    const error = asAppError(Object.assign(new Error('connect 10.0.0.7 failed'), { code }));
    assert.equal(statusOf(error), 503, code);
    assert.match(error.message, /Idempotency-Key/);
    assert.doesNotMatch(error.message, /nothing was/i);
    assert.doesNotMatch(error.message, /10\.0\.0\.7/);
  }
});

test('503 for a request that lost to others again and again: it was undone, and may be repeated', () => {
  for (const code of ['40P01', '40001']) {
    const error = asAppError(Object.assign(new Error('deadlock detected'), { code }));
    assert.equal(statusOf(error), 503, code);
    assert.equal(error.extras.retryAfterSeconds, 1);
  }
});

test('errors of ours stay what they are', () => {
  const error = conflict('Taken.', 'slug');
  assert.equal(asAppError(error), error);
  assert.equal(errorAnswer(new HttpError(415, 'x'), 'req_12345678', DOCS, 415).body['statusCode'], 415);
});
