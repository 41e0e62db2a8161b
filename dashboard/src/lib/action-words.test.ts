import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionWords, fieldWords } from './action-words.ts';

test('names of actions and records become words', () => {
  for (const [name, words] of [
    ['user.signed_in', 'User signed in'],
    ['api_key.created', 'API key created'],
    ['domain.dkim_rotation_begun', 'Domain DKIM rotation begun'],
    ['session', 'Session'],
    ['broadcast.page_sent', 'Broadcast page of recipients written'],
    ['', ''],
  ] as const)
    assert.equal(actionWords(name), words);
});

test('names of fields become words within a sentence', () => {
  assert.equal(fieldWords('from_email'), 'from email');
  assert.equal(fieldWords('html_body'), 'HTML body');
});
