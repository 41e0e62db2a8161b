import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Role } from '../permissions/role-permissions.ts';

export interface Invite {
  id: string;
  email: string;
  role: Role;
  invitedBy: string | null;
  /** Null: that account is gone. */
  invitedByEmail: string | null;
  expiresAt: Date;
  createdAt: Date;
}

const INVITE = sql`i.id, i.email, i.role, i.invited_by as "invitedBy",
  (select u.email from users u where u.id = i.invited_by) as "invitedByEmail", i.expires_at as "expiresAt",
  i.created_at as "createdAt"`;

/** Undefined when this address has an open invitation already. */
export async function insertInvite(
  db: Db,
  invite: { workspaceId: string; id: string; email: string; role: Role; invitedBy: string; expiresAt: Date; now: Date },
): Promise<Invite | undefined> {
  const { rows } = await sql<Invite>`
    insert into invites as i (workspace_id, id, email, role, invited_by, expires_at, created_at)
    values (${invite.workspaceId}, ${invite.id}, ${invite.email}, ${invite.role}, ${invite.invitedBy},
            ${invite.expiresAt}, ${invite.now})
    on conflict (workspace_id, email) where accepted_at is null and revoked_at is null do nothing
    returning ${INVITE}`.execute(db);
  return rows[0];
}

export async function insertInviteToken(db: Db, hash: Buffer, workspaceId: string, inviteId: string): Promise<void> {
  await sql`
    insert into invite_tokens (hash, workspace_id, invite_id) values (${hash}, ${workspaceId}, ${inviteId})`.execute(
    db,
  );
}

/** An invitation that ran out stands in the way of a new one: only one may be open per address. */
export async function revokeExpiredInvite(db: Db, workspaceId: string, email: string, now: Date): Promise<void> {
  await sql`
    update invites set revoked_at = ${now}
     where workspace_id = ${workspaceId} and email = ${email} and accepted_at is null and revoked_at is null
       and expires_at <= ${now}`.execute(db);
}

/** Undefined for an invitation that is not there or not open any more. */
export async function revokeInvite(
  db: Db,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<{ email: string } | undefined> {
  const { rows } = await sql<{ email: string }>`
    update invites set revoked_at = ${now}
     where workspace_id = ${workspaceId} and id = ${id} and accepted_at is null and revoked_at is null
    returning email`.execute(db);
  return rows[0];
}

/** Which of the invitations that were neither accepted nor withdrawn. */
export type InviteState = 'open' | 'expired' | 'all';

const inState = (state: InviteState, now: Date) => sql`
  i.accepted_at is null and i.revoked_at is null
   and (${state} = 'all' or (i.expires_at > ${now}) = (${state} = 'open'))`;

export async function pageInvites(
  db: Db,
  workspaceId: string,
  page: { limit: number; offset: number; after: string | null; state: InviteState; now: Date },
): Promise<Invite[]> {
  const { rows } = await sql<Invite>`
    select ${INVITE} from invites i
     where i.workspace_id = ${workspaceId} and ${inState(page.state, page.now)}
       and (${page.after}::uuid is null or i.id < ${page.after}::uuid)
     order by i.id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countInvites(
  db: Db,
  workspaceId: string,
  which: { state: InviteState; now: Date },
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
      from (select 1 from invites i
             where i.workspace_id = ${workspaceId} and ${inState(which.state, which.now)} limit ${max}) as counted`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

/** An invitation that was neither accepted nor withdrawn, held until the transaction ends. */
export async function lockInvite(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<{ email: string; role: Role } | undefined> {
  const { rows } = await sql<{ email: string; role: Role }>`
    select email, role from invites
     where workspace_id = ${workspaceId} and id = ${id} and accepted_at is null and revoked_at is null
       for update`.execute(db);
  return rows[0];
}

/** Its time starts anew. */
export async function prolongInvite(
  db: Db,
  workspaceId: string,
  id: string,
  expiresAt: Date,
): Promise<Invite | undefined> {
  const { rows } = await sql<Invite>`
    update invites i set expires_at = ${expiresAt} where i.workspace_id = ${workspaceId} and i.id = ${id}
    returning ${INVITE}`.execute(db);
  return rows[0];
}

export async function deleteInviteTokens(db: Db, workspaceId: string, inviteId: string): Promise<void> {
  await sql`delete from invite_tokens where workspace_id = ${workspaceId} and invite_id = ${inviteId}`.execute(db);
}

export interface OpenInvite {
  workspaceId: string;
  id: string;
  email: string;
  role: Role;
}

/** The open invitation of a link, held until the transaction ends so that it is accepted once. */
export async function lockOpenInvite(db: Db, tokenHash: Buffer, now: Date): Promise<OpenInvite | undefined> {
  const { rows } = await sql<OpenInvite>`
    select i.workspace_id as "workspaceId", i.id, i.email, i.role
      from invite_tokens t join invites i on i.workspace_id = t.workspace_id and i.id = t.invite_id
     where t.hash = ${tokenHash} and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now}
       for update of i`.execute(db);
  return rows[0];
}

export interface ShownInvite {
  email: string;
  workspaceName: string;
  role: Role;
  hasAccount: boolean;
}

/** The content of an open invitation's link. Takes no lock and changes nothing. */
export async function findOpenInvite(db: Db, tokenHash: Buffer, now: Date): Promise<ShownInvite | undefined> {
  const { rows } = await sql<ShownInvite>`
    select i.email, w.name as "workspaceName", i.role,
           exists (select from users u where u.email = i.email) as "hasAccount"
      from invite_tokens t
      join invites i on i.workspace_id = t.workspace_id and i.id = t.invite_id
      join workspaces w on w.id = t.workspace_id
     where t.hash = ${tokenHash} and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now}`.execute(
    db,
  );
  return rows[0];
}

export async function markInviteAccepted(db: Db, workspaceId: string, id: string, now: Date): Promise<void> {
  await sql`update invites set accepted_at = ${now} where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
}
