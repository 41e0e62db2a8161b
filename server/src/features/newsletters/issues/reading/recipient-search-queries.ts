import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { likeAnywhere } from '#platform/db/like-pattern.ts';

/**
 * Addresses of people of the newsletter that have this text in them, at most `limit`, in no order. The first condition
 * is the expression of the index subscribers_search, to the letter; it needs three letters or digits in a row.
 */
export async function addressesLike(
  db: Db,
  { workspaceId, newsletterId }: { workspaceId: string; newsletterId: string },
  part: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select s.email from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId}
       and (s.email || E'\\n' || lower(coalesce(s.name, ''))) like ${likeAnywhere(part)}
       and s.email like ${likeAnywhere(part)}
     limit ${limit}`.execute(db);
  return rows.map(({ email }) => email);
}
