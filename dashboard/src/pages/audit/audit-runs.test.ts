import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '../../api/generated/types.gen.ts';
import { changesOfRun, runsOf } from './audit-runs.ts';

const ADA = { type: 'user', id: 'ada', email: 'ada@example.com', ip: '192.0.2.1' } as const;

/** The subject of an issue at a minute of an hour. */
const saved = (minute: number, before: string, after: string, other: Partial<AuditEntry> = {}): AuditEntry => ({
  id: `entry-${minute}`,
  at: new Date(Date.UTC(2026, 10, 28, 10, minute)).toISOString(),
  actor: ADA,
  action: 'issue.updated',
  target: { type: 'issue', id: 'issue-1' },
  details: { changes: { subject: { before, after } } },
  ...other,
});
const ids = (entries: readonly AuditEntry[]) =>
  runsOf(entries).map(({ newest, older }) => [newest, ...older].map(({ id }) => id));

test('saves of one person are one run, with the values before the first and after the last', () => {
  const entries = [saved(9, 'ab', 'abc'), saved(4, 'a', 'ab'), saved(1, '', 'a')];
  const [run, ...others] = runsOf(entries);
  assert.deepEqual([run?.newest, run?.older, others], [entries[0], entries.slice(1), []]);
  assert.deepEqual(run && changesOfRun(run), { subject: { before: '', after: 'abc' } });
});

test('a field that is as it was before the run is no change of it', () => {
  const entries = [saved(2, 'ab', 'a'), saved(1, 'a', 'ab')];
  assert.deepEqual(runsOf(entries).map(changesOfRun), [{}]);
});

test('a run ends at another person, address, record or action, and at a pause of more than ten minutes', () => {
  for (const other of [
    { actor: { ...ADA, id: 'bob' } },
    { actor: { ...ADA, ip: '192.0.2.2' } },
    { target: { type: 'issue', id: 'issue-2' } },
    { action: 'issue.scheduled' },
  ])
    assert.deepEqual(ids([saved(3, 'b', 'c'), saved(2, 'a', 'b', other), saved(1, '', 'a')]), [
      ['entry-3'],
      ['entry-2'],
      ['entry-1'],
    ]);
  assert.deepEqual(ids([saved(12, 'a', 'b'), saved(1, '', 'a')]), [['entry-12'], ['entry-1']]);
  assert.deepEqual(ids([saved(11, 'a', 'b'), saved(1, '', 'a')]), [['entry-11', 'entry-1']]);
});

test('entries that changed no field stay apart', () => {
  const exported = { action: 'issue.exported', details: {} };
  assert.deepEqual(ids([saved(2, '', '', exported), saved(1, '', '', exported)]), [['entry-2'], ['entry-1']]);
});
