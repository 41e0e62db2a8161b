import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Lease } from './leases.ts';

/** The result of a batch of attempts for an endpoint. */
export interface HealthNews {
  succeeded: boolean;
  /** Failures since the last success among them. */
  failed: number;
}

/**
 * Keeps how an endpoint fares: one write for a batch of attempts. A success ends a row of failures. Nothing when the
 * lease is over: failures that are told late would count after successes that came later, and a process that stood
 * still changes nothing any more.
 */
export async function noteHealth(db: Db, lease: Lease, news: HealthNews): Promise<void> {
  const { succeeded, failed } = news;
  await sql`
    update webhooks set
      last_success_at = case when ${succeeded} then clock_timestamp() else last_success_at end,
      last_failure_at = case when ${failed}::integer > 0 then clock_timestamp() else last_failure_at end,
      failing_since = case when ${failed}::integer = 0 then null
        when ${succeeded} then clock_timestamp() else coalesce(failing_since, clock_timestamp()) end,
      failed_attempts = case when ${succeeded} then ${failed}::integer else failed_attempts + ${failed}::integer end
     where workspace_id = ${lease.workspaceId} and id = ${lease.webhookId}
       and exists (select from webhook_leases l
                    where l.workspace_id = ${lease.workspaceId} and l.webhook_id = ${lease.webhookId}
                      and l.token = ${lease.token} and l.until > clock_timestamp())`.execute(db);
}

/** An endpoint that somebody has to be told about. */
export interface FailingEndpoint {
  workspaceId: string;
  id: string;
  url: string;
  failingSince: Date | null;
  /** Received mail of this domain goes to it. */
  forwardsDomainId: string | null;
}

/** Enabled endpoints whose every attempt has failed for so long, as the last of them says; a few of them. */
export const listFailing = (db: Db, rule: FailingRule): Promise<FailingEndpoint[]> => selectFailing(db, rule, sql``);

/** As above, of whom the owners have not been told since they fail. */
export const listFailingUnnoticed = (db: Db, rule: FailingRule): Promise<FailingEndpoint[]> =>
  selectFailing(db, rule, sql` and (w.failing_notice_at is null or w.failing_notice_at < w.failing_since)`);

interface FailingRule {
  failingSeconds: number;
  attempts: number;
}

async function selectFailing(db: Db, rule: FailingRule, condition: RawBuilder<unknown>): Promise<FailingEndpoint[]> {
  const { rows } = await sql<FailingEndpoint>`
    -- every workspace: whoever's endpoint it is, the rule is one
    select w.workspace_id as "workspaceId", w.id, w.url, w.failing_since as "failingSince",
           w.forwards_domain_id as "forwardsDomainId"
      from webhooks w
     where w.enabled and w.failing_since is not null and w.failed_attempts >= ${rule.attempts}
       and w.last_failure_at >= w.failing_since + make_interval(secs => ${rule.failingSeconds})${condition}
     order by w.failing_since limit 100`.execute(db);
  return rows;
}

/** False: somebody else was first, or it works again. */
export async function markNoticed(tx: Db, endpoint: FailingEndpoint): Promise<boolean> {
  const { rows } = await sql`
    update webhooks w set failing_notice_at = clock_timestamp()
     where w.workspace_id = ${endpoint.workspaceId} and w.id = ${endpoint.id} and w.enabled
       and w.failing_since is not null and (w.failing_notice_at is null or w.failing_notice_at < w.failing_since)
    returning w.id`.execute(tx);
  return rows.length > 0;
}

/**
 * Disables an endpoint that is enabled; false when it was not. With `stillFailing` only one that has not succeeded
 * since it was looked at.
 */
export async function disableEndpointRow(
  tx: Db,
  endpoint: { workspaceId: string; id: string },
  change: { reason: string; stillFailing: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update webhooks w set enabled = false, disabled_reason = ${change.reason}, updated_at = clock_timestamp()
     where w.workspace_id = ${endpoint.workspaceId} and w.id = ${endpoint.id} and w.enabled
       and (not ${change.stillFailing} or w.failing_since is not null)
    returning w.id`.execute(tx);
  return rows.length > 0;
}
