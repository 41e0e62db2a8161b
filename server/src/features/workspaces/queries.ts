import type { SendingStop } from '#platform/errors/sending-stopped.ts';
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Role } from './permissions/role-permissions.ts';
import type { Membership, Workspace } from './workspace.ts';

const WORKSPACE = sql`w.id, w.name, w.slug, w.timezone, w.plan, w.status, w.is_home as "isHome",
  w.track_opens as "trackOpens", w.track_clicks as "trackClicks", w.postal_address as "postalAddress", w.emails_per_month as "emailsPerMonth", w.created_at as "createdAt"`;

export interface NewWorkspace {
  id: string;
  name: string;
  slug: string;
  timezone: string;
  isHome: boolean;
  now: Date;
}

/** Undefined when the slug is taken (or there is a home already): no error, so that the transaction lives on. */
export async function insertWorkspace(db: Db, workspace: NewWorkspace): Promise<Workspace | undefined> {
  const { rows } = await sql<Workspace>`
    insert into workspaces as w (id, name, slug, timezone, is_home, created_at, updated_at)
    values (${workspace.id}, ${workspace.name}, ${workspace.slug}, ${workspace.timezone}, ${workspace.isHome},
            ${workspace.now}, ${workspace.now})
    on conflict do nothing
    returning ${WORKSPACE}`.execute(db);
  return rows[0];
}

/** The workspace with the role this person has there; undefined for one they are no member of. */
export async function findMembership(db: Db, workspaceId: string, userId: string): Promise<Membership | undefined> {
  const { rows } = await sql<Membership>`
    select ${WORKSPACE}, m.role
      from members m join workspaces w on w.id = m.workspace_id
     where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`.execute(db);
  return rows[0];
}

/**
 * Holds the workspace while its members change, so that two changes cannot both leave another owner who is just being
 * removed. NO KEY: rows that refer to the workspace can still be written.
 */
export async function lockWorkspace(db: Db, workspaceId: string): Promise<void> {
  await sql`select 1 from workspaces where id = ${workspaceId} for no key update`.execute(db);
}

export async function pageWorkspacesOfUser(
  db: Db,
  userId: string,
  page: { limit: number; offset: number; after: string | null },
): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select ${WORKSPACE}, m.role
      from members m join workspaces w on w.id = m.workspace_id
     where m.user_id = ${userId} and (${page.after}::uuid is null or w.id < ${page.after}::uuid)
     order by w.id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

export async function countWorkspacesOfUser(db: Db, userId: string): Promise<{ total: number; owned: number }> {
  const { rows } = await sql<{ total: number; owned: number }>`
    select count(m.workspace_id) as total, count(m.workspace_id) filter (where m.role = 'owner') as owned
      from members m where m.user_id = ${userId}`.execute(db);
  return rows[0] ?? { total: 0, owned: 0 };
}

