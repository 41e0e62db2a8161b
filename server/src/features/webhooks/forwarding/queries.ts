import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SealedSecrets } from '../endpoint-secret.ts';

/** The endpoint that gets the received mail of a domain. Its id is that of the domain. */
export interface ForwardEndpoint extends SealedSecrets {
  url: string;
  enabled: boolean;
  disabledReason: string | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** The first failure since the last success. */
  failingSince: Date | null;
}

export async function findForward(db: Db, workspaceId: string, domainId: string): Promise<ForwardEndpoint | undefined> {
  const { rows } = await sql<ForwardEndpoint>`
    select url, enabled, disabled_reason as "disabledReason", last_success_at as "lastSuccessAt",
           last_failure_at as "lastFailureAt", failing_since as "failingSince",
           secret, previous_secret as "previousSecret", previous_secret_until as "previousSecretUntil"
      from webhooks where workspace_id = ${workspaceId} and id = ${domainId}
       and forwards_domain_id = ${domainId}`.execute(db);
  return rows[0];
}

/** Gives the domain an endpoint with this URL. One that it has keeps its secret, and is enabled again. */
export async function putForward(
  tx: Db,
  { workspaceId, domainId, url, secret }: { workspaceId: string; domainId: string; url: string; secret: Buffer },
): Promise<void> {
  await sql`
    insert into webhooks as w (workspace_id, id, forwards_domain_id, url, secret, events)
    values (${workspaceId}, ${domainId}, ${domainId}, ${url}, ${secret}, '{inbound}')
    on conflict (workspace_id, id) do update
      set url = excluded.url, enabled = true, disabled_reason = null, failing_since = null, failed_attempts = 0,
          failing_notice_at = null, updated_at = now()`.execute(tx);
}

export async function deleteForward(tx: Db, workspaceId: string, domainId: string): Promise<void> {
  await sql`
    delete from webhooks where workspace_id = ${workspaceId} and id = ${domainId}
       and forwards_domain_id = ${domainId}`.execute(tx);
}

/** Queues an event for the endpoint of a domain, also for one that is disabled. False: the domain has none. */
export async function insertForwardDelivery(
  tx: Db,
  { workspaceId, domainId, eventId }: { workspaceId: string; domainId: string; eventId: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type)
    select w.workspace_id, ph_uuidv7(), w.id, ${eventId}::uuid, 'inbound' from webhooks w
     where w.workspace_id = ${workspaceId} and w.id = ${domainId} and w.forwards_domain_id = ${domainId}
    returning id`.execute(tx);
  return rows.length > 0;
}

/** Moves a delivery of this event that waits to now. False: none waits. */
export async function hastenForward(
  tx: Db,
  { workspaceId, domainId, eventId }: { workspaceId: string; domainId: string; eventId: string },
): Promise<boolean> {
  const { rows } = await sql`
    update webhook_deliveries d set next_attempt_at = now()
     where d.workspace_id = ${workspaceId} and d.webhook_id = ${domainId} and d.event_id = ${eventId}
       and d.status = 'pending'
    returning d.id`.execute(tx);
  return rows.length > 0;
}

/** The last delivery of a forwarded event. */
export interface ForwardState {
  status: 'pending' | 'succeeded' | 'failed' | 'discarded';
  attempts: number;
  responseStatus: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
}

export async function findForwardState(
  db: Db,
  { workspaceId, domainId, eventId }: { workspaceId: string; domainId: string; eventId: string },
): Promise<ForwardState | undefined> {
  const { rows } = await sql<ForwardState>`
    select d.status, d.attempt as attempts, d.response_status as "responseStatus", d.error,
           case when d.status = 'pending' then d.next_attempt_at end as "nextAttemptAt", d.delivered_at as "deliveredAt"
      from webhook_deliveries d
     where d.workspace_id = ${workspaceId} and d.webhook_id = ${domainId} and d.event_id = ${eventId}
     order by d.id desc limit 1`.execute(db);
  return rows[0];
}
