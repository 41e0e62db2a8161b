import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { MAILING_ACTIONS, RECORD_ACTIONS } from './audit-actions.ts';
import { ACTION_OPTIONS, changeWords, entryWords, recordWords } from './audit-words.ts';

const ID = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';

test('an entry names its record by its new name, else by what its details tell', () => {
  const target = { type: 'api_key', id: ID };
  const changes = { name: { before: 'Shop', after: 'Web shop' } };
  assert.equal(recordWords({ target, details: { name: 'Shop', changes } }), 'API key Web shop');
  assert.equal(
    recordWords({ target: { type: 'domain', id: ID }, details: { domain: 'a.example' } }),
    'Domain a.example',
  );
  const broadcast = { type: 'broadcast', id: ID };
  assert.equal(recordWords({ target: broadcast, details: { total: 3, record_name: 'Launch' } }), 'Broadcast Launch');
  const address = { type: 'suppression', id: 'ada@example.com' };
  assert.equal(recordWords({ target: address, details: {} }), 'Suppression ada@example.com');
});

test('an action that is a verb alone is told with its record', () => {
  assert.equal(entryWords({ action: 'created', target: { type: 'issue', id: ID }, details: {} }), 'Issue created');
  assert.equal(
    entryWords({ action: 'api_key.rotated', target: { type: 'api_key', id: ID }, details: {} }),
    'API key rotated',
  );
});

test('an entry shows the kind of a record without a name, and no part of its id', () => {
  assert.equal(recordWords({ target: { type: 'webhook', id: ID }, details: {} }), 'Webhook');
  assert.equal(recordWords({ target: { type: null, id: null }, details: {} }), '');
});

test('a dry run of an import is told from an import, and names its list', () => {
  const target = { type: 'list', id: ID };
  const details = { name: 'Everybody', dry_run: true };
  assert.equal(entryWords({ action: 'import.created', target, details }), 'Import tried, nothing changed');
  assert.equal(
    entryWords({ action: 'import.created', target, details: { ...details, dry_run: false } }),
    'Import created',
  );
  assert.equal(recordWords({ target, details }), 'List Everybody');
});

test('an entry tells what it changed, or how many people it is about', () => {
  const changes = { track_opens: { before: null, after: true }, subject: { before: 'a', after: 'b' } };
  assert.equal(changeWords({ details: { changes, fields: ['track_opens', 'subject'] } }), 'Track opens, subject');
  const page = { page: 1, sent: 497, failed: 2, skipped_unsubscribed: 1, record_name: 'Autumn news' };
  assert.equal(changeWords({ details: page }), 'Page 1, 497 to send, 2 not sent, 1 had left');
  assert.equal(changeWords({ details: {} }), '');
});

test('the filter offers each action that the documentation lists, and no two look the same', () => {
  const page = readFileSync(new URL('../../../../docs/audit.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, action = '']) => action);
  const bare = /no noun: ([^.]+)\./.exec(page)?.[1]?.match(/[a-z_]{4,}/g);
  assert.deepEqual(new Set(RECORD_ACTIONS), new Set(named));
  assert.deepEqual(bare, MAILING_ACTIONS);
  assert.equal(new Set(ACTION_OPTIONS.map(({ label }) => label)).size, ACTION_OPTIONS.length);
});
