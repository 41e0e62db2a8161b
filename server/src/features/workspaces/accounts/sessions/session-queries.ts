import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Role } from '../../permissions/role-permissions.ts';

export interface NewSession {
  id: string;
  userId: string;
  refreshHash: Buffer;
  userAgent: string | null;
  ip: string;
  now: Date;
  expiresAt: Date;
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await sql`
    insert into sessions (id, user_id, refresh_hash, user_agent, ip, created_at, last_used_at, expires_at)
    values (${session.id}, ${session.userId}, ${session.refreshHash}, ${session.userAgent}, ${session.ip},
            ${session.now}, ${session.now}, ${session.expiresAt})`.execute(db);
}

/** Puts the next refresh token in place of the one presented; of two callers with one token only one finds it there. */
export async function rotateSession(
  db: Db,
  turn: { id: string; presented: Buffer; next: Buffer; ip: string; now: Date; expiresAt: Date },
): Promise<{ userId: string } | undefined> {
  const { rows } = await sql<{ userId: string }>`
    update sessions
       set refresh_hash = ${turn.next}, ip = ${turn.ip}, last_used_at = ${turn.now},
           expires_at = ${turn.expiresAt}
     where id = ${turn.id} and refresh_hash = ${turn.presented} and ended_at is null and expires_at > ${turn.now}
    returning user_id as "userId"`.execute(db);
  return rows[0];
}

export async function endSession(
  db: Db,
  id: string,
  reason: string,
  now: Date,
): Promise<{ userId: string } | undefined> {
  const { rows } = await sql<{ userId: string }>`
    update sessions set ended_at = ${now}, end_reason = ${reason}
     where id = ${id} and ended_at is null and expires_at > ${now}
    returning user_id as "userId"`.execute(db);
  return rows[0];
}

/** Ends one session of a person, or all of theirs but `keepId`. Returns how many were open. */
export async function endSessionsOfUser(
  db: Db,
  userId: string,
  which: { onlyId?: string; keepId?: string | null; reason: string; now: Date },
): Promise<number> {
  const { rows } = await sql`
    update sessions set ended_at = ${which.now}, end_reason = ${which.reason}
     where user_id = ${userId} and ended_at is null and expires_at > ${which.now}
       and (${which.onlyId ?? null}::uuid is null or id = ${which.onlyId ?? null}::uuid)
       and (${which.keepId ?? null}::uuid is null or id <> ${which.keepId ?? null}::uuid)
    returning id`.execute(db);
  return rows.length;
}

export interface SessionRow {
  id: string;
  userAgent: string | null;
  ip: string | null;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

export async function pageSessionsOfUser(
  db: Db,
  userId: string,
  page: { limit: number; offset: number; after: string | null; now: Date },
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, user_agent as "userAgent", ip, created_at as "createdAt", last_used_at as "lastUsedAt",
           expires_at as "expiresAt"
      from sessions
     where user_id = ${userId} and ended_at is null and expires_at > ${page.now}
       and (${page.after}::uuid is null or id < ${page.after}::uuid)
     order by id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

export async function countSessionsOfUser(db: Db, userId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from sessions
     where user_id = ${userId} and ended_at is null and expires_at > ${now}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** A session in use goes on. False when another request was faster, or the session is over. */
export async function prolongSession(
  db: Db,
  use: { id: string; hash: Buffer; ip: string; now: Date; before: Date; expiresAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update sessions set last_used_at = ${use.now}, expires_at = ${use.expiresAt}, ip = ${use.ip}
     where id = ${use.id} and refresh_hash = ${use.hash} and last_used_at <= ${use.before}
       and ended_at is null and expires_at > ${use.now}
    returning id`.execute(db);
  return rows.length > 0;
}

export interface SignedInRow {
  userId: string;
  email: string;
  lastUsedAt: Date;
  /** Null without an active workspace, and for one the person is not (any more) a member of. */
  role: Role | null;
  workspaceStatus: string | null;
}

/**
 * Session, person and membership in one read, at every request: whatever was ended stops at the next one. A token names
 * its user, and a cookie is compared with the hash of the session's.
 */
export async function findSignedIn(
  db: Db,
  who: { sessionId: string; workspaceId: string | null; now: Date } & ({ userId: string } | { hash: Buffer }),
): Promise<SignedInRow | undefined> {
  const isTheirs = 'hash' in who ? sql`s.refresh_hash = ${who.hash}` : sql`s.user_id = ${who.userId}`;
  const { rows } = await sql<SignedInRow>`
    select u.id as "userId", u.email, s.last_used_at as "lastUsedAt", m.role, w.status as "workspaceStatus"
      from sessions s
      join users u on u.id = s.user_id
      left join members m on m.workspace_id = ${who.workspaceId}::uuid and m.user_id = u.id
      left join workspaces w on w.id = m.workspace_id
     where s.id = ${who.sessionId} and ${isTheirs} and s.ended_at is null
       and s.expires_at > ${who.now}`.execute(db);
  return rows[0];
}

/** Rows that nobody can use any more: ended or expired for a month, and links that are over. */
export async function deleteSignInLeftovers(db: Db, monthAgo: Date): Promise<void> {
  await sql`delete from sessions where expires_at < ${monthAgo} or ended_at < ${monthAgo}`.execute(db);
  await sql`delete from user_tokens where expires_at < ${monthAgo}`.execute(db);
}
