import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pb, safeNext } from './paths.ts';

test('these are all paths of the dashboard', () => {
  const ids = ['1', '2'] as const;
  const all = Object.values(pb).map((path) => (path as (...given: readonly string[]) => string)(...ids));
  assert.deepEqual(all, [
    '/',
    '/emails',
    '/emails/new',
    '/emails/1',
    '/sends/1',
    '/batches/1',
    '/scheduled-emails',
    '/scheduled-emails/1',
    '/scheduled-emails/1/edit',
    '/calendar',
    '/calendar?view=day&day=1',
    '/outbox',
    '/outbox/1',
    '/received',
    '/received?domain_id=1',
    '/received?thread_id=1',
    '/received/1',
    '/newsletters',
    '/newsletters/new',
    '/newsletters/1',
    '/newsletters/1?tab=2',
    '/newsletters/1/subscribers/2',
    '/newsletters/1/issues/2',
    '/newsletters/1/issues/2/edit',
    '/templates',
    '/templates/1',
    '/templates/1/edit',
    '/automations',
    '/automations/1',
    '/automations/1?tab=2',
    '/automations/1/runs/2',
    '/newsletters/1/import',
    '/imports',
    '/imports/1',
    '/domains',
    '/domains/1',
    '/domains/1?tab=2',
    '/relay',
    '/relay?tab=1',
    '/suppressions',
    '/suppressions/1',
    '/keys',
    '/keys/new',
    '/keys/1',
    '/webhooks',
    '/webhooks/new',
    '/webhooks/deliveries',
    '/webhooks/1',
    '/webhooks/1/deliveries/2',
    '/events',
    '/requests',
    '/requests/1',
    '/members',
    '/members/invitations',
    '/audit-log',
    '/security',
    '/settings',
    '/system',
    '/system/workspaces',
    '/account',
    '/account/sign-in',
    '/sign-in?next=1',
    '/forgot-password',
  ]);
});

test('signing in never leads to another site', () => {
  assert.equal(safeNext('/emails?status=failed'), '/emails?status=failed');
  for (const next of [
    undefined,
    '',
    'https://example.com',
    '//example.com',
    '/\\example.com',
    'javascript:alert(1)',
    '/sign-in?next=/',
  ])
    assert.equal(safeNext(next), '/');
});
