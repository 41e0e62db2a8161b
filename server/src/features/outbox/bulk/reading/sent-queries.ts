import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SendKey } from '../bulk-send.ts';

/** Some of the recipients of a send: those who were sent one version of its content. */
export interface SentVersion extends SendKey {
  /** null: any. */
  contentVersion: number | null;
}

/**
 * Selects recipient and recipient_id of those whom the provider took an email for, each once. One that it took and then
 * rejected (a virus) was sent to nobody, as in the statistics.
 */
export const selectSent = ({ workspaceId, sendId, contentVersion }: SentVersion): RawBuilder<unknown> => sql`
  select e.recipient, e.subscriber_id as recipient_id from emails e
   where e.workspace_id = ${workspaceId} and e.send_id = ${sendId} and e.lane = 2 and e.sent_at is not null
     and e.status <> 'failed'
     and (${contentVersion}::smallint is null or e.content_version = ${contentVersion}::smallint)`;

/** False once retention has removed them. */
export async function hasEmails(db: Db, { workspaceId, sendId }: SendKey): Promise<boolean> {
  const { rows } = await sql`
    select from emails where workspace_id = ${workspaceId} and send_id = ${sendId} and lane = 2 limit 1`.execute(db);
  return rows.length > 0;
}
