import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Webhook } from './webhook.ts';

const columns = sql`
  workspace_id as "workspaceId", id, url, secret, previous_secret as "previousSecret",
  previous_secret_until as "previousSecretUntil", events, newsletter_ids as "newsletterIds", domain_ids as "domainIds",
  description, enabled, disabled_reason as "disabledReason", last_success_at as "lastSuccessAt",
  last_failure_at as "lastFailureAt", created_at as "createdAt", updated_at as "updatedAt"`;

/** Newest first; there are never more than the limit of a workspace. */
export async function listWebhooks(db: Db, workspaceId: string): Promise<Webhook[]> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks where workspace_id = ${workspaceId} and forwards_domain_id is null
     order by id desc`.execute(db);
  return rows;
}

export const findWebhook = (db: Db, workspaceId: string, id: string): Promise<Webhook | undefined> =>
  selectOne(db, workspaceId, id, sql``);

export const lockWebhook = (tx: Db, workspaceId: string, id: string): Promise<Webhook | undefined> =>
  selectOne(tx, workspaceId, id, sql`for update`);

async function selectOne(
  db: Db,
  workspaceId: string,
  id: string,
  locking: RawBuilder<unknown>,
): Promise<Webhook | undefined> {
  const { rows } = await sql<Webhook>`
    select ${columns} from webhooks
     where workspace_id = ${workspaceId} and id = ${id} and forwards_domain_id is null ${locking}`.execute(db);
  return rows[0];
}

/** Transactions that create endpoints in this workspace run one after another. */
export async function lockCreation(tx: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${workspaceId}`}, 15))`.execute(tx);
}

export async function countWebhooks(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from webhooks where workspace_id = ${workspaceId} and forwards_domain_id is null`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

export async function insertWebhook(tx: Db, webhook: Webhook): Promise<void> {
  await sql`
    insert into webhooks (workspace_id, id, url, secret, events, newsletter_ids, domain_ids, description, enabled,
                          created_at, updated_at)
    values (${webhook.workspaceId}, ${webhook.id}, ${webhook.url}, ${webhook.secret}, ${webhook.events}::text[],
            ${webhook.newsletterIds}::uuid[], ${webhook.domainIds}::uuid[], ${webhook.description},
            ${webhook.enabled}, ${webhook.createdAt}, ${webhook.updatedAt})`.execute(tx);
}

/**
 * Stores what its owner may change. How deliveries fare is not touched, so that a delivery in between stays counted.
 */
export async function updateWebhook(tx: Db, webhook: Webhook): Promise<void> {
  await sql`
    update webhooks
       set url = ${webhook.url}, secret = ${webhook.secret}, previous_secret = ${webhook.previousSecret},
           previous_secret_until = ${webhook.previousSecretUntil}, events = ${webhook.events}::text[],
           newsletter_ids = ${webhook.newsletterIds}::uuid[], domain_ids = ${webhook.domainIds}::uuid[],
           description = ${webhook.description}, enabled = ${webhook.enabled},
           disabled_reason = ${webhook.disabledReason}, updated_at = ${webhook.updatedAt}
     where workspace_id = ${webhook.workspaceId} and id = ${webhook.id}`.execute(tx);
}

/** It starts anew: what failed before it was enabled counts no more. */
export async function clearFailures(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`
    update webhooks set failing_since = null, failed_attempts = 0, failing_notice_at = null
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function deleteWebhook(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`delete from webhooks where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export interface TestDelivery {
  workspaceId: string;
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  url: string;
  succeeded: boolean;
  responseStatus: number | null;
  responseBody: string;
  responseTimeMs: number;
  error: string | null;
  at: Date;
}

/** The one attempt of a test, which is over: nothing will try it again. */
export async function insertTestDelivery(db: Db, test: TestDelivery): Promise<void> {
  const attempt = {
    at: test.at,
    status: test.responseStatus,
    response_time_ms: test.responseTimeMs,
    error: test.error,
  };
  await sql`
    insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type, is_test, status, attempt,
      next_attempt_at, url, response_status, response_body, response_time_ms, error, attempts, delivered_at, created_at)
    values (${test.workspaceId}, ${test.id}, ${test.webhookId}, ${test.eventId}, ${test.eventType}, true,
      ${test.succeeded ? 'succeeded' : 'failed'}, 1, null, ${test.url}, ${test.responseStatus}, ${test.responseBody},
      ${test.responseTimeMs}, ${test.error}, ${JSON.stringify([attempt])}::jsonb, ${test.succeeded ? test.at : null},
      ${test.at})`.execute(db);
}