/** The workspace a person works in unless they say another: the first they joined. */
export async function findFirstWorkspaceOfUser(db: Db, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select m.workspace_id as id from members m
     where m.user_id = ${userId} order by m.joined_at, m.workspace_id limit 1`.execute(db);
  return rows[0]?.id;
}

export async function updateWorkspace(
  db: Db,
  workspaceId: string,
  change: {
    name: string | null;
    timezone: string | null;
    trackOpens: boolean | null;
    trackClicks: boolean | null;
    /** Undefined: as it is. */
    postalAddress: string | null | undefined;
    now: Date;
  },
): Promise<Workspace | undefined> {
  const { rows } = await sql<Workspace>`
    update workspaces w
       set name = coalesce(${change.name}, w.name), timezone = coalesce(${change.timezone}, w.timezone),
           track_opens = coalesce(${change.trackOpens}, w.track_opens),
           track_clicks = coalesce(${change.trackClicks}, w.track_clicks),
           postal_address = case when ${change.postalAddress !== undefined}
             then ${change.postalAddress ?? null}::text else w.postal_address end,
           updated_at = ${change.now}
     where w.id = ${workspaceId}
    returning ${WORKSPACE}`.execute(db);
  return rows[0];
}

/** Undefined: there is no such workspace. */
export async function updateGovernance(
  db: Db,
  workspaceId: string,
  change: { status?: Workspace['status']; emailsPerMonth?: number | null },
): Promise<Workspace | undefined> {
  const { rows } = await sql<Workspace>`
    update workspaces w
       set status = coalesce(${change.status ?? null}, w.status),
           emails_per_month = case when ${change.emailsPerMonth !== undefined}
             then ${change.emailsPerMonth ?? null}::integer else w.emails_per_month end,
           updated_at = now()
     where w.id = ${workspaceId}
    returning ${WORKSPACE}`.execute(db);
  return rows[0];
}

/** Every workspace there is, the newest first: for the operator of the instance. */
export async function pageAllWorkspaces(
  db: Db,
  page: { limit: number; offset: number; after: string | null },
): Promise<Workspace[]> {
  const { rows } = await sql<Workspace>`
    select ${WORKSPACE} from workspaces w
     where ${page.after}::uuid is null or w.id < ${page.after}::uuid
     order by w.id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

export async function countAllWorkspaces(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from workspaces`.execute(db);
  return rows[0]?.n ?? 0;
}

/** By its id or its slug. */
export async function findWorkspaceId(db: Db, idOrSlug: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from workspaces where id::text = ${idOrSlug.toLowerCase()} or slug = ${idOrSlug}`.execute(db);
  return rows[0]?.id;
}

export async function findWorkspace(db: Db, workspaceId: string): Promise<Workspace | undefined> {
  const { rows } = await sql<Workspace>`
    select ${WORKSPACE} from workspaces w where w.id = ${workspaceId}`.execute(db);
  return rows[0];
}

export async function deleteWorkspaceRow(db: Db, workspaceId: string): Promise<void> {
  await sql`delete from workspaces where id = ${workspaceId}`.execute(db);
}

export async function findHomeWorkspace(db: Db): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(db);
  return rows[0];
}

/** False when the person is a member already. */
export async function insertMember(
  db: Db,
  member: { workspaceId: string; userId: string; role: Role; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into members (workspace_id, user_id, role, joined_at)
    values (${member.workspaceId}, ${member.userId}, ${member.role}, ${member.now})
    on conflict (workspace_id, user_id) do nothing
    returning user_id`.execute(db);
  return rows.length > 0;
}

/** One process at a time sets an installation up. The number is the ASCII of "posthorn". */
export async function lockFirstStart(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(8101821198468346478)`.execute(tx);
}

/** The zone of its people: days without another zone are meant in it. */
export async function findWorkspaceZone(db: Db, workspaceId: string): Promise<string> {
  const { rows } = await sql<{ timezone: string }>`select timezone from workspaces where id = ${workspaceId}`.execute(
    db,
  );
  return rows[0]?.timezone ?? 'UTC';
}

/** Why it accepts no new mail; null: it does. */
export async function findSendingStop(db: Db, workspaceId: string): Promise<SendingStop> {
  const { rows } = await sql<{ stop: SendingStop }>`
    select nullif(status, 'active') as stop from workspaces where id = ${workspaceId}`.execute(db);
  return rows[0]?.stop ?? null;
}

/** Its own words for people who get its mail. Undefined: there is no such workspace (any more). */
export async function selectWorkspaceWords(
  db: Db,
  workspaceId: string,
): Promise<{ name: string; postalAddress: string | null } | undefined> {
  const { rows } = await sql<{ name: string; postalAddress: string | null }>`
    select name, postal_address as "postalAddress" from workspaces where id = ${workspaceId}`.execute(db);
  return rows[0];
}

/** The open invitations that a member has sent, but those to the roles in `kept`. Returns how many there were. */
export async function revokeInvitesOf(
  db: Db,
  workspaceId: string,
  { userId, kept, now }: { userId: string; kept: readonly Role[]; now: Date },
): Promise<number> {
  const { rows } = await sql`
    update invites set revoked_at = ${now}
     where workspace_id = ${workspaceId} and invited_by = ${userId} and accepted_at is null and revoked_at is null
       and role <> all (${[...kept]}::text[])
    returning id`.execute(db);
  return rows.length;
}
