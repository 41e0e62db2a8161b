import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { removePage } from '../../db/remove-page.ts';
import type { KeyPlace } from './queries.ts';

export interface KeyClaim extends KeyPlace {
  /** Tells this request from one that claims the key after the lease has run out. */
  claim: string;
}

/** Claims a key for `leaseSeconds`; false while the claim of another request stands. */
export async function claimKey(tx: Db, of: KeyClaim, leaseSeconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_claims (workspace_id, route, key, claim, leased_until)
    values (${of.workspaceId}, ${of.route}, ${of.key}, ${of.claim}, now() + make_interval(secs => ${leaseSeconds}))
    on conflict (workspace_id, route, key) do update
      set claim = excluded.claim, leased_until = excluded.leased_until
      where idempotency_claims.leased_until < now()
    returning claim`.execute(tx);
  return rows.length > 0;
}

export async function renewClaim(db: Db, of: KeyClaim, leaseSeconds: number): Promise<void> {
  await sql`
    update idempotency_claims set leased_until = now() + make_interval(secs => ${leaseSeconds})
     where workspace_id = ${of.workspaceId} and route = ${of.route} and key = ${of.key} and claim = ${of.claim}`.execute(
    db,
  );
}

/** Gives the key back; false when the lease ran out and another request has claimed it. */
export async function releaseClaim(db: Db, of: KeyClaim): Promise<boolean> {
  const { rows } = await sql`
    delete from idempotency_claims
     where workspace_id = ${of.workspaceId} and route = ${of.route} and key = ${of.key} and claim = ${of.claim}
    returning claim`.execute(db);
  return rows.length > 0;
}

/** Removes a page of the claims of requests whose process died; returns how many it found. */
export const deleteLapsedClaims = (db: Db, pageSize: number): Promise<number> =>
  removePage(
    db,
    sql`select workspace_id, route, key from idempotency_claims where leased_until < now() limit ${pageSize}`,
    sql`
      delete from idempotency_claims
       where (workspace_id, route, key) in (select workspace_id, route, key from page) and leased_until < now()`,
  );
