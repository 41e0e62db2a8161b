import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { User } from './user.ts';

const USER = sql`id, email, name, password_hash as "passwordHash", email_verified_at as "emailVerifiedAt",
  created_at as "createdAt"`;

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const { rows } = await sql<User>`select ${USER} from users where email = ${email}`.execute(db);
  return rows[0];
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const { rows } = await sql<User>`select ${USER} from users where id = ${id}`.execute(db);
  return rows[0];
}

export interface NewUser {
  id: string;
  email: string;
  name: string | null;
  passwordHash: string;
  emailVerifiedAt: Date | null;
  now: Date;
}

/** Undefined when the address has an account already: no error, so that a surrounding transaction lives on. */
export async function insertUser(db: Db, user: NewUser): Promise<User | undefined> {
  const { rows } = await sql<User>`
    insert into users (id, email, name, password_hash, email_verified_at, created_at, updated_at)
    values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}, ${user.emailVerifiedAt}, ${user.now}, ${user.now})
    on conflict (email) do nothing
    returning ${USER}`.execute(db);
  return rows[0];
}

/** Holds the account while it is compared and changed. */
export async function lockUser(tx: Db, id: string): Promise<void> {
  await sql`select 1 from users where id = ${id} for no key update`.execute(tx);
}

export async function updateUserName(db: Db, id: string, name: string | null, now: Date): Promise<User | undefined> {
  const { rows } = await sql<User>`
    update users set name = ${name}, updated_at = ${now} where id = ${id} returning ${USER}`.execute(db);
  return rows[0];
}

export async function updatePasswordHash(db: Db, id: string, passwordHash: string, now: Date): Promise<void> {
  await sql`update users set password_hash = ${passwordHash}, updated_at = ${now} where id = ${id}`.execute(db);
}

/** Replaces a hash by a stronger one of the same password, unless the password was changed in between. */
export async function replacePasswordHash(db: Db, id: string, old: string, fresh: string): Promise<void> {
  await sql`update users set password_hash = ${fresh} where id = ${id} and password_hash = ${old}`.execute(db);
}

export async function markEmailVerified(db: Db, id: string, now: Date): Promise<void> {
  await sql`
    update users set email_verified_at = ${now}, updated_at = ${now}
     where id = ${id} and email_verified_at is null`.execute(db);
}

export type TokenPurpose = 'reset_password' | 'verify_email';

export async function insertUserToken(
  db: Db,
  token: { hash: Buffer; userId: string; purpose: TokenPurpose; expiresAt: Date; now: Date },
): Promise<void> {
  await sql`
    insert into user_tokens (hash, user_id, purpose, expires_at, created_at)
    values (${token.hash}, ${token.userId}, ${token.purpose}, ${token.expiresAt}, ${token.now})`.execute(db);
}

/** Uses a link up; undefined when it is unknown, expired or used. The row lock lets only one of two callers through. */
export async function useUserToken(
  db: Db,
  hash: Buffer,
  purpose: TokenPurpose,
  now: Date,
): Promise<{ userId: string } | undefined> {
  const { rows } = await sql<{ userId: string }>`
    update user_tokens set used_at = ${now}
     where hash = ${hash} and purpose = ${purpose} and used_at is null and expires_at > ${now}
    returning user_id as "userId"`.execute(db);
  return rows[0];
}

/**
 * Links that somebody may have asked for with the password that is changed now: to set another one, and to move the
 * account to another address.
 */
export async function deleteTokensOfPassword(db: Db, userId: string): Promise<void> {
  await sql`
    delete from user_tokens
     where user_id = ${userId} and purpose in ('reset_password', 'change_email') and used_at is null`.execute(db);
}

export async function markMemberSeen(db: Db, userId: string, now: Date): Promise<void> {
  await sql`
    -- every workspace: a person who signs in is seen in all of theirs
    update members set last_seen_at = ${now} where user_id = ${userId}`.execute(db);
}
