import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Transactions that add domains to this workspace run one after another. */
export async function lockCreation(tx: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domains ${workspaceId}`}, 15))`.execute(tx);
}

export async function countDomains(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from domains where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.total ?? 0;
}

export interface NewDomain {
  workspaceId: string;
  id: string;
  domain: string;
  region: string;
  selector: string;
  sealedKey: Buffer;
  publicKey: string;
}

export async function insertDomain(tx: Db, domain: NewDomain): Promise<void> {
  await sql`
    insert into domains (workspace_id, id, domain, provider_region, dkim_selector, dkim_private_key, dkim_public_key)
    values (${domain.workspaceId}, ${domain.id}, ${domain.domain}, ${domain.region}, ${domain.selector},
            ${domain.sealedKey}, ${domain.publicKey})`.execute(tx);
}

/** The first check in the background comes a minute later: a record takes that long to be typed. */
export async function insertWatch(tx: Db, workspaceId: string, domainId: string): Promise<void> {
  await sql`
    insert into domain_watches (workspace_id, domain_id, next_check_at, watch_until)
    values (${workspaceId}, ${domainId}, now() + interval '1 minute', now() + interval '72 hours')`.execute(tx);
}

/** Looked for every 15 minutes for 72 hours; after that with every other check. */
export async function insertNextKey(
  tx: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
  key: { selector: string; sealedKey: Buffer; publicKey: string },
): Promise<void> {
  await sql`
    insert into domain_dkim_keys (workspace_id, domain_id, role, selector, private_key, public_key, until)
    values (${workspaceId}, ${id}, 'next', ${key.selector}, ${key.sealedKey}, ${key.publicKey},
            now() + interval '72 hours')`.execute(tx);
}

/** The next check comes in a minute at the latest. */
export async function lookSoon(tx: Db, { workspaceId, id }: { workspaceId: string; id: string }): Promise<void> {
  await sql`
    insert into domain_watches as w (workspace_id, domain_id, next_check_at, watch_until)
    values (${workspaceId}, ${id}, now() + interval '1 minute', now() + interval '72 hours')
    on conflict (workspace_id, domain_id) do update
       set next_check_at = least(w.next_check_at, excluded.next_check_at)`.execute(tx);
}

/** Its watch, checks, keys and claim go with it. */
export async function deleteDomain(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`delete from domains where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function updateLimits(
  tx: Db,
  workspaceId: string,
  id: string,
  limits: { maxDailyEmails: number | null; maxMonthlyEmails: number | null },
): Promise<void> {
  await sql`
    update domains
       set max_daily_emails = ${limits.maxDailyEmails}, max_monthly_emails = ${limits.maxMonthlyEmails},
           updated_at = now()
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function findTracking(db: Db, workspaceId: string): Promise<{ opens: boolean; clicks: boolean }> {
  const { rows } = await sql<{ opens: boolean; clicks: boolean }>`
    select track_opens as opens, track_clicks as clicks from workspaces where id = ${workspaceId}`.execute(db);
  return rows[0] ?? { opens: false, clicks: false };
}
