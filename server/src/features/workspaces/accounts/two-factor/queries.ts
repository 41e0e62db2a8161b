import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface TwoFactor {
  secret: Buffer;
  enabledAt: Date | null;
  recoveryCodesLeft: number;
}

export async function findTwoFactor(db: Db, userId: string): Promise<TwoFactor | undefined> {
  const { rows } = await sql<TwoFactor>`
    select t.secret, t.enabled_at as "enabledAt",
           (select count(*)::integer from recovery_codes c where c.user_id = t.user_id and c.used_at is null) as "recoveryCodesLeft"
      from two_factors t where t.user_id = ${userId}`.execute(db);
  return rows[0];
}

/** A secret that nobody has proved yet is replaced. False: one is in use. */
export async function putSecret(tx: Db, userId: string, secret: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into two_factors (user_id, secret, created_at) values (${userId}, ${secret}, ${now})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at
     where two_factors.enabled_at is null
    returning user_id`.execute(tx);
  return rows.length > 0;
}

/** False: it is enabled already, or another secret was set up since. */
export async function markEnabled(tx: Db, userId: string, secret: Buffer, step: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update two_factors set enabled_at = ${now}, last_step = ${step}
     where user_id = ${userId} and enabled_at is null and secret = ${secret} returning user_id`.execute(tx);
  return rows.length > 0;
}

export async function insertRecoveryCodes(tx: Db, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await sql`
    insert into recovery_codes (user_id, hash)
    select ${userId}, decode(h, 'hex') from unnest(${hashes.map((hash) => hash.toString('hex'))}::text[]) as h`.execute(
    tx,
  );
}

export async function deleteRecoveryCodes(tx: Db, userId: string): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx);
}

/** Takes the code of a step, once; false: it, or a later one, was taken. */
export async function takeStep(tx: Db, userId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    update two_factors set last_step = ${step}
     where user_id = ${userId} and enabled_at is not null and last_step < ${step} returning user_id`.execute(tx);
  return rows.length > 0;
}

export async function takeRecoveryCode(tx: Db, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update recovery_codes set used_at = ${now}
     where user_id = ${userId} and hash = ${hash} and used_at is null returning user_id`.execute(tx);
  return rows.length > 0;
}

/** False: there was none. */
export async function deleteTwoFactor(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`delete from two_factors where user_id = ${userId} returning user_id`.execute(tx);
  return rows.length > 0;
}
