import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayManageRole, ROLES, roleMay } from './role-permissions.ts';
import { covers, expandScopes, SCOPES } from './scopes.ts';

const rolesThatMay = (scope: string): string[] => ROLES.filter((role) => roleMay(role, scope));

test('only owner and admin may do everything', () => {
  assert.deepEqual(rolesThatMay('*'), ['owner', 'admin']);
});

test('an editor composes and never sends; a publisher does both', () => {
  for (const scope of SCOPES.filter((name) => name.endsWith(':send')))
    assert.equal(roleMay('editor', scope), false, scope);
  for (const scope of ['issues:send', 'broadcasts:send', 'emails:send']) assert.ok(roleMay('publisher', scope), scope);
  for (const scope of ['newsletters:write', 'issues:write', 'templates:write', 'contacts:write'])
    assert.ok(roleMay('editor', scope), scope);
});

test('a developer has keys, domains, webhooks and sending, and leaves newsletters alone', () => {
  for (const scope of ['api_keys:write', 'domains:write', 'webhooks:write', 'emails:send']) {
    assert.deepEqual(rolesThatMay(scope).includes('developer'), true, scope);
  }
  for (const scope of ['newsletters:write', 'issues:send', 'broadcasts:send'])
    assert.equal(roleMay('developer', scope), false);
});

test('a viewer reads everything but the audit log, and changes nothing', () => {
  for (const scope of SCOPES) {
    assert.equal(roleMay('viewer', scope), scope.endsWith(':read') && scope !== 'audit:read', scope);
  }
  assert.deepEqual(rolesThatMay('audit:read'), ['owner', 'admin']);
});

test('only owners manage owners', () => {
  assert.deepEqual(
    ROLES.filter((role) => mayManageRole(role, 'owner')),
    ['owner'],
  );
  assert.deepEqual(
    ROLES.filter((role) => mayManageRole(role, 'viewer')),
    ['owner', 'admin'],
  );
});

test('writing includes reading; reading and sending include nothing', () => {
  assert.ok(covers(new Set(['domains:write']), 'domains:read'));
  assert.ok(!covers(new Set(['domains:read']), 'domains:write'));
  assert.ok(!covers(new Set(['issues:send']), 'issues:read'));
  assert.ok(!covers(new Set(['domains:write']), '*'));
  assert.ok(covers(new Set(['*']), 'anything:read'));
});

test('presets are written out once; names that are none are pointed at', () => {
  assert.deepEqual(expandScopes(['sending_access', 'emails:send']).scopes, [
    'emails:send',
    'emails:read',
    'scheduled:write',
    'templates:read',
  ]);
  assert.deepEqual(expandScopes(['full_access', 'emails:send']), { scopes: ['*'], unknown: [] });
  assert.deepEqual(expandScopes(['emails:send', 'constructor', 'emails:read', 'send']).unknown, [1, 3]);
  assert.deepEqual(expandScopes(['__proto__']).unknown, [0]);
});
