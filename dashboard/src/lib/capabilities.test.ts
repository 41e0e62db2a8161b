import assert from 'node:assert/strict';
import { test } from 'node:test';
// The only import of server code: this test compares the copy with the rule that decides.
import {
  managesWorkspace,
  mayManageRole as serverMayManage,
  ROLES as SERVER_ROLES,
  roleMay as serverMay,
} from '../../../server/src/features/workspaces/permissions/role-permissions.ts';
import { ACTION_NAMES, mayManageRole, ROLES, roleMay, whyNot } from './capabilities.ts';

test('a role may do here exactly as much as the server allows', () => {
  assert.deepEqual(ROLES, SERVER_ROLES);
  for (const role of ROLES) {
    for (const action of ACTION_NAMES) {
      const allowed =
        action === 'workspace:manage' || action === 'workspace:audit'
          ? managesWorkspace(role)
          : action === 'workspace:delete'
            ? role === 'owner'
            : serverMay(role, action);
      assert.equal(roleMay(role, action), allowed, `${role} ${action}`);
    }
  }
});

test('the reason names the role, the action and the roles that may', () => {
  assert.equal(
    whyNot('editor', 'issues:send'),
    'Your role (editor) may not send issues. Owners, admins and publishers may.',
  );
  assert.equal(whyNot('publisher', 'issues:send'), undefined);
});

test('a role hands out and changes the same roles here as on the server', () => {
  for (const actor of ROLES)
    for (const subject of ROLES)
      assert.equal(mayManageRole(actor, subject), serverMayManage(actor, subject), `${actor} ${subject}`);
});
