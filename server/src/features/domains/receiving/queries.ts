import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** False: it was so before. */
export async function updateReceiving(
  tx: Db,
  { workspaceId, id, isEnabled }: { workspaceId: string; id: string; isEnabled: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update domains set receiving_enabled = ${isEnabled}, updated_at = now()
     where workspace_id = ${workspaceId} and id = ${id} and receiving_enabled <> ${isEnabled}
    returning id`.execute(tx);
  return rows.length > 0;
}

export async function updateWebhookUrl(
  tx: Db,
  { workspaceId, id, url }: { workspaceId: string; id: string; url: string | null },
): Promise<void> {
  await sql`
    update domains set webhook_url = ${url}, updated_at = now()
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** A domain that receives mail. */
export interface ReceivingDomain {
  workspaceId: string;
  id: string;
  domain: string;
  /** It is verified for this workspace; nobody's mail is taken before that. */
  isVerified: boolean;
  /** Of the delivery service. */
  providerRegion: string;
}

/** The domain that mail to this name goes to: that of the workspace for which the name is verified, if there is one. */
export async function findReceivingDomain(db: Db, domain: string): Promise<ReceivingDomain | undefined> {
  const { rows } = await sql<ReceivingDomain>`
    -- every workspace: mail knows the name alone
    select d.workspace_id as "workspaceId", d.id, d.domain, d.sending_enabled as "isVerified",
           d.provider_region as "providerRegion"
      from domains d join workspaces w on w.id = d.workspace_id and w.status <> 'blocked'
     where d.domain = ${domain} and d.receiving_enabled
       and not exists (select from verified_domains v where v.domain = d.domain and v.workspace_id <> d.workspace_id)
     order by d.sending_enabled desc, d.id limit 1`.execute(db);
  return rows[0];
}

/** Whether any domain of the installation receives mail. */
export async function someDomainReceives(db: Db): Promise<boolean> {
  const { rows } = await sql`
    -- every workspace: there is one port for all
    select from domains where receiving_enabled limit 1`.execute(db);
  return rows.length > 0;
}

/** The name of a domain that is still there. */
export async function findDomainName(db: Db, workspaceId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ domain: string }>`
    select domain from domains where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
  return rows[0]?.domain;
}
