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

/** These issues as far as they are published, newest first. */
export async function listArchived(
  db: Db,
  { workspaceId, id }: Of,
  issueIds: readonly string[],
): Promise<ArchivedIssue[]> {
  const { rows } = await sql<ArchivedIssue>`
    select ${columns} from issues i
     where i.workspace_id = ${workspaceId} and i.newsletter_id = ${id} and i.id = any(${[...issueIds]}::uuid[])
       and ${published}
     order by i.sent_at desc, i.id desc`.execute(db);
  return rows;
}

/** The characters of html that a page of issues may have together: the newest issues have theirs. */
export interface WithBodies {
  limit: number;
  charsMax: number;
}

export interface ArchivedIssueInFeed extends ArchivedIssue {
  /** null: with the newer ones it would have been too much. */
  htmlBody: string | null;
}

/** The newest issues, with as many bodies as fit. Their sizes are known without reading them. */
export async function newestWithBodies(
  db: Db,
  { workspaceId, id }: Of,
  { limit, charsMax }: WithBodies,
): Promise<ArchivedIssueInFeed[]> {
  const { rows } = await sql<ArchivedIssueInFeed>`
    select i.id, i.slug, i.subject, i.preheader, i."sentAt",
           case when sum(octet_length(i.html_body)) over (order by i."sentAt" desc, i.id desc) <= ${charsMax}
                then i.html_body end as "htmlBody"
      from (
        select ${columns}, i.html_body from issues i
         where i.workspace_id = ${workspaceId} and i.newsletter_id = ${id} and ${published}
         order by i.sent_at desc, i.id desc limit ${limit}
      ) i order by i."sentAt" desc, i.id desc`.execute(db);
  return rows;
}

/** The issues that were sent just before and just after one. */
export interface Neighbours {
  older: ArchivedIssue | undefined;
  newer: ArchivedIssue | undefined;
}

export async function findNeighbours(
  db: Db,
  { workspaceId, id }: Of,
  { id: issueId }: Pick<ArchivedIssue, 'id'>,
): Promise<Neighbours> {
  // Read here, because a Date keeps milliseconds only: by those an issue would come after itself.
  const at = sql`(select o.sent_at, o.id from issues o where o.workspace_id = ${workspaceId} and o.id = ${issueId})`;
  const { rows } = await sql<ArchivedIssue & { isNewer: boolean }>`
    (select ${columns}, false as "isNewer" from issues i
      where i.workspace_id = ${workspaceId} and i.newsletter_id = ${id} and ${published}
        and (i.sent_at, i.id) < ${at}
      order by i.sent_at desc, i.id desc limit 1)
    union all
    (select ${columns}, true as "isNewer" from issues i
      where i.workspace_id = ${workspaceId} and i.newsletter_id = ${id} and ${published}
        and (i.sent_at, i.id) > ${at}
      order by i.sent_at, i.id limit 1)`.execute(db);
  return { older: rows.find(({ isNewer }) => !isNewer), newer: rows.find(({ isNewer }) => isNewer) };
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
