import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { removePage } from '../../db/remove-page.ts';

/** The request that an Idempotency-Key stands for: the same key means another one in another place. */
export interface KeyPlace {
  workspaceId: string;
  /** Method and path of the route, whichever of its paths was called. */
  route: string;
  key: string;
}

export interface KeptAnswer {
  fingerprint: Buffer;
  status: number;
  response: Buffer;
  /** Null: kept by a release that kept none. */
  headers: Record<string, string> | null;
}

/**
 * Takes the lock of one key for the length of this transaction, or says that another request holds it. A lock rather
 * than the row's own unique index: a waiter on the index would hang until the first request ends, where the contract
 * promises an answer at once.
 */
export async function tryLockKey(tx: Db, { workspaceId, route, key }: KeyPlace): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${workspaceId} ${route} ${key}`}, 14)) as locked`.execute(tx);
  return rows[0]?.locked === true;
}

export async function findKeptAnswer(db: Db, { workspaceId, route, key }: KeyPlace): Promise<KeptAnswer | undefined> {
  const { rows } = await sql<KeptAnswer>`
    select fingerprint, status, response, headers
    from idempotency_keys
    where workspace_id = ${workspaceId} and route = ${route} and key = ${key}
      and created_at > now() - interval '24 hours'`.execute(db);
  return rows[0];
}

export interface AnswerToKeep extends KeyPlace {
  fingerprint: Buffer;
  status: number;
  response: Buffer;
  headers: Readonly<Record<string, string>>;
}

/** Keeps an answer; an expired one under the same key is replaced. */
export async function keepAnswer(tx: Db, kept: AnswerToKeep): Promise<void> {
  await sql`
    insert into idempotency_keys (workspace_id, route, key, fingerprint, status, response, headers)
    values (${kept.workspaceId}, ${kept.route}, ${kept.key}, ${kept.fingerprint}, ${kept.status}, ${kept.response},
            ${JSON.stringify(kept.headers)}::jsonb)
    on conflict (workspace_id, route, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, response = excluded.response,
          headers = excluded.headers, created_at = now()`.execute(tx);
}

/** Removes a page of the answers past their 24 hours; returns how many it found. One that is kept anew stays. */
export const deleteExpiredAnswers = (db: Db, pageSize: number): Promise<number> =>
  removePage(
    db,
    sql`
      select workspace_id, route, key from idempotency_keys
       where created_at < now() - interval '24 hours' limit ${pageSize}`,
    sql`
      delete from idempotency_keys
       where (workspace_id, route, key) in (select workspace_id, route, key from page)
         and created_at < now() - interval '24 hours'`,
  );

/** Removes a page of the answers of a deleted workspace; returns how many it found. */
export const deletePageOfAnswers = (db: Db, workspaceId: string, pageSize: number): Promise<number> =>
  removePage(
    db,
    sql`select route, key from idempotency_keys where workspace_id = ${workspaceId} limit ${pageSize}`,
    sql`
      delete from idempotency_keys
       where workspace_id = ${workspaceId} and (route, key) in (select route, key from page)`,
  );
