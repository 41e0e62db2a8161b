import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { firstIdAt, newId } from '#platform/ids.ts';
import { forgetRelaySessions } from './forget-sessions.ts';
import { countWrongLogin, listWrongLogins, pageOfSessions, type SessionFilter, storeSessions } from './queries.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const HOUR_MS = 3_600_000;
const KEYS = [newId(), newId()];
const ALL: SessionFilter = { outcome: null, since: null, apiKeyIds: null };

interface Made {
  id: string;
  startedAt: Date;
  refused: number;
  apiKeyId: string;
}

/** Sessions an hour apart, newest first, the first of them an hour ago. */
async function aLog(count: number): Promise<{ workspaceId: string; made: Made[] }> {
  const workspaceId = await aWorkspace(t.db);
  const now = Date.now();
  const made = Array.from({ length: count }, (_, index): Made => {
    const startedAt = new Date(now - (index + 1) * HOUR_MS);
    const id = `${firstIdAt(startedAt).slice(0, 14)}${newId().slice(14)}`;
    return { id, startedAt, refused: index % 3 === 0 ? 1 : 0, apiKeyId: KEYS[index % 2] ?? '' };
  });
  const entry = { workspaceId, endedAt: null, ip: '192.0.2.1', tls: null, clientName: null, apiKeyName: 'shop' };
  await storeSessions(
    t.db,
    made.map((one) => ({ ...entry, ...one, accepted: 1, refusals: [], jobIds: [] })),
  );
  return { workspaceId, made };
}

/** The list to its end, by cursor, with pages of five that look at no more than seven sessions. */
async function readAll(workspaceId: string, filter: SessionFilter): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null, pages = 0; pages < 100; pages += 1) {
    const page = { limit: 5, offset: 0, after };
    const { rows, goOnAfter } = await pageOfSessions(t.db, workspaceId, filter, page, 7);
    const shown = rows.slice(0, 5).map(({ id }) => id);
    ids.push(...shown);
    after = rows.length > 5 ? (shown.at(-1) ?? null) : goOnAfter;
    if (after === null) return ids;
  }
  return assert.fail('the list has no end');
}

test('all pages of a filtered list are the whole list filtered, wherever a page stops looking', async () => {
  const { workspaceId, made } = await aLog(40);
  await aLog(3); // of somebody else
  const since = made[19]?.startedAt ?? null;
  const filters: [SessionFilter, (one: Made) => boolean][] = [
    [ALL, () => true],
    [{ ...ALL, outcome: 'refused' }, ({ refused }) => refused > 0],
    [{ ...ALL, outcome: 'accepted' }, ({ refused }) => refused === 0],
    [{ ...ALL, since }, ({ startedAt }) => startedAt >= (since ?? startedAt)],
    [{ ...ALL, apiKeyIds: [KEYS[1] ?? ''] }, ({ apiKeyId }) => apiKeyId === KEYS[1]],
    [
      { outcome: 'refused', since, apiKeyIds: [KEYS[0] ?? ''] },
      (one) => made.indexOf(one) % 6 === 0 && made.indexOf(one) < 20,
    ],
    [{ ...ALL, apiKeyIds: [newId()] }, () => false],
  ];
  for (const [filter, matches] of filters) {
    const expected = made.filter(matches).map(({ id }) => id);
    assert.deepEqual(await readAll(workspaceId, filter), expected, JSON.stringify(filter));
  }
});

test('sessions and wrong sign-ins of more than seven days are removed, and no others', async () => {
  const { workspaceId, made } = await aLog(10);
  await sql`update relay_sessions set started_at = now() - interval '7 days 1 minute'
    where workspace_id = ${workspaceId} and id = any (${made.slice(7).map(({ id }) => id)}::uuid[])`.execute(t.db);
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * HOUR_MS);
  await countWrongLogin(t.db, '192.0.2.1', '192.0.2.1', daysAgo(8));
  await countWrongLogin(t.db, '192.0.2.2', '192.0.2.2', daysAgo(6));
  while ((await forgetRelaySessions(t.db)) > 0);
  assert.deepEqual(
    await readAll(workspaceId, ALL),
    made.slice(0, 7).map(({ id }) => id),
  );
  assert.deepEqual(
    (await listWrongLogins(t.db, 10)).map(({ address }) => address),
    ['192.0.2.2'],
  );
});
