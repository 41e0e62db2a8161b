import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { EmailStatus } from '../../email-status.ts';
import type { SendKey } from '../bulk-send.ts';

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

export async function selectRecipients(db: Db, key: SendKey, asked: RecipientsAsked): Promise<RecipientRow[]> {
  return (await recipientsStatement(key, asked).execute(db)).rows;
}

/** How many there are, counted along the same index: exact below `most`, where the count stops. */
export async function countRecipients(db: Db, key: SendKey, filter: RecipientFilter, most: number): Promise<number> {
  const { rows } = await sql<{ counted: number }>`
    with ${pageOf(key, { filter, limit: most })} select count(*) as counted from page`.execute(db);
  return rows[0]?.counted ?? 0;
}

/**
 * By an index that has those who are asked for and nobody else, from the last row of the page before. Skipped entries
 * are entries of that index, not rows. The statement by itself, whose plan a test looks at.
 */
export function recipientsStatement(key: SendKey, asked: RecipientsAsked): RawBuilder<RecipientRow> {
  const { workspaceId } = key;
  return sql<RecipientRow>`
    with ${pageOf(key, asked)}
    select e.id as "emailId", e.subscriber_id as "subscriberId", e.recipient as email, e.status,
           c.from_domain as "fromDomain", e.last_event_at as "lastEventAt", e.error, e.open_count as "openCount",
           e.click_count as "clickCount"
      from page p
      join emails e on e.workspace_id = ${workspaceId} and e.id = p.id
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
     order by e.id desc`;
}

/** The ids of the page, as `page`: newest first, as every list. */
function pageOf(
  { workspaceId, sendId }: SendKey,
  { filter, after, offset = 0, limit }: RecipientsAsked,
): RawBuilder<unknown> {
  const emails = sql`select e.id from emails e where e.workspace_id = ${workspaceId}`;
  const behind = after === undefined ? sql`` : sql` and e.id < ${after}`;
  const cut = sql`limit ${limit} offset ${offset}`;
  // The index of states has all emails of the workspace in order, those of a send in one stretch: its ends are looked
  // up, and "is not distinct" keeps to that index, where an equality would lead to reading the send to its end. The
  // ends are looked up by a range of one send, which keeps to the index of the sends: with an equality the order is
  // that of the ids alone, and of a send that is most of its workspace the other emails of it would be read first.
  const inState = (status: EmailStatus): RawBuilder<unknown> => sql`
    ${emails} and e.status = ${status} and e.send_id is not distinct from ${sendId}${behind}
       and e.id >= (select f.id from emails f where f.workspace_id = ${workspaceId} and f.send_id between ${sendId} and ${sendId}
                     order by f.workspace_id, f.send_id, f.id limit 1)
       and e.id <= (select l.id from emails l where l.workspace_id = ${workspaceId} and l.send_id between ${sendId} and ${sendId}
                     order by l.workspace_id desc, l.send_id desc, l.id desc limit 1)
     order by e.workspace_id desc, e.status desc, e.id desc`;
  switch (filter) {
    case undefined:
    case 'pending':
    case 'opened':
    case 'clicked':
      return sql`page as materialized (
        ${emails} and e.send_id = ${sendId}${FACTS[filter ?? 'all']}${behind}
         order by e.workspace_id desc, e.send_id desc, e.id desc ${cut})`;
    case 'sending':
      // As few as the workers have hands: found by their leases, of all sends, and sorted.
      return sql`in_hands as materialized (
        ${emails} and e.send_id = ${sendId} and e.status = 'sending'${behind}
      ), page as materialized (select h.id from in_hands h order by h.id desc ${cut})`;
    case 'queued': {
      // Emails that wait for another attempt are shown as queued, too.
      const first = sql`limit ${limit + offset}`;
      return sql`page as materialized (
        select w.id from ((${inState('queued')} ${first}) union all (${inState('deferred')} ${first})) w
         order by w.id desc ${cut})`;
    }
    default:
      return sql`page as materialized (${inState(filter)} ${cut})`;
  }
}

/** A person's first open has a time, and a machine's has not. */
const FACTS = {
  all: sql``,
  pending: sql` and e.status = 'pending'`,
  opened: sql` and e.first_opened_at is not null`,
  clicked: sql` and e.click_count > 0`,
};
