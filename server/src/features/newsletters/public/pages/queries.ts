import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Newsletter } from '../../newsletter.ts';

type Of = Pick<Newsletter, 'workspaceId' | 'id'>;

/** The fields of a sent issue that the archive and the feeds show. */
export interface ArchivedIssue {
  id: string;
  slug: string;
  subject: string;
  preheader: string | null;
  sentAt: Date;
}

export interface ArchivedIssueWithBody extends ArchivedIssue {
  htmlBody: string;
}

/** Only what was really sent: what a test key sends is kept from everybody. */
const published = sql`i.status = 'sent' and coalesce(i.sent_by ->> 'mode', 'live') = 'live'`;

const columns = sql`i.id, i.slug, i.subject, i.preheader, i.sent_at as "sentAt"`;

/** Newest first. A body is a megabyte: it is read only where it is shown. */
export async function pageOfArchive(
  db: Db,
  { workspaceId, id }: Of,
  { limit, offset }: { limit: number; offset: number },
): Promise<ArchivedIssue[]> {
  const { rows } = await sql<ArchivedIssue>`
    select ${columns} from issues i
     where i.workspace_id = ${workspaceId} and i.newsletter_id = ${id} and ${published}
     order by i.sent_at desc, i.id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export async function findArchivedIssue(
  db: Db,
  { workspaceId, id }: Of,
  slug: string,
): Promise<ArchivedIssueWithBody | undefined> {
  const { rows } = await sql<ArchivedIssueWithBody>`
    select ${columns}, i.html_body as "htmlBody" from issues i
     where i.workspace_id = ${workspaceId} and i.newsletter_id = ${id} and i.slug = ${slug} and ${published}`.execute(
    db,
  );
  return rows[0];
}
