import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { EmailStatus } from '../email-status.ts';
import type { SendKey } from './bulk-send.ts';

/** A state of the emails, or what people did with them. */
export type RecipientFilter = EmailStatus | 'opened' | 'clicked';

export interface RecipientsAsked {
  /** Left out: all of them. */
  filter?: RecipientFilter | undefined;
  /** The email of the last row before this page. */
  after?: string | undefined;
  /** Rows to pass over, for readers that count pages. */
  offset?: number | undefined;
  limit: number;
}

export interface RecipientRow {
  emailId: string;
  subscriberId: string | null;
  email: string;
  status: EmailStatus;
  fromDomain: string;
  lastEventAt: Date | null;
  error: string | null;
  openCount: number;
  clickCount: number;
}

const wanted = (filter: RecipientFilter | undefined): RawBuilder<unknown> => {
  if (filter === undefined) return sql`true`;
  if (filter === 'opened') return sql`e.open_count > 0`;
  if (filter === 'clicked') return sql`e.click_count > 0`;
  return sql`e.status = ${filter}`;
};

/** By the index of the send, from the last row of the page before. */
export async function selectRecipients(
  db: Db,
  { workspaceId, sendId }: SendKey,
  { filter, after, offset = 0, limit }: RecipientsAsked,
): Promise<RecipientRow[]> {
  const { rows } = await sql<RecipientRow>`
    select e.id as "emailId", e.subscriber_id as "subscriberId", e.recipient as email, e.status,
           c.from_domain as "fromDomain", e.last_event_at as "lastEventAt", e.error, e.open_count as "openCount",
           e.click_count as "clickCount"
      from emails e join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
     where e.workspace_id = ${workspaceId} and e.send_id = ${sendId} and ${wanted(filter)}
       and ${after === undefined ? sql`true` : sql`e.id > ${after}`}
     order by e.workspace_id, e.send_id, e.id limit ${limit} offset ${offset}`.execute(db);
  return rows;
}
