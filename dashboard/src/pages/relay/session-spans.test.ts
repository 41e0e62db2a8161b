import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAboutDomain } from './refusal-help.ts';
import { sinceOf } from './session-spans.ts';

test('a span begins at a whole minute, so that the same page asks the same question', () => {
  const now = Date.parse('2026-11-20T10:00:42.500Z');
  assert.equal(sinceOf('1h', now), '2026-11-20T09:00:00.000Z');
  assert.equal(sinceOf('1h', now), sinceOf('1h', now + 10_000));
  assert.equal(sinceOf(undefined, now), undefined);
  assert.equal(sinceOf('2026-11-19T00:00:00Z', now), '2026-11-19T00:00:00Z');
});

test('a refusal of the domain of the sender leads to the domains, and no other does', () => {
  const refusal = {
    at: '',
    stage: 'MAIL' as const,
    code: 550,
    status: '5.7.1',
    text: 'The domain a.example is not verified.',
  };
  assert.equal(isAboutDomain(refusal), true);
  assert.equal(isAboutDomain({ ...refusal, code: 451 }), false);
  assert.equal(isAboutDomain({ ...refusal, status: '5.1.1' }), false);
  assert.equal(isAboutDomain({ ...refusal, text: 'The key may not send.' }), false);
});
