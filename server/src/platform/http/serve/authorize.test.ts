import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../errors/app-error.ts';
import { type Actor, publicActor } from '../context.ts';
import type { Access } from '../route.ts';
import { checkAccess } from './authorize.ts';

const key: Actor = { ...publicActor, type: 'api_key', workspaceId: 'w', may: (scope) => scope === 'things:read' };
const user: Actor = { ...publicActor, type: 'user', workspaceId: 'w', role: 'viewer' };
const read = { scope: 'things:read' };
const write = { scope: 'things:write' };

const cases: [string, Access, Actor, string | undefined][] = [
  ['anybody may call a public route', 'public', publicActor, undefined],
  ['a key with the scope may call', read, key, undefined],
  ['a key without the scope may not', write, key, 'permission_error'],
  ['a role without the permission may not', write, user, 'permission_error'],
  ['a signed-in user may call a route for users', 'user', { ...user, workspaceId: null }, undefined],
  ['a key may not call a route for users', 'user', key, 'authentication_error'],
  ['a user has to name the workspace', read, { ...user, workspaceId: null }, 'validation_error'],
];
for (const [name, access, actor, refusal] of cases) {
  test(name, () => {
    if (refusal === undefined) checkAccess(access, actor);
    else
      assert.throws(
        () => checkAccess(access, actor),
        (error) => error instanceof AppError && error.name === refusal,
      );
  });
}
