import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitOfRefusal } from './send-limit.ts';

test('the refusal by a limit is told from every other one, so that the way out can stand beside it', () => {
  const refusals: [unknown, string | undefined][] = [
    ['daily limit of 500 reached for acme.com; resets 2026-11-21T00:00:00Z', 'domain'],
    ['Monthly limit of 0 reached for acme.com; resets 1 December 2026 at 01:00.', 'domain'],
    ['The quota of this workspace is 10 emails a month, and it has no room for this send. It resets …', 'workspace'],
    ['acme.com is not a verified domain of this workspace.', undefined],
    ['to may have at most 1,000 addresses', undefined],
    [undefined, undefined],
  ];
  for (const [sentence, limit] of refusals) assert.equal(limitOfRefusal(sentence), limit, String(sentence));
});
