import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SubscriberStatus } from './subscriber.ts';

/** A person on a list, as conditions and templates of other features see them. */
export interface SubscriberFacts {
  newsletterId: string;
  id: string;
  email: string;
  name: string | null;
  source: string | null;
  status: SubscriberStatus;
  metadata: Record<string, unknown>;
}

/** The people among these who are on their list, in one statement. */
export async function listSubscriberFacts(
  db: Db,
  workspaceId: string,
  people: readonly { newsletterId: string; email: string }[],
): Promise<SubscriberFacts[]> {
  if (people.length === 0) return [];
  const { rows } = await sql<SubscriberFacts>`
    select s.newsletter_id as "newsletterId", s.id, s.email, s.name, s.source, s.status, s.metadata
      from (select distinct * from unnest(${people.map((one) => one.newsletterId)}::uuid[],
                                          ${people.map((one) => one.email)}::text[])) as p (newsletter_id, email)
      join subscribers s
        on s.workspace_id = ${workspaceId} and s.newsletter_id = p.newsletter_id and s.email = p.email`.execute(db);
  return rows;
}

/** The addresses among these that are on any list. */
export async function listOnAnyList(db: Db, workspaceId: string, emails: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct s.email from subscribers s
     where s.workspace_id = ${workspaceId} and s.email = any (${[...emails]}::text[])`.execute(db);
  return rows.map(({ email }) => email);
}
