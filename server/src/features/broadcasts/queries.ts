import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { hasText } from '#platform/db/like-pattern.ts';
import { firstLookAt } from './schedule-time.ts';
import { BROADCAST, type Broadcast, type BroadcastStatus, type BroadcastSummary, TEXTS } from './broadcast.ts';

const summaryColumns = BROADCAST.columns('b');

/** Of the row called `b`. */
export const columns = sql`${summaryColumns}, ${TEXTS.columns('b')}`;

export async function findBroadcast(db: Db, workspaceId: string, id: string): Promise<Broadcast | undefined> {
  const { rows } = await sql<Broadcast>`
    select ${columns} from broadcasts b where b.workspace_id = ${workspaceId} and b.id = ${id}`.execute(db);
  return rows[0];
}

/** The same, held until the transaction ends: of two moves at once one comes second. */
export async function lockBroadcast(tx: Db, workspaceId: string, id: string): Promise<Broadcast | undefined> {
  const { rows } = await sql<Broadcast>`
    select ${columns} from broadcasts b
     where b.workspace_id = ${workspaceId} and b.id = ${id} for update`.execute(tx);
  return rows[0];
}

export interface BroadcastFilter {
  status: BroadcastStatus | null;
  /** Part of the name or the subject. */
  search: string | null;
  /** Broadcasts to other newsletters are left out; empty: none is. */
  newsletterIds: readonly string[];
}

const matches = ({ status, search, newsletterIds }: BroadcastFilter): RawBuilder<unknown> => sql`
  (${status}::text is null or b.status = ${status})
  and (${search}::text is null or ${hasText(sql`b.name`, search ?? '')} or ${hasText(sql`b.subject`, search ?? '')})
  and ${
    newsletterIds.length === 0
      ? sql`true`
      : sql`(b.audience ->> 'newsletterId' is null or b.audience ->> 'newsletterId' = any (${[...newsletterIds]}::text[]))`
  }`;

/** Newest first, one more than the page has when there are more. */
export async function pageOfBroadcasts(
  db: Db,
  workspaceId: string,
  asked: BroadcastFilter & { limit: number; offset: number; after: string | null },
): Promise<BroadcastSummary[]> {
  const { rows } = await sql<BroadcastSummary>`
    select ${summaryColumns} from broadcasts b
     where b.workspace_id = ${workspaceId} and ${matches(asked)}
       and (${asked.after}::uuid is null or b.id < ${asked.after}::uuid)
     order by b.id desc limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countBroadcasts(
  db: Db,
  workspaceId: string,
  filter: BroadcastFilter,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from broadcasts b where b.workspace_id = ${workspaceId} and ${matches(filter)} limit ${max}) as counted`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

const json = (value: unknown): RawBuilder<unknown> => sql`${JSON.stringify(value)}::jsonb`;
const jsonOrNull = (value: unknown): RawBuilder<unknown> => (value === null ? sql`null` : json(value));

export async function insertBroadcast(tx: Db, b: Broadcast): Promise<void> {
  await sql`
    insert into broadcasts (workspace_id, id, name, status, sender, reply_to, subject, preheader, html, text,
      template_id, variables, audience, follow_up_of, finish_by, track_opens, track_clicks, tags, scheduled_for, timezone, schedule_note,
      recipient_timezone, wall_time, sent_by, created_at, updated_at)
    values (${b.workspaceId}, ${b.id}, ${b.name}, ${b.status}, ${b.sender}, ${json(b.replyTo)}, ${b.subject},
      ${b.preheader}, ${b.html}, ${b.text}, ${b.templateId}, ${json(b.variables)}, ${json(b.audience)},
      ${b.followUpOf}, ${b.finishBy}, ${b.trackOpens}, ${b.trackClicks}, ${json(b.tags)}, ${b.scheduledFor}, ${b.timezone}, ${b.scheduleNote},
      ${b.recipientTimezone}, ${jsonOrNull(b.wallTime)}, ${jsonOrNull(b.sentBy)}, ${b.createdAt}, ${b.updatedAt})`.execute(
    tx,
  );
}

/** The fields of a broadcast held by the transaction that may be changed. */
export async function updateBroadcast(tx: Db, b: Broadcast): Promise<void> {
  await sql`
    update broadcasts
       set name = ${b.name}, status = ${b.status}, sender = ${b.sender}, reply_to = ${json(b.replyTo)},
           subject = ${b.subject}, preheader = ${b.preheader}, html = ${b.html}, text = ${b.text},
           template_id = ${b.templateId}, variables = ${json(b.variables)}, audience = ${json(b.audience)},
           follow_up_of = ${b.followUpOf}, finish_by = ${b.finishBy},
           track_opens = ${b.trackOpens}, track_clicks = ${b.trackClicks}, tags = ${json(b.tags)},
           scheduled_for = ${b.scheduledFor}, timezone = ${b.timezone}, schedule_note = ${b.scheduleNote},
           recipient_timezone = ${b.recipientTimezone}, starts_at = ${firstLookAt(b)},
           wall_time = ${jsonOrNull(b.wallTime)}, sent_by = ${jsonOrNull(b.sentBy)}, updated_at = ${b.updatedAt}
     where workspace_id = ${b.workspaceId} and id = ${b.id}`.execute(tx);
}

/** The texts of a broadcast that is being sent. */
export async function updateTexts(tx: Db, b: Broadcast): Promise<void> {
  await sql`
    update broadcasts
       set subject = ${b.subject}, preheader = ${b.preheader}, html = ${b.html}, text = ${b.text},
           variables = ${json(b.variables)}, template_version = ${b.templateVersion}, updated_at = ${b.updatedAt}
     where workspace_id = ${b.workspaceId} and id = ${b.id}`.execute(tx);
}

/** A version of its content after the first. */
export async function insertVersion(
  tx: Db,
  { workspaceId, id }: Pick<Broadcast, 'workspaceId' | 'id'>,
  version: { contentVersion: number; contentId: string; variables: Record<string, unknown> },
): Promise<void> {
  await sql`
    insert into broadcast_versions (workspace_id, broadcast_id, content_version, content_id, variables)
    values (${workspaceId}, ${id}, ${version.contentVersion}, ${version.contentId}, ${json(version.variables)})`.execute(
    tx,
  );
}

export async function deleteBroadcast(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`delete from broadcasts where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
