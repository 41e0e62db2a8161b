import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Emails of a workspace that a message of somebody names: by our own ids, or by those of the provider. */
export async function findMentionedEmails(
  db: Db,
  workspaceId: string,
  { ids, providerIds }: { ids: readonly string[]; providerIds: readonly string[] },
): Promise<{ emailId: string; providerMessageId: string | null }[]> {
  const { rows } = await sql<{ emailId: string; providerMessageId: string | null }>`
    select e.id as "emailId", e.provider_message_id as "providerMessageId" from emails e
     where e.workspace_id = ${workspaceId} and e.id = any (${[...ids]}::uuid[])
    union
    select e.id, e.provider_message_id from emails e
     where e.workspace_id = ${workspaceId} and e.provider_message_id = any (${[...providerIds]}::text[])`.execute(db);
  return rows;
}
