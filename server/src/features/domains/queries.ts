import type { SendingStop } from '#platform/errors/sending-stopped.ts';
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface DomainRow {
  /** null when the workspace has no such domain. */
  id: string | null;
  sendingEnabled: boolean;
  maxDaily: number | null;
  maxMonthly: number | null;
  dkimSelector: string | null;
  hasKey: boolean;
  isHome: boolean;
  sendingStop: SendingStop;
  emailsPerMonth: number | null;
  trackOpens: boolean;
  trackClicks: boolean;
}

/** One row for every workspace there is, with its domain of this name when it has one. */
export async function findDomainByName(db: Db, workspaceId: string, domain: string): Promise<DomainRow | undefined> {
  const { rows } = await sql<DomainRow>`
    select d.id, coalesce(d.sending_enabled, false) as "sendingEnabled", d.max_daily_emails as "maxDaily",
           d.max_monthly_emails as "maxMonthly", d.dkim_selector as "dkimSelector",
           d.dkim_private_key is not null as "hasKey", w.is_home as "isHome",
           nullif(w.status, 'active') as "sendingStop", w.emails_per_month as "emailsPerMonth", w.track_opens as "trackOpens", w.track_clicks as "trackClicks"
      from workspaces w
      left join domains d on d.workspace_id = w.id and d.domain = ${domain}
     where w.id = ${workspaceId}`.execute(db);
  return rows[0];
}

export async function findOldestVerifiedDomain(
  db: Db,
  workspaceId: string,
  except: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ domain: string }>`
    select domain from domains
     where workspace_id = ${workspaceId} and sending_enabled and domain <> ${except}
     order by id limit 1`.execute(db);
  return rows[0]?.domain;
}

export interface StoredDkimKey {
  selector: string;
  sealedKey: Buffer | null;
  /** Where the delivery service has the key too, and signs; null: it does not. */
  signedInRegion: string | null;
}

export async function findDkimKey(db: Db, workspaceId: string, domain: string): Promise<StoredDkimKey | undefined> {
  const { rows } = await sql<StoredDkimKey>`
    select d.dkim_selector as "selector", d.dkim_private_key as "sealedKey", i.region as "signedInRegion"
      from domains d
      left join provider_identities i on i.workspace_id = d.workspace_id and i.domain_id = d.id
                                     and i.ready_at is not null
     where d.workspace_id = ${workspaceId} and d.domain = ${domain} and d.dkim_private_key is not null`.execute(db);
  return rows[0];
}

export interface NewVerifiedDomain {
  workspaceId: string;
  id: string;
  domain: string;
  selector: string;
  sealedKey: Buffer;
  publicKey: string;
}

/** Keeps the first: starters that race each bring a key pair, and only one may count. */
export async function insertVerifiedDomain(db: Db, domain: NewVerifiedDomain): Promise<void> {
  await sql`
    insert into domains (workspace_id, id, domain, dkim_status, sending_enabled, dkim_selector, dkim_private_key,
                         dkim_public_key, verified_at)
    values (${domain.workspaceId}, ${domain.id}, ${domain.domain}, 'verified', true, ${domain.selector},
            ${domain.sealedKey}, ${domain.publicKey}, now())
    on conflict (workspace_id, domain) do nothing`.execute(db);
}

export async function listMissingDomains(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id::text as id from unnest(${ids}::uuid[]) as asked (id)
     where not exists (select 1 from domains d where d.workspace_id = ${workspaceId} and d.id = asked.id)`.execute(db);
  return rows.map((row) => row.id);
}
