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

/** `lane` is that of every bulk send, and what the index of those that did not arrive is limited to. */
const wanted = (filter: RecipientFilter | undefined): RawBuilder<unknown> => {
  if (filter === undefined) return sql`true`;
  if (filter === 'opened') return sql`e.open_count > 0`;
  if (filter === 'clicked') return sql`e.click_count > 0`;
  return sql`e.lane = 2 and e.status = ${filter}`;
};

export async function selectRecipients(db: Db, key: SendKey, asked: RecipientsAsked): Promise<RecipientRow[]> {
  return (await recipientsStatement(key, asked).execute(db)).rows;
}

/**
 * By an index of the send, from the last row of the page before. What is passed over are entries of that index, and no
 * rows. The statement by itself, whose plan a test looks at.
 */
export function recipientsStatement(
  { workspaceId, sendId }: SendKey,
  { filter, after, offset = 0, limit }: RecipientsAsked,
): RawBuilder<RecipientRow> {
  return sql<RecipientRow>`
    with page as materialized (
      select e.id from emails e
       where e.workspace_id = ${workspaceId} and e.send_id = ${sendId} and ${wanted(filter)}
         and ${after === undefined ? sql`true` : sql`e.id > ${after}`}
       order by e.workspace_id, e.send_id, e.id limit ${limit} offset ${offset}
    )
    select e.id as "emailId", e.subscriber_id as "subscriberId", e.recipient as email, e.status,
           c.from_domain as "fromDomain", e.last_event_at as "lastEventAt", e.error, e.open_count as "openCount",
           e.click_count as "clickCount"
      from page p
      join emails e on e.workspace_id = ${workspaceId} and e.id = p.id
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
     order by e.id`;
}
