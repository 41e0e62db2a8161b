import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { ALL_MAIL, type OptOut } from './opt-out.ts';

const lockOf = (workspaceId: string): RawBuilder<unknown> =>
  sql`hashtextextended(${`contact opt-outs ${workspaceId}`}, 19)`;

/** Waits for all who are adding contacts: each of them has seen the opt-outs, or is seen by this transaction. */
export async function awaitAdditions(tx: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockOf(workspaceId)})`.execute(tx);
}

/**
 * The opt-outs from all mail of these addresses. None is added for an address without a contact until the transaction
 * ends, so that a contact who is added now cannot miss it.
 */
export async function listOptOuts(
  db: Db,
  workspaceId: string,
  hashes: readonly Buffer[],
): Promise<Pick<OptOut, 'addressHash' | 'unsubscribedAt' | 'erased'>[]> {
  await sql`select pg_advisory_xact_lock_shared(${lockOf(workspaceId)})`.execute(db);
  const { rows } = await sql<Pick<OptOut, 'addressHash' | 'unsubscribedAt' | 'erased'>>`
    select address_hash as "addressHash", unsubscribed_at as "unsubscribedAt", erased from contact_opt_outs
     where workspace_id = ${workspaceId} and address_hash = any (${[...hashes]}::bytea[])
       and list_id = ${ALL_MAIL}`.execute(db);
  return rows;
}

/** In the order of their keys, so that two callers with the same addresses wait and do not deadlock. */
export async function insertOptOuts(tx: Db, workspaceId: string, optOuts: readonly OptOut[]): Promise<void> {
  if (optOuts.length === 0) return;
  const given = optOuts.map(({ addressHash, ...rest }) => ({ hash: addressHash.toString('hex'), ...rest }));
  await sql`
    insert into contact_opt_outs as held (workspace_id, address_hash, list_id, unsubscribed_at, erased)
    select ${workspaceId}, decode(o.hash, 'hex'), o."listId", min(o."unsubscribedAt"), bool_or(o.erased)
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as o (hash text, "listId" uuid,
        "unsubscribedAt" timestamptz, erased boolean)
     group by o.hash, o."listId" order by o.hash, o."listId"
    on conflict (workspace_id, address_hash, list_id) do update set erased = held.erased or excluded.erased`.execute(
    tx,
  );
}

/** The person has asked for mail again. */
export async function deleteOptOut(tx: Db, workspaceId: string, addressHash: Buffer): Promise<void> {
  await sql`
    delete from contact_opt_outs
     where workspace_id = ${workspaceId} and address_hash = ${addressHash} and list_id = ${ALL_MAIL}`.execute(tx);
}
