import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

export interface KeptAnswer {
  fingerprint: Buffer;
  status: number;
  response: Buffer;
  createdAt: Date;
}

/**
 * Takes the lock of one key for the length of this transaction, or says that another request holds it. A lock rather
 * than the row's own unique index: a waiter on the index would hang until the first request ends, where the contract
 * promises an answer at once.
 */
export async function tryLockKey(tx: Db, workspaceId: string, route: string, key: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${workspaceId} ${route} ${key}`}, 14)) as locked`.execute(tx);
  return rows[0]?.locked === true;
}

export async function findKeptAnswer(
  tx: Db,
  workspaceId: string,
  route: string,
  key: string,
): Promise<KeptAnswer | undefined> {
  const { rows } = await sql<KeptAnswer>`
    select fingerprint, status, response, created_at as "createdAt"
    from idempotency_keys
    where workspace_id = ${workspaceId} and route = ${route} and key = ${key}
      and created_at > now() - interval '24 hours'`.execute(tx);
  return rows[0];
}

export interface AnswerToKeep {
  workspaceId: string;
  route: string;
  key: string;
  fingerprint: Buffer;
  status: number;
  response: Buffer;
}

/** Keeps an answer; an expired one under the same key is replaced. */
export async function keepAnswer(tx: Db, kept: AnswerToKeep): Promise<void> {
  await sql`
    insert into idempotency_keys (workspace_id, route, key, fingerprint, status, response)
    values (${kept.workspaceId}, ${kept.route}, ${kept.key}, ${kept.fingerprint}, ${kept.status}, ${kept.response})
    on conflict (workspace_id, route, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, response = excluded.response, created_at = now()`.execute(
    tx,
  );
}

/** Removes answers past their 24 hours, a page at a time; returns how many. */
export async function deleteExpiredAnswers(db: Db, pageSize: number): Promise<number> {
  const result = await sql`
    delete from idempotency_keys
    where (workspace_id, route, key) in (
      select workspace_id, route, key from idempotency_keys
      where created_at < now() - interval '24 hours' limit ${pageSize})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
