import assert from 'node:assert/strict';
import { test } from 'node:test';
// The only import of server code here: this test compares the copy with the list that decides.
import { expandScopes, SCOPES } from '../../../../server/src/features/workspaces/permissions/scopes.ts';
import { ALL_SCOPES, describeScopes, isCovered, PRESETS } from './scopes.ts';

test('the checklist has every scope of the server, each once', () => {
  assert.deepEqual(ALL_SCOPES.toSorted(), SCOPES.toSorted());
});

test('a preset is what the server understands by it', () => {
  const names = ['sending_access', 'read_only', 'full_access'];
  for (const [index, { scopes }] of PRESETS.entries()) {
    assert.deepEqual(scopes.toSorted(), expandScopes([names[index] ?? '']).scopes.toSorted());
  }
});

test('write includes read, and send includes neither', () => {
  assert.equal(isCovered(['domains:write'], 'domains:read'), true);
  assert.equal(isCovered(['emails:send'], 'emails:read'), false);
  assert.equal(isCovered(['*'], 'emails:read'), true);
});

test('a few scopes are named, and many counted', () => {
  assert.equal(describeScopes(['*']), 'Full access');
  assert.equal(describeScopes(['templates:read', 'emails:send', 'emails:read', 'scheduled:write']), 'Sending');
  assert.equal(describeScopes(['emails:send']), 'emails:send');
  assert.equal(describeScopes(['a:read', 'b:read', 'c:read']), '3 scopes');
});
