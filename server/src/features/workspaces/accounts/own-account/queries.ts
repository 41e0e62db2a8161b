import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Only the newest link to a new address is good. */
export async function insertAddressToken(
  tx: Db,
  token: { hash: Buffer; userId: string; newEmail: string; expiresAt: Date; now: Date },
): Promise<void> {
  await sql`
    delete from user_tokens
     where user_id = ${token.userId} and purpose = 'change_email' and used_at is null`.execute(tx);
  await sql`
    insert into user_tokens (hash, user_id, purpose, new_email, expires_at, created_at)
    values (${token.hash}, ${token.userId}, 'change_email', ${token.newEmail}, ${token.expiresAt}, ${token.now})`.execute(
    tx,
  );
}

export async function findUserOfAddressToken(tx: Db, hash: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from user_tokens where hash = ${hash} and purpose = 'change_email'`.execute(tx);
  return rows[0]?.userId;
}

/** Uses a link up; undefined when it is unknown, expired or used. */
export async function useAddressToken(
  tx: Db,
  hash: Buffer,
  now: Date,
): Promise<{ userId: string; newEmail: string } | undefined> {
  const { rows } = await sql<{ userId: string; newEmail: string }>`
    update user_tokens set used_at = ${now}
     where hash = ${hash} and purpose = 'change_email' and used_at is null and expires_at > ${now}
    returning user_id as "userId", new_email as "newEmail"`.execute(tx);
  return rows[0];
}

const UNIQUE_VIOLATION = '23505';

/** False when somebody else has the address, or takes it in the same moment: then the transaction is over. */
export async function updateEmail(tx: Db, userId: string, email: string, now: Date): Promise<boolean> {
  try {
    const { rows } = await sql`
      update users set email = ${email}, email_verified_at = ${now}, updated_at = ${now}
       where id = ${userId} and not exists (select from users o where o.email = ${email} and o.id <> ${userId})
      returning id`.execute(tx);
    return rows.length > 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

/** Links that were mailed to an address that is not theirs any more. */
export async function deleteMailedTokens(tx: Db, userId: string): Promise<void> {
  await sql`delete from user_tokens where user_id = ${userId} and used_at is null`.execute(tx);
}

/** In one order, so that two people who leave at once never wait for each other in a circle. */
export async function lockWorkspacesOfUser(tx: Db, userId: string): Promise<void> {
  await sql`
    -- every workspace: of one person
    select w.id from workspaces w
     where w.id in (select m.workspace_id from members m where m.user_id = ${userId})
     order by w.id for no key update`.execute(tx);
}

/** The names of the workspaces that would have no owner without this person. */
export async function workspacesOnlyOwnedBy(tx: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    -- every workspace: of one person
    select w.name from members m join workspaces w on w.id = m.workspace_id
     where m.user_id = ${userId} and m.role = 'owner'
       and not exists (select from members o
                        where o.workspace_id = m.workspace_id and o.role = 'owner' and o.user_id <> m.user_id)
     order by w.name`.execute(tx);
  return rows.map(({ name }) => name);
}

/** With memberships, sessions, tokens and two-factor sign-in. Logs keep what the person did. */
export async function deleteUser(tx: Db, userId: string): Promise<void> {
  await sql`delete from users where id = ${userId}`.execute(tx);
}
