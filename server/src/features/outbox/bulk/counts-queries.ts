import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Tally } from '#platform/tally/tally.ts';

/** The statistics of a bulk send: total = pending + sent + failed at every moment. */
export interface SendCounts {
  total: number;
  /** waiting + queued + sending + unconfirmed */
  pending: number;
  waiting: number;
  queued: number;
  sending: number;
  unconfirmed: number;
  sent: number;
  /** refused + suppressed + cancelled */
  failed: number;
  refused: number;
  suppressed: number;
  cancelled: number;
  delivered: number;
  bounced: number;
  complained: number;
  opened: number;
  clicked: number;
  openedMachine: number;
  clickedMachine: number;
  unsubscribed: number;
  firstEventAt: Date | null;
  lastEventAt: Date | null;
}

const sums = sql`
  coalesce(sum(c.total), 0)::integer as total, coalesce(sum(c.waiting + c.queued + c.sending + c.unconfirmed), 0)::integer as pending,
  coalesce(sum(c.waiting), 0)::integer as waiting, coalesce(sum(c.queued), 0)::integer as queued, coalesce(sum(c.sending), 0)::integer as sending,
  coalesce(sum(c.unconfirmed), 0)::integer as unconfirmed, coalesce(sum(c.sent), 0)::integer as sent,
  coalesce(sum(c.refused + c.suppressed + c.cancelled), 0)::integer as failed, coalesce(sum(c.refused), 0)::integer as refused,
  coalesce(sum(c.suppressed), 0)::integer as suppressed, coalesce(sum(c.cancelled), 0)::integer as cancelled, coalesce(sum(c.delivered), 0)::integer as delivered,
  coalesce(sum(c.bounced), 0)::integer as bounced, coalesce(sum(c.complained), 0)::integer as complained, coalesce(sum(c.opened), 0)::integer as opened,
  coalesce(sum(c.clicked), 0)::integer as clicked, coalesce(sum(c.opened_machine), 0)::integer as "openedMachine",
  coalesce(sum(c.clicked_machine), 0)::integer as "clickedMachine", coalesce(sum(c.unsubscribed), 0)::integer as unsubscribed,
  min(c.first_event_at) as "firstEventAt", max(c.last_event_at) as "lastEventAt"`;

/** One statement and so one snapshot: what it adds up to was true at one moment. */
export async function sumCounts(
  db: Db,
  workspaceId: string,
  sendIds: readonly string[],
): Promise<(SendCounts & { sendId: string })[]> {
  const { rows } = await sql<SendCounts & { sendId: string }>`
    select c.send_id as "sendId", ${sums} from send_counts c
     where c.workspace_id = ${workspaceId} and c.send_id = any (${[...sendIds]}::uuid[])
     group by c.send_id`.execute(db);
  return rows;
}

/** The statistics of one version of the content of a send. */
export interface VersionCounts extends SendCounts {
  sendId: string;
  contentVersion: number;
}

/** The same by the version of the content, the first first. A version of which no email was claimed yet is there. */
export async function sumCountsByVersion(
  db: Db,
  workspaceId: string,
  sendIds: readonly string[],
): Promise<VersionCounts[]> {
  const { rows } = await sql<VersionCounts>`
    select r.id as "sendId", v.version as "contentVersion", c.* from send_requests r
     cross join generate_series(1, r.content_version) as v (version)
     cross join lateral (
       select ${sums} from send_counts c
        where c.workspace_id = r.workspace_id and c.send_id = r.id and c.content_version = v.version) c
     where r.workspace_id = ${workspaceId} and r.id = any (${[...sendIds]}::uuid[])
     order by r.id, v.version`.execute(db);
  return rows;
}

/** The statistics of bulk sends. */
export const sendTally: Tally = {
  table: sql`send_counts`,
  key: sql`send_id, content_version`,
  columns: sql`total, waiting, queued, sending, unconfirmed, sent, refused, suppressed, cancelled, delivered, bounced,
    complained, opened, clicked, opened_machine, clicked_machine, unsubscribed, first_event_at, last_event_at`,
  sums: sql`sum(total), sum(waiting), sum(queued), sum(sending), sum(unconfirmed), sum(sent), sum(refused),
    sum(suppressed), sum(cancelled), sum(delivered), sum(bounced), sum(complained), sum(opened), sum(clicked),
    sum(opened_machine), sum(clicked_machine), sum(unsubscribed), min(first_event_at), max(last_event_at)`,
};

/**
 * Counts a recipient who left by the link of their email, or came back: once for each email, in the statistics of the
 * send and, by the trigger on emails, in the counts over time. An email that retention has removed is counted as well;
 * `at` is then the time, the same for both changes.
 */
export async function addUnsubscribed(
  tx: Db,
  { workspaceId, sendId, subscriberId }: { workspaceId: string; sendId: string; subscriberId: string },
  { change, at }: { change: 1 | -1; at: Date },
): Promise<void> {
  await sql`
    with email as (
      select e.id, e.content_version from emails e
       where e.workspace_id = ${workspaceId} and e.subscriber_id = ${subscriberId} and e.send_id = ${sendId}
    ), marked as (
      update emails e set unsubscribed_at = case when ${change}::integer = 1 then clock_timestamp() end
       where e.workspace_id = ${workspaceId} and e.subscriber_id = ${subscriberId} and e.send_id = ${sendId}
         and (e.unsubscribed_at is null) = (${change}::integer = 1)
      returning e.id
    ), over_time as (
      select ph_add_email_counts(array[s.workspace_id], array[s.id], array[s.content_id],
               array[date_bin('15 minutes', ${at}::timestamptz, '2000-01-01T00:00:00Z')], array[9], array[${change}::integer])
        from send_requests s
       where s.workspace_id = ${workspaceId} and s.id = ${sendId} and not exists (select from email)
    )
    insert into send_counts (workspace_id, send_id, content_version, unsubscribed)
    select ${workspaceId}::uuid, ${sendId}::uuid, coalesce((select max(content_version) from email), 1), ${change}::integer from (select count(*) from over_time) as done
     where exists (select from marked) or not exists (select from email)`.execute(tx);
}
