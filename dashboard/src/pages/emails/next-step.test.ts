import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inWordsOfThePage } from './next-step.ts';

const JUDGE = new URL('../../../../server/src/features/emails/records/judge-email.ts', import.meta.url);

test('every call that the server names as a next step is said in words of the page', () => {
  const steps = [...readFileSync(JUDGE, 'utf8').matchAll(/nextStep:[^']*'([^']*)'/g)].map(([, step = '']) => step);
  const calls = steps.filter((step) => /\/v1\/(?!provider)/.test(step));
  assert.ok(calls.length >= 5, calls.join('\n'));
  for (const step of calls) assert.doesNotMatch(inWordsOfThePage(step), /\/v1\/(?!provider)/);
});
