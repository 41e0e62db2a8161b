import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Role } from '../permissions/role-permissions.ts';

export interface Member {
  userId: string;
  email: string;
  name: string | null;
  role: Role;
  joinedAt: Date;
  lastSeenAt: Date | null;
}

const MEMBER = sql`m.user_id as "userId", u.email, u.name, m.role, m.joined_at as "joinedAt",
  m.last_seen_at as "lastSeenAt"`;

export async function findMember(db: Db, workspaceId: string, userId: string): Promise<Member | undefined> {
  const { rows } = await sql<Member>`
    select ${MEMBER} from members m join users u on u.id = m.user_id
     where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`.execute(db);
  return rows[0];
}

export async function findMemberByEmail(db: Db, workspaceId: string, email: string): Promise<Member | undefined> {
  const { rows } = await sql<Member>`
    select ${MEMBER} from members m join users u on u.id = m.user_id
     where m.workspace_id = ${workspaceId} and u.email = ${email}`.execute(db);
  return rows[0];
}

export interface MemberFilter {
  role: Role | null;
  /** A part of the address or the name. */
  search: string | null;
}

/** `position` and not `like`: nothing in what was typed is a pattern. */
const matching = ({ role, search }: MemberFilter) => sql`
  (${role}::text is null or m.role = ${role})
   and (${search}::text is null or position(lower(${search}) in u.email) > 0
        or position(lower(${search}) in lower(u.name)) > 0)`;

export async function pageMembers(
  db: Db,
  workspaceId: string,
  page: MemberFilter & { limit: number; offset: number; after: string | null },
): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select ${MEMBER} from members m join users u on u.id = m.user_id
     where m.workspace_id = ${workspaceId} and ${matching(page)}
       and (${page.after}::uuid is null or m.user_id < ${page.after}::uuid)
     order by m.user_id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countMembers(db: Db, workspaceId: string, filter: MemberFilter, max: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
      from (select 1 from members m join users u on u.id = m.user_id
             where m.workspace_id = ${workspaceId} and ${matching(filter)} limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function hasOtherOwner(db: Db, workspaceId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from members
     where workspace_id = ${workspaceId} and role = 'owner' and user_id <> ${userId} limit 1`.execute(db);
  return rows.length > 0;
}

export async function updateMemberRole(db: Db, workspaceId: string, userId: string, role: Role): Promise<void> {
  await sql`
    update members set role = ${role} where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(db);
}

export async function deleteMember(db: Db, workspaceId: string, userId: string): Promise<void> {
  await sql`delete from members where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(db);
}

export interface Owner {
  email: string;
  workspaceName: string;
}

/** The people who are notified of events of a workspace. */
export async function selectOwners(db: Db, workspaceId: string): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    select u.email, w.name as "workspaceName"
      from members m join users u on u.id = m.user_id join workspaces w on w.id = m.workspace_id
     where m.workspace_id = ${workspaceId} and m.role = 'owner' order by m.joined_at, m.user_id`.execute(db);
  return rows;
}
