import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface MentionedEmail {
  emailId: string;
  providerMessageId: string | null;
  /** Of a message that a program handed in; null: it has our id. */
  messageId: string | null;
  recipient: string;
}

/** A program may give the same Message-ID to many messages. */
const OF_A_PROGRAM_MAX = 500;

/**
 * Emails of a workspace that a message of somebody names: by our own ids, by those of the provider, or by the
 * Message-IDs that programs gave to messages which they handed in.
 */
export async function findMentionedEmails(
  db: Db,
  workspaceId: string,
  {
    ids,
    providerIds,
    messageIds,
  }: { ids: readonly string[]; providerIds: readonly string[]; messageIds: readonly string[] },
): Promise<MentionedEmail[]> {
  const { rows } = await sql<MentionedEmail>`
    select e.id as "emailId", e.provider_message_id as "providerMessageId", null as "messageId", e.recipient
      from emails e
     where e.workspace_id = ${workspaceId} and e.id = any (${[...ids]}::uuid[])
    union
    select e.id, e.provider_message_id, null, e.recipient from emails e
     where e.workspace_id = ${workspaceId} and e.provider_message_id = any (${[...providerIds]}::text[])
    union
    (select e.id, e.provider_message_id, c.message_id, e.recipient
       from contents c
       join send_requests s on s.workspace_id = c.workspace_id and s.content_id = c.id and s.source = 'relay'
       join emails e on e.workspace_id = s.workspace_id and e.send_id = s.id
      where c.workspace_id = ${workspaceId} and c.message_id = any (${[...messageIds]}::text[])
      limit ${OF_A_PROGRAM_MAX})`.execute(db);
  return rows;
}
