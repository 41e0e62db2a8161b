import { type RawBuilder, sql } from 'kysely';
import type { MailShown } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import { hasText } from '#platform/db/like-pattern.ts';
import { EXACT_TOTAL_MAX } from '#platform/http/paging.ts';

export interface CapturedRow {
  id: string;
  emailId: string;
  messageId: string;
  from: string;
  to: string[];
  subject: string;
  size: number;
  isSystem: boolean;
  capturedAt: Date;
  attachmentCount: number;
}

export interface CapturedFilter {
  to: string | null;
  search: string | null;
  emailId: string | null;
  shown: MailShown;
}

/** Parts that a mail program shows as files. The bytes of large files are kept apart, so that few are read for it. */
const FILES = sql`regexp_count(encode(k.mime, 'escape'), '^content-disposition:[ \t]*attachment', 1, 'in')`;

const columns = sql`id, email_id as "emailId", message_id as "messageId", envelope_from as "from",
  envelope_to as "to", subject, size, is_system as "isSystem", captured_at as "capturedAt",
  ${FILES} as "attachmentCount"`;

function conditions(workspaceId: string, filter: CapturedFilter): RawBuilder<unknown> {
  const all = [shownTo(workspaceId, filter.shown)];
  if (filter.emailId !== null) all.push(sql`email_id = ${filter.emailId}`);
  if (filter.to !== null) {
    all.push(
      sql`exists (select 1 from unnest(envelope_to) as address where lower(address) = ${filter.to.toLowerCase()})`,
    );
  }
  if (filter.search !== null) {
    const { search } = filter;
    all.push(sql`(${hasText(sql`subject`, search)} or ${hasText(sql`envelope_from`, search)}
      or exists (select 1 from unnest(envelope_to) as address where ${hasText(sql`address`, search)}))`);
  }
  return sql.join(all, sql` and `);
}

/** The captured messages (k) that the caller may see. */
function shownTo(workspaceId: string, { withSystemMail, newsletterIds }: MailShown): RawBuilder<unknown> {
  const all = [sql`k.workspace_id = ${workspaceId}`];
  if (!withSystemMail) all.push(sql`not k.is_system`);
  if (newsletterIds.length > 0) {
    all.push(sql`not exists (
      select from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
       where e.workspace_id = ${workspaceId} and e.id = k.email_id
         and s.newsletter_id <> all (${newsletterIds}::uuid[]))`);
  }
  return sql.join(all, sql` and `);
}

/**
 * Newest first; one row more than `limit` when there are more. The page is chosen first: a plan made of old statistics
 * looked for files in all 20,000 messages for each page, 0.3 s.
 */
export async function pageOfCaptured(
  db: Db,
  workspaceId: string,
  filter: CapturedFilter,
  page: { limit: number; offset: number; after: string | null },
): Promise<CapturedRow[]> {
  const after = page.after === null ? sql`` : sql` and id < ${page.after}::uuid`;
  const { rows } = await sql<CapturedRow>`
    select ${columns} from (
      select k.* from captured_emails k
       where workspace_id = ${workspaceId} and ${conditions(workspaceId, filter)}${after}
       order by id desc
       limit ${page.limit + 1} offset ${page.offset}) k
     order by id desc`.execute(db);
  return rows;
}

export async function countCaptured(
  db: Db,
  workspaceId: string,
  filter: CapturedFilter,
): Promise<{ total: number; isEstimate: boolean }> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select 1 from captured_emails k
       where workspace_id = ${workspaceId} and ${conditions(workspaceId, filter)}
       limit ${EXACT_TOTAL_MAX + 1}) as counted`.execute(db);
  const total = rows[0]?.total ?? 0;
  return { total, isEstimate: total > EXACT_TOTAL_MAX };
}

export async function findCaptured(
  db: Db,
  workspaceId: string,
  shown: MailShown,
  id: string,
): Promise<(CapturedRow & { mime: Buffer }) | undefined> {
  const { rows } = await sql<CapturedRow & { mime: Buffer }>`
    select ${columns}, ph_captured_mime(k.workspace_id, k.id, k.mime) as mime from captured_emails k
     where k.workspace_id = ${workspaceId} and ${shownTo(workspaceId, shown)} and id = ${id}`.execute(db);
  return rows[0];
}
