import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Role } from '../permissions/role-permissions.ts';

export interface Invite {
  id: string;
  email: string;
  role: Role;
  invitedBy: string | null;
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

const INVITE = sql`i.id, i.email, i.role, i.invited_by as "invitedBy", i.expires_at as "expiresAt",
  i.accepted_at as "acceptedAt", i.revoked_at as "revokedAt", i.created_at as "createdAt"`;

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

export async function pageOpenInvites(
  db: Db,
  workspaceId: string,
  page: { limit: number; offset: number; after: string | null; now: Date },
): Promise<Invite[]> {
  const { rows } = await sql<Invite>`
    select ${INVITE} from invites i
     where i.workspace_id = ${workspaceId} and i.accepted_at is null and i.revoked_at is null
       and i.expires_at > ${page.now} and (${page.after}::uuid is null or i.id < ${page.after}::uuid)
     order by i.id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

export async function countOpenInvites(db: Db, workspaceId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from invites i
     where i.workspace_id = ${workspaceId} and i.accepted_at is null and i.revoked_at is null
       and i.expires_at > ${now}`.execute(db);
  return rows[0]?.total ?? 0;
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
