import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { subscriberColumns } from '../../subscribers/queries.ts';
import type { Subscriber } from '../../subscribers/subscriber.ts';

export interface Subscription {
  subscriber: Subscriber;
  newsletterName: string;
  signupEnabled: boolean;
}

type Row = Subscriber & Omit<Subscription, 'subscriber'>;

/** Every list of the workspace that an address is or was on, by name. At most 200: a page is not a book. */
export async function listSubscriptions(db: Db, workspaceId: string, email: string): Promise<Subscription[]> {
  const { rows } = await sql<Row>`
    select ${subscriberColumns}, n.name as "newsletterName", n.signup_enabled as "signupEnabled"
      from subscribers s
      join newsletters n on n.workspace_id = s.workspace_id and n.id = s.newsletter_id
     where s.workspace_id = ${workspaceId} and s.email = ${email}
     order by lower(n.name), s.id limit 200`.execute(db);
  return rows.map(({ newsletterName, signupEnabled, ...subscriber }) => ({
    subscriber,
    newsletterName,
    signupEnabled,
  }));
}
