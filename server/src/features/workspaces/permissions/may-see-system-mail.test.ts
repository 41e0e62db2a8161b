import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Actor, publicActor } from '#platform/http/context.ts';
import { maySeeSystemMail } from './may-see-system-mail.ts';

const person = (role: string, may: Actor['may'] = () => true): Actor => ({ ...publicActor, type: 'user', role, may });
const key = (...scopes: string[]): Actor => ({
  ...publicActor,
  type: 'api_key',
  may: (scope) => scopes.includes('*') || scopes.includes(scope),
});

test('links that sign people in are shown to owners, not to admins, who would become owner by them', () => {
  assert.equal(maySeeSystemMail(person('owner')), true);
  for (const role of ['admin', 'developer', 'publisher', 'editor', 'viewer']) {
    assert.equal(maySeeSystemMail(person(role)), false, role);
  }
});

test('of keys only those with every scope see mail of the system, and without a caller nobody does', () => {
  assert.equal(maySeeSystemMail(key('*')), true);
  assert.equal(maySeeSystemMail(key('emails:read', 'emails:send', 'logs:read')), false);
  assert.equal(maySeeSystemMail(publicActor), false);
});
