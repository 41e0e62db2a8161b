import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Domain } from './domain.ts';

const columns = sql`
  d.workspace_id as "workspaceId", d.id, d.domain, d.provider_region as "providerRegion", d.dkim_status as "dkimStatus",
  d.sending_enabled as "sendingEnabled", d.receiving_enabled as "receivingEnabled", d.webhook_url as "webhookUrl",
  d.bimi_enabled as "bimiEnabled", d.dkim_selector as "dkimSelector", d.dkim_public_key as "dkimPublicKey",
  d.max_daily_emails as "maxDailyEmails", d.max_monthly_emails as "maxMonthlyEmails", d.verified_at as "verifiedAt",
  d.created_at as "createdAt", d.shares_revoked_at as "sharesRevokedAt"`;

const watched = sql`
  w.last_checked_at as "lastCheckedAt", w.next_check_at as "nextCheckAt", w.failure_reason as "failureReason",
  coalesce(w.record_states, '[]') as "recordStates", w.name_servers as "nameServers",
  (select coalesce(jsonb_agg(jsonb_build_object('role', k.role, 'selector', k.selector, 'publicKey', k.public_key,
                                                'until', k.until) order by k.role), '[]')
     from domain_dkim_keys k where k.workspace_id = d.workspace_id and k.domain_id = d.id
      and (k.role = 'next' or k.until > now())) as "furtherKeys",
  (select jsonb_build_object('svgUrl', m.svg_url, 'certificateUrl', m.certificate_url,
                             'lastCheck', m.last_check)
     from domain_marks m where m.workspace_id = d.workspace_id and m.domain_id = d.id) as mark,
  (select jsonb_build_object('seenAt', i.seen_at, 'isFound', i.is_found, 'dkimStatus', i.dkim_status,
                             'takesMail', i.takes_mail, 'failure', i.failure)
     from provider_identities i
    where i.workspace_id = d.workspace_id and i.domain_id = d.id and i.region = d.provider_region) as identity`;

/** Newest first, those with these ids; all of the workspace when there are none. */
export async function listDomains(db: Db, workspaceId: string, ids: readonly string[]): Promise<Domain[]> {
  const { rows } = await sql<Domain>`
    select ${columns}, w.last_checked_at as "lastCheckedAt", w.next_check_at as "nextCheckAt", null as "failureReason", '[]'::jsonb as "recordStates",
           null as "nameServers", '[]'::jsonb as "furtherKeys", null as mark,
           null as identity
      from domains d
      left join domain_watches w on w.workspace_id = d.workspace_id and w.domain_id = d.id
     where d.workspace_id = ${workspaceId} and (${ids.length === 0} or d.id = any (${ids}::uuid[]))
     order by d.id desc`.execute(db);
  return rows;
}

export const findDomain = (db: Db, workspaceId: string, id: string): Promise<Domain | undefined> =>
  selectOne(db, workspaceId, id, sql``);

/** Until the transaction ends nobody else changes it, and no send is stopped by that. */
export const lockDomain = (tx: Db, workspaceId: string, id: string): Promise<Domain | undefined> =>
  selectOne(tx, workspaceId, id, sql`for no key update of d`);

async function selectOne(
  db: Db,
  workspaceId: string,
  id: string,
  locking: RawBuilder<unknown>,
): Promise<Domain | undefined> {
  const { rows } = await sql<Domain>`
    select ${columns}, ${watched}
      from domains d
      left join domain_watches w on w.workspace_id = d.workspace_id and w.domain_id = d.id
     where d.workspace_id = ${workspaceId} and d.id = ${id} ${locking}`.execute(db);
  return rows[0];
}

/** The workspace that this name is verified for in this installation, unless it is the given one. */
export async function findOtherHolder(db: Db, domain: string, workspaceId: string): Promise<string | undefined> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id as "workspaceId" from verified_domains
     where domain = ${domain} and workspace_id <> ${workspaceId}`.execute(db);
  return rows[0]?.workspaceId;
}
