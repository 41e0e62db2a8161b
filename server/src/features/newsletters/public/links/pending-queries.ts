import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { subscriberColumns } from '../../subscribers/queries.ts';
import type { Subscriber } from '../../subscribers/subscriber.ts';

/** The newest sign-ups of an address that wait for a confirmation, on every list of every workspace. */
export async function listPendingOfAddress(db: Db, email: string, limit: number): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    -- every workspace: a link that was cut names none
    select ${subscriberColumns} from subscribers s
     where s.email = ${email} and s.status = 'pending'
     order by s.id desc limit ${limit}`.execute(db);
  return rows;
}
