import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES } from '../../lib/capabilities.ts';
import { ROLE_WORDS, type Standing, whyNotChange, whyNotGive, whyNotRemove } from './roles.ts';

const standing = (change: Partial<Standing>): Standing => ({
  mine: 'owner',
  isMe: false,
  theirs: 'editor',
  isLastOwner: false,
  ...change,
});

test('every role has words, in the order of the server', () => {
  assert.deepEqual(
    ROLE_WORDS.map(({ value }) => value),
    ROLES,
  );
});

test('owners and admins change and remove others; an admin leaves owners alone', () => {
  for (const mine of ['owner', 'admin'] as const) {
    assert.equal(whyNotChange(standing({ mine })), undefined);
    assert.equal(whyNotRemove(standing({ mine })), undefined);
  }
  assert.equal(whyNotChange(standing({ theirs: 'owner' })), undefined);
  assert.match(whyNotChange(standing({ mine: 'admin', theirs: 'owner' })) ?? '', /^Only an owner/);
  assert.match(whyNotRemove(standing({ mine: 'admin', theirs: 'owner' })) ?? '', /^Only an owner/);
  assert.equal(whyNotGive('owner', 'owner'), undefined);
  assert.match(whyNotGive('admin', 'owner') ?? '', /^Only an owner/);
});

test('nobody else changes or removes anybody, and the reason names the role', () => {
  for (const mine of ['developer', 'publisher', 'editor', 'viewer'] as const) {
    assert.match(whyNotChange(standing({ mine })) ?? '', new RegExp(`Your role \\(${mine}\\)`));
    assert.match(whyNotRemove(standing({ mine })) ?? '', new RegExp(`Your role \\(${mine}\\)`));
  }
});

test('nobody changes their own role; everybody may leave, but the last owner', () => {
  for (const mine of ROLES) {
    assert.match(whyNotChange(standing({ mine, theirs: mine, isMe: true })) ?? '', /your own role/);
    assert.equal(whyNotRemove(standing({ mine, theirs: mine, isMe: true })), undefined);
  }
  const last = standing({ theirs: 'owner', isMe: true, isLastOwner: true });
  assert.match(whyNotChange(last) ?? '', /last owner/);
  assert.match(whyNotRemove(last) ?? '', /last owner/);
});
