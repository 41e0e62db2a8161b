import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Tally } from '#platform/tally/tally.ts';

/** How many subscribers of a newsletter are in each state. */
export interface SubscriberCounts {
  pending: number;
  active: number;
  unsubscribed: number;
}

/** The subscribers of newsletters, in the order of their states. */
export const subscriberTally: Tally = {
  table: sql`subscriber_counts`,
  key: sql`newsletter_id`,
  columns: sql`pending, active, unsubscribed`,
  sums: sql`sum(pending), sum(active), sum(unsubscribed)`,
};

/** From the sums that are kept: exact, however many there are. */
export async function sumSubscribers(db: Db, workspaceId: string, newsletterId: string): Promise<SubscriberCounts> {
  const { rows } = await sql<SubscriberCounts>`
    select coalesce(sum(c.pending), 0)::integer as pending, coalesce(sum(c.active), 0)::integer as active,
           coalesce(sum(c.unsubscribed), 0)::integer as unsubscribed
      from subscriber_counts c where c.workspace_id = ${workspaceId} and c.newsletter_id = ${newsletterId}`.execute(db);
  return rows[0] ?? { pending: 0, active: 0, unsubscribed: 0 };
}
