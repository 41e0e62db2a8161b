import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { EmailStatus } from '../../email-status.ts';
import type { SendKey } from '../bulk-send.ts';

/** A state of the emails, or what people did with them. */
export type RecipientFilter = EmailStatus | 'opened' | 'clicked';

/** A count of the statistics: the recipients that it counts. */
export const RECIPIENT_COUNTS = [
  'total',
  'pending',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'failed',
  'refused',
  'suppressed',
  'cancelled',
  'unsubscribed',
] as const;

export type RecipientCount = (typeof RECIPIENT_COUNTS)[number];

/** The recipients that are meant. Left out: all of them. */
export interface RecipientsMeant {
  filter?: RecipientFilter | undefined;
  counted?: RecipientCount | undefined;
  /** Only these addresses, a bounded number of them. */
  addresses?: readonly string[] | undefined;
}

export interface RecipientsAsked extends RecipientsMeant {
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
  /** Of the content; null: settled without one. */
  contentVersion: number | null;
}

export async function selectRecipients(db: Db, key: SendKey, asked: RecipientsAsked): Promise<RecipientRow[]> {
  return (await recipientsStatement(key, asked).execute(db)).rows;
}

/** How many there are, counted along the same index: exact below `most`, where the count stops. */
export async function countRecipients(db: Db, key: SendKey, meant: RecipientsMeant, most: number): Promise<number> {
  const { rows } = await sql<{ counted: number }>`
    with ${pageOf(key, { ...meant, limit: most })} select count(*) as counted from page`.execute(db);
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
           e.click_count as "clickCount",
           case when e.status in ('suppressed', 'cancelled') then null
             when e.status in ('pending', 'queued', 'deferred') then r.content_version else e.content_version
           end as "contentVersion"
      from page p
      join emails e on e.workspace_id = ${workspaceId} and e.id = p.id
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
      join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     order by e.id desc`;
}

/** The ids of the page, as `page`: newest first, as every list. */
function pageOf(key: SendKey, asked: RecipientsAsked): RawBuilder<unknown> {
  const { limit, offset = 0 } = asked;
  const cut = sql`limit ${limit} offset ${offset}`;
  if (asked.addresses !== undefined) {
    return sql`page as materialized (${amongAddresses(key, asked, asked.addresses)} order by e.id desc ${cut})`;
  }
  const { fact, states } = choiceOf(asked);
  if (states === undefined) return sql`page as materialized (${ofSend(key, asked, fact)} ${cut})`;
  const [state, ...others] = states;
  if (state !== undefined && others.length === 0)
    return sql`page as materialized (${inState(key, asked, state)} ${cut})`;
  // Of several states the newest of each, by the index of each.
  const newest = states.map((state) => sql`(${inState(key, asked, state)} limit ${limit + offset})`);
  return sql`page as materialized (
    select w.id from (${sql.join(newest, sql` union all `)}) w order by w.id desc ${cut})`;
}

type Choice = { fact: RawBuilder<unknown>; states?: readonly EmailStatus[] };

const ALL = sql``;
const SENT: readonly EmailStatus[] = ['sent', 'delivery_delayed', 'delivered', 'bounced', 'complained'];
const PENDING: readonly EmailStatus[] = ['pending', 'queued', 'deferred', 'sending', 'unconfirmed'];

/** A person's first open has a time, and a machine's has not. */
const FACTS = {
  opened: sql` and e.first_opened_at is not null`,
  clicked: sql` and e.click_count > 0`,
  unsubscribed: sql` and e.unsubscribed_at is not null`,
};

/** The same conditions as in the trigger that counts (`ph_count_moved_emails`). */
const COUNTED: Readonly<Record<RecipientCount, Choice>> = {
  total: { fact: ALL },
  pending: { fact: ALL, states: PENDING },
  sent: { fact: ALL, states: SENT },
  delivered: { fact: sql` and e.delivered_at is not null`, states: ['delivered', 'complained'] },
  opened: { fact: FACTS.opened },
  clicked: { fact: FACTS.clicked },
  bounced: { fact: ALL, states: ['bounced'] },
  complained: { fact: ALL, states: ['complained'] },
  failed: { fact: ALL, states: ['failed', 'suppressed', 'cancelled'] },
  refused: { fact: ALL, states: ['failed'] },
  suppressed: { fact: ALL, states: ['suppressed'] },
  cancelled: { fact: ALL, states: ['cancelled'] },
  unsubscribed: { fact: FACTS.unsubscribed },
};

function choiceOf({ filter, counted }: RecipientsMeant): Choice {
  if (counted !== undefined) return COUNTED[counted];
  switch (filter) {
    case undefined:
      return { fact: ALL };
    case 'opened':
    case 'clicked':
      return { fact: FACTS[filter] };
    case 'queued':
      // Emails that wait for another attempt are shown as queued, too.
      return { fact: ALL, states: ['queued', 'deferred'] };
    default:
      return { fact: ALL, states: [filter] };
  }
}

const behind = ({ after }: RecipientsAsked): RawBuilder<unknown> =>
  after === undefined ? sql`` : sql` and e.id < ${after}`;

/** Along the index of the send, or the one that has nothing but this fact. */
const ofSend = ({ workspaceId, sendId }: SendKey, asked: RecipientsAsked, fact: RawBuilder<unknown>) => sql`
  select e.id from emails e where e.workspace_id = ${workspaceId} and e.send_id = ${sendId}${fact}${behind(asked)}
   order by e.workspace_id desc, e.send_id desc, e.id desc`;

/** By the index that knows each address of a send once. */
function amongAddresses(
  { workspaceId, sendId }: SendKey,
  asked: RecipientsAsked,
  addresses: readonly string[],
): RawBuilder<unknown> {
  const { fact, states } = choiceOf(asked);
  const ofStates = states === undefined ? sql`` : sql` and e.status = any (${[...states]}::text[])`;
  return sql`
    select e.id from emails e
     where e.workspace_id = ${workspaceId} and e.send_id = ${sendId} and e.lane = 2
       and e.recipient = any (${[...addresses]}::text[])${ofStates}${fact}${behind(asked)}`;
}

function inState(key: SendKey, asked: RecipientsAsked, status: EmailStatus): RawBuilder<unknown> {
  const { workspaceId, sendId } = key;
  const { fact } = choiceOf(asked);
  if (status === 'pending') return ofSend(key, asked, sql` and e.status = 'pending'`);
  if (status === 'sending') {
    // As few as the workers have hands: found by their leases, of all sends, and sorted.
    return sql`
      select h.id from (
        select e.id from emails e where e.workspace_id = ${workspaceId} and e.send_id = ${sendId}
           and e.status = 'sending'${behind(asked)} offset 0) h
       order by h.id desc`;
  }
  // The index of states has all emails of the workspace in order, those of a send in one stretch: its ends are looked
  // up, and "is not distinct" keeps to that index, where an equality would lead to reading the send to its end. The
  // ends are looked up by a range of one send, which keeps to the index of the sends: with an equality the order is
  // that of the ids alone, and of a send that is most of its workspace the other emails of it would be read first.
  return sql`
    select e.id from emails e where e.workspace_id = ${workspaceId} and e.status = ${status}
       and e.send_id is not distinct from ${sendId}${fact}${behind(asked)}
       and e.id >= (select f.id from emails f where f.workspace_id = ${workspaceId} and f.send_id between ${sendId} and ${sendId}
                     order by f.workspace_id, f.send_id, f.id limit 1)
       and e.id <= (select l.id from emails l where l.workspace_id = ${workspaceId} and l.send_id between ${sendId} and ${sendId}
                     order by l.workspace_id desc, l.send_id desc, l.id desc limit 1)
     order by e.workspace_id desc, e.status desc, e.id desc`;
}
