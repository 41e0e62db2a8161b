/**
 * Tables without a foreign key to their workspace: their rows leave by pages behind its deletion. No row may come when
 * the purge has looked, so each statement that adds rows holds the workspace, and adds none to one that is gone.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { deletePageOfAuditEntries } from '#features/audit';
import { deletePageOfSessions } from '#features/smtp-relay';
import {
  addSuppressions,
  deletePageOfSoftBounces,
  deletePageOfSuppressions,
  noteSoftBounces,
} from '#features/suppressions';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { deletePageOfCaptured, insertCaptures } from '#providers/capture/queries.ts';
import { insertAuditEntries } from '../../src/features/audit/queries.ts';
import { storeSessions } from '../../src/features/smtp-relay/sessions/queries.ts';
import { aWorkspace } from '../harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { anOutgoingMessage } from '../harness/outgoing-message.ts';
import { insertSimulatedEvents } from '../harness/simulated-events.ts';

interface Kind {
  table: string;
  /** Adds so many rows. */
  add(db: Db, workspaceId: string, count: number): Promise<unknown>;
  deletePage(db: Db, workspaceId: string, page: number): Promise<number>;
}

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const AT = new Date('2026-01-01T00:00:00Z');

const KINDS: readonly Kind[] = [
  {
    table: 'audit_entries',
    add: (db, workspaceId, count) =>
      insertAuditEntries(
        db,
        many(count, () => anEntry(workspaceId)),
      ),
    deletePage: deletePageOfAuditEntries,
  },
  {
    table: 'suppressions',
    add: (db, workspaceId, count) =>
      addSuppressions(
        db,
        many(count, (n) => ({ workspaceId, identity: `${n}@example.com`, reason: 'manual' as const })),
      ),
    deletePage: deletePageOfSuppressions,
  },
  {
    table: 'soft_bounces',
    add: (db, workspaceId, count) =>
      noteSoftBounces(
        db,
        many(count, (n) => ({ workspaceId, identity: `${n}@example.com`, bouncedAt: [AT], deliveredAt: null })),
      ),
    deletePage: deletePageOfSoftBounces,
  },
  {
    table: 'relay_sessions',
    add: (db, workspaceId, count) =>
      storeSessions(
        db,
        many(count, () => aSession(workspaceId)),
      ),
    deletePage: deletePageOfSessions,
  },
  {
    table: 'captured_emails',
    add: (db, workspaceId, count) =>
      insertCaptures(
        db,
        insertSimulatedEvents,
        many(count, () => ({
          message: anOutgoingMessage({ workspaceId, emailId: newId() }),
          id: newId(),
          capturedAt: AT,
          events: [],
        })),
      ),
    deletePage: deletePageOfCaptured,
  },
];

const anEntry = (workspaceId: string) => ({
  workspaceId,
  at: AT,
  actorType: 'user',
  actorId: null,
  actorEmail: null,
  ip: null,
  action: 'created',
  targetType: 'thing',
  targetId: newId(),
  details: null,
});

const aSession = (workspaceId: string) => ({
  workspaceId,
  id: newId(),
  startedAt: AT,
  endedAt: AT,
  ip: '192.0.2.1',
  tls: null,
  clientName: null,
  apiKeyId: newId(),
  apiKeyName: 'shop',
  accepted: 1,
  refused: 0,
  refusals: [],
  jobIds: [],
});

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const deleteWorkspace = (db: Db, id: string) => sql`delete from workspaces where id = ${id}`.execute(db);

async function rowsOf(table: string, workspaceId: string): Promise<number> {
  const { rows } = await sql`select from ${sql.table(table)} where workspace_id = ${workspaceId}`.execute(t.db);
  return rows.length;
}

/** Until the deletion waits for a lock of another connection. False: it has ended without. */
async function hasToWait(deletion: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  void deletion.then(() => (isOver = true));
  while (!isOver) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
    if (rows.length > 0) return true;
  }
  return false;
}

for (const { table, add, deletePage } of KINDS) {
  test(`${table}: the deletion takes none, and the purge takes them by pages and nobody else’s`, async () => {
    const [gone, stays] = [await aWorkspace(t.db), await aWorkspace(t.db)];
    await add(t.db, gone, 5);
    await add(t.db, stays, 1);
    await deleteWorkspace(t.db, gone);
    assert.equal(await rowsOf(table, gone), 5);
    const found = [];
    for (let n = 0; n < 3; n += 1) found.push(await deletePage(t.db, gone, 2));
    assert.deepEqual([found, await rowsOf(table, gone), await rowsOf(table, stays)], [[2, 2, 1], 0, 1]);
  });

  test(`${table}: none comes behind the deletion, also not from a transaction of before`, async () => {
    const workspaceId = await aWorkspace(t.db);
    let deletion: Promise<unknown> | undefined;
    await inTransaction(t.db, async (tx) => {
      await add(tx, workspaceId, 1);
      deletion = deleteWorkspace(t.db, workspaceId);
      assert.ok(await hasToWait(deletion), 'the row holds its workspace');
    });
    await deletion;
    assert.equal(await deletePage(t.db, workspaceId, 2), 1, 'the purge saw it');
    await add(t.db, workspaceId, 1).catch(() => undefined);
    assert.equal(await rowsOf(table, workspaceId), 0);
  });
}
