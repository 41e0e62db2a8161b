import { type RawBuilder, sql } from 'kysely';
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
  workspacePaused: boolean;
  trackOpens: boolean;
  trackClicks: boolean;
}

/** One row for every workspace there is, with its domain of this name when it has one. */
export async function findDomainByName(db: Db, workspaceId: string, domain: string): Promise<DomainRow | undefined> {
  const { rows } = await sql<DomainRow>`
    select d.id, coalesce(d.sending_enabled, false) as "sendingEnabled", d.max_daily_emails as "maxDaily",
           d.max_monthly_emails as "maxMonthly", d.dkim_selector as "dkimSelector",
           d.dkim_private_key is not null as "hasKey", w.is_home as "isHome",
           w.status = 'paused' as "workspacePaused", w.track_opens as "trackOpens", w.track_clicks as "trackClicks"
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
}

export async function findDkimKey(db: Db, workspaceId: string, domain: string): Promise<StoredDkimKey | undefined> {
  const { rows } = await sql<StoredDkimKey>`
    select dkim_selector as "selector", dkim_private_key as "sealedKey"
      from domains
     where workspace_id = ${workspaceId} and domain = ${domain} and dkim_private_key is not null`.execute(db);
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

export interface CapUsage {
  tier: 'daily' | 'monthly';
  used: number;
}

/** What the windows that are open now have used, for a look that reserves nothing. */
export async function listCapUsage(
  db: Db,
  workspaceId: string,
  domainId: string,
  windows: { daily: Date; monthly: Date },
): Promise<CapUsage[]> {
  const { rows } = await sql<CapUsage>`
    select tier, used from domain_usage
     where workspace_id = ${workspaceId} and domain_id = ${domainId}
       and ((tier = 'daily' and window_start = ${windows.daily})
         or (tier = 'monthly' and window_start = ${windows.monthly}))`.execute(db);
  return rows;
}

export async function listMissingDomains(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select asked.id::text as id from unnest(${ids}::uuid[]) as asked (id)
     where not exists (select 1 from domains d where d.workspace_id = ${workspaceId} and d.id = asked.id)`.execute(db);
  return rows.map((row) => row.id);
}

export interface CapToTake {
  tier: 'daily' | 'monthly';
  windowStart: Date;
  cap: number;
}

/**
 * Takes room in every window or raises `refusal` (an SQLSTATE), with the tier as its message. For the WITH of another
 * statement: an INSERT runs whether or not anybody reads it. The condition is checked against the newest row under its
 * lock, so parallel requests cannot both take the last place.
 */
export function takeFromCaps(
  workspaceId: string,
  domainId: string,
  taken: { windows: readonly CapToTake[]; recipients: number; refusal: string },
): RawBuilder<unknown> {
  const { recipients, refusal } = taken;
  const windows = sql.join(
    taken.windows.map(
      ({ tier, windowStart, cap }) => sql`(${tier}::text, ${windowStart}::timestamptz, ${cap}::integer)`,
    ),
  );
  return sql`
    insert into domain_usage (workspace_id, domain_id, tier, window_start, used, cap)
    select ${workspaceId}::uuid, ${domainId}::uuid, asked.tier, asked.window_start, ${recipients}::integer, asked.cap
      from (values ${windows}) as asked (tier, window_start, cap)
     where ph_require(${recipients}::integer <= asked.cap, ${refusal}, asked.tier)
    on conflict (workspace_id, domain_id, tier, window_start) do update
       set used = domain_usage.used + excluded.used, cap = excluded.cap
     where ph_require(domain_usage.used + excluded.used <= excluded.cap, ${refusal}, excluded.tier)`;
}
