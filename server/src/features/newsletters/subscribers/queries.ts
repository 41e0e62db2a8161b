import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { ConsentSummary } from '#features/consents';
import { SUBSCRIBER, type Subscriber, type SubscriberStatus } from './subscriber.ts';

const UNIQUE_VIOLATION = '23505';

/** Of the row called `s`. */
export const subscriberColumns = SUBSCRIBER.columns('s');

export interface NewSubscriber
  extends Pick<
    Subscriber,
    'workspaceId' | 'id' | 'newsletterId' | 'email' | 'name' | 'source' | 'metadata' | 'consent'
  > {
  status: SubscriberStatus;
  at: Date;
}

/** Undefined: the address has a row in this newsletter already, also one that was committed a moment ago. */
export async function insertSubscriber(tx: Db, row: NewSubscriber): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`
    insert into subscribers as s (workspace_id, id, newsletter_id, email, name, source, metadata, status, consent,
      confirmed_at, unsubscribed_at, created_at, updated_at)
    values (${row.workspaceId}, ${row.id}, ${row.newsletterId}, ${row.email}, ${row.name}, ${row.source},
      ${JSON.stringify(row.metadata)}::jsonb, ${row.status}, ${JSON.stringify(row.consent)}::jsonb,
      ${row.status === 'active' ? row.at : null}, ${row.status === 'unsubscribed' ? row.at : null}, ${row.at}, ${row.at})
    on conflict (workspace_id, newsletter_id, email) do nothing
    returning ${subscriberColumns}`.execute(tx);
  return rows[0];
}

const selectOne = (workspaceId: string, newsletterId: string, id: string) => sql<Subscriber>`
  select ${subscriberColumns} from subscribers s
   where s.workspace_id = ${workspaceId} and s.id = ${id} and s.newsletter_id = ${newsletterId}`;
type OfSubscriber = Parameters<typeof selectOne>;

export async function findSubscriber(db: Db, ...of: OfSubscriber): Promise<Subscriber | undefined> {
  const { rows } = await selectOne(...of).execute(db);
  return rows[0];
}

export async function lockSubscriber(tx: Db, ...of: OfSubscriber): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`${selectOne(...of)} for update`.execute(tx);
  return rows[0];
}

export async function findSubscriberByEmail(
  db: Db,
  workspaceId: string,
  newsletterId: string,
  email: string,
): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`
    select ${subscriberColumns} from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId} and s.email = ${email}`.execute(db);
  return rows[0];
}

/**
 * Every row of an address that is not unsubscribed, or only by a visit to a link, locked in an order of its own so that
 * two callers cannot deadlock.
 */
export async function lockLeavingRowsOfAddress(tx: Db, workspaceId: string, email: string): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    select ${subscriberColumns} from subscribers s
     where s.workspace_id = ${workspaceId} and s.email = ${email}
       and (s.status in ('pending', 'active') or s.unsubscribed_by_visit)
     order by s.id for update`.execute(tx);
  return rows;
}

/** The columns that a move writes; what is left out stays as it is. The row is locked by the caller. */
export interface SubscriberChange {
  status: SubscriberStatus;
  at: Date;
  /** Added to the generation. */
  generation: -1 | 0 | 1;
  confirmedAt: Date | null;
  unsubscribedAt: Date | null;
  statusBefore: SubscriberStatus | null;
  unsubscribedIssueId: string | null;
  /** False when left out. */
  unsubscribedByVisit?: boolean;
  /** The reason for an unsubscribe, merged into the metadata; null takes it out. */
  reason: string | null;
  consent: ConsentSummary;
}

/** Undefined: it has been deleted. */
export async function moveSubscriber(
  tx: Db,
  row: Pick<Subscriber, 'workspaceId' | 'id'>,
  to: SubscriberChange,
): Promise<Subscriber | undefined> {
  const metadata =
    to.reason === null
      ? sql`s.metadata - 'unsubscribe_reason'`
      : sql`s.metadata || jsonb_build_object('unsubscribe_reason', ${to.reason}::text)`;
  const { rows } = await sql<Subscriber>`
    update subscribers s
       set status = ${to.status}, generation = s.generation + ${to.generation}, confirmed_at = ${to.confirmedAt},
           unsubscribed_at = ${to.unsubscribedAt}, status_before = ${to.statusBefore},
           unsubscribed_issue_id = ${to.unsubscribedIssueId},
           unsubscribed_by_visit = ${to.unsubscribedByVisit ?? false}, metadata = ${metadata},
           consent = ${JSON.stringify(to.consent)}::jsonb, updated_at = ${to.at}
     where s.workspace_id = ${row.workspaceId} and s.id = ${row.id}
    returning ${subscriberColumns}`.execute(tx);
  return rows[0];
}

/** A person has shown that they want to be off these lists: nothing undoes that but themselves. */
export async function keepUnsubscribed(tx: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update subscribers set unsubscribed_by_visit = false
     where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[]) and unsubscribed_by_visit`.execute(tx);
}

