import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { Searched } from './words.ts';

type Of = Pick<Newsletter, 'workspaceId' | 'id'>;

/** Words of different newsletters are different entries of the index; two ids that end alike cost time alone. */
const entryOf = (newsletterId: string, word: string): string => `${newsletterId.slice(-8)}:${word}`;

/** Words are letters and digits, so that nothing in them ends a quotation. */
const queryOf = (newsletterId: string, searched: readonly Searched[]): string =>
  searched.map(({ word, isBeginning }) => `'${entryOf(newsletterId, word)}'${isBeginning ? ':*' : ''}`).join(' & ');

/** The page of a list behind one of its issues, which is the last one above it or the first one below it. */
export interface PageOfFound {
  behind: string | null;
  /** The page of newer issues, above `behind`. */
  isNewer: boolean;
  limit: number;
}

/** The ids of published issues with all these words, from `behind` on: newest first, or for `isNewer` the nearest. */
export async function findByWords(
  db: Db,
  { workspaceId, id }: Of,
  searched: readonly Searched[],
  { behind, isNewer, limit }: PageOfFound,
): Promise<string[]> {
  // By the words alone: no index is searched for "is not distinct from". A planner that read the rows of the workspace
  // in place of the entries of the words would read the words of each.
  const { rows } = await sql<{ id: string }>`
    select w.issue_id as id from issue_words w
     where w.words @@ ${queryOf(id, searched)}::tsquery
       and w.workspace_id is not distinct from ${workspaceId}::uuid
       and w.newsletter_id is not distinct from ${id}::uuid
       ${behind === null ? sql`` : pastOf(workspaceId, behind, isNewer)}
     order by ${isNewer ? sql`w.sent_at, w.issue_id` : sql`w.sent_at desc, w.issue_id desc`}
     limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

// Read here, because a Date keeps milliseconds only.
function pastOf(workspaceId: string, behind: string, isNewer: boolean) {
  const at = sql`(select b.sent_at, b.issue_id from issue_words b
                   where b.workspace_id = ${workspaceId} and b.issue_id = ${behind})`;
  return isNewer ? sql`and (w.sent_at, w.issue_id) > ${at}` : sql`and (w.sent_at, w.issue_id) < ${at}`;
}

/** A sent issue whose words are not noted. */
export interface WithoutWords {
  workspaceId: string;
  id: string;
  newsletterId: string;
  slug: string;
  subject: string;
  preheader: string | null;
  htmlBody: string;
  sentAt: Date;
}

export async function pageWithoutWords(db: Db, limit: number): Promise<WithoutWords[]> {
  const { rows } = await sql<WithoutWords>`
    -- every workspace: what was sent is to be found, whoever sent it
    select i.workspace_id as "workspaceId", i.id, i.newsletter_id as "newsletterId", i.slug, i.subject, i.preheader,
           i.html_body as "htmlBody", i.sent_at as "sentAt"
      from issues i where i.status = 'sent' and not i.in_search order by i.id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Notes the words of an issue; issues that a test key sent are published nowhere, and have none. Two processes that do
 * it at the same time do it once.
 */
export async function insertWords(
  db: Db,
  { workspaceId, id, newsletterId }: Pick<WithoutWords, 'workspaceId' | 'id' | 'newsletterId'>,
  words: readonly string[],
): Promise<void> {
  await sql`
    with noted as (
      update issues i set in_search = true
       where i.workspace_id = ${workspaceId} and i.id = ${id} and not i.in_search
      returning i.workspace_id, i.id, i.newsletter_id, i.sent_at, i.sent_by
    )
    insert into issue_words (workspace_id, issue_id, newsletter_id, sent_at, words)
    select workspace_id, id, newsletter_id, sent_at,
           array_to_tsvector(${words.map((word) => entryOf(newsletterId, word))}::text[])
      from noted where coalesce(sent_by ->> 'mode', 'live') = 'live'`.execute(db);
}
