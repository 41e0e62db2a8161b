import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matches } from './command.ts';

test('a command is found by the beginnings of its words, in any order', () => {
  const command = { label: 'Create an API key', group: 'Action', also: 'token' };
  for (const query of ['', 'api', 'key cre', 'tok', 'CREATE']) assert.equal(matches(command, query), true, query);
  for (const query of ['pi', 'key delete', 'webhook']) assert.equal(matches(command, query), false, query);
});