/** A confirmation email went out. Undefined: there is nobody pending to have got it (any more). */
export async function noteConfirmationSent(
  tx: Db,
  row: Pick<Subscriber, 'workspaceId' | 'id'>,
  at: Date,
): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`
    update subscribers s
       set confirmation_sent_at = ${at}, confirmation_count = s.confirmation_count + 1, updated_at = ${at}
     where s.workspace_id = ${row.workspaceId} and s.id = ${row.id} and s.status = 'pending'
    returning ${subscriberColumns}`.execute(tx);
  return rows[0];
}

/** The row is locked by the caller. */
export async function updateSubscriber(
  tx: Db,
  row: Subscriber,
  to: { name: string | null; source: string | null; metadata: Record<string, unknown>; at: Date },
): Promise<Subscriber> {
  const { rows } = await sql<Subscriber>`
    update subscribers s
       set name = ${to.name}, source = ${to.source}, metadata = ${JSON.stringify(to.metadata)}::jsonb,
           updated_at = ${to.at}
     where s.workspace_id = ${row.workspaceId} and s.id = ${row.id}
    returning ${subscriberColumns}`.execute(tx);
  const [changed] = rows;
  if (changed === undefined) throw new Error('a locked row is gone');
  return changed;
}

/**
 * The row is locked by the caller. The confirmation emails counted went to the address before. Undefined: another row
 * of the newsletter has the address, perhaps since a moment ago; the transaction is over then.
 */
export async function moveToAddress(
  tx: Db,
  row: Pick<Subscriber, 'workspaceId' | 'id'>,
  to: { email: string; status: SubscriberStatus; consent: ConsentSummary; at: Date },
): Promise<Subscriber | undefined> {
  try {
    const { rows } = await sql<Subscriber>`
      update subscribers s
         set email = ${to.email}, status = ${to.status}, generation = s.generation + 1,
             confirmed_at = case when ${to.status}::text = 'pending' then null else s.confirmed_at end,
             status_before = null, unsubscribed_by_visit = false, confirmation_sent_at = null, confirmation_count = 0,
             consent = ${JSON.stringify(to.consent)}::jsonb, updated_at = ${to.at}
       where s.workspace_id = ${row.workspaceId} and s.id = ${row.id}
      returning ${subscriberColumns}`.execute(tx);
    return rows[0];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return undefined;
    throw error;
  }
}

/** Undefined: it is gone already. */
export async function deleteSubscriber(
  tx: Db,
  workspaceId: string,
  newsletterId: string,
  id: string,
): Promise<Subscriber | undefined> {
  const { rows } = await sql<Subscriber>`
    delete from subscribers s
     where s.workspace_id = ${workspaceId} and s.id = ${id} and s.newsletter_id = ${newsletterId}
    returning ${subscriberColumns}`.execute(tx);
  return rows[0];
}
