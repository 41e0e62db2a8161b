import { type RawBuilder, sql } from 'kysely';
import { isOnLists } from '#features/contacts';
import type { Db } from '#platform/db/database.ts';

/** More is not counted: about a second of work. */
export const COUNTED_MAX = 1_000_000;

export interface AudienceCount {
  total: number;
  suppressed: number;
  unsubscribed: number;
  willSend: number;
}

/** Contacts in the names of people. */
export const contactsAsPeople = (contacts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select c.contact_id as recipient_id, c.email, c.has_left from (${contacts}) c`;

/** Subscribers but those who are contacts on one of the lists. `withFormer`: the column has_left is there. */
export const withoutListed = (
  workspaceId: string,
  subscribers: RawBuilder<unknown>,
  { excludeListIds, withFormer }: { excludeListIds: readonly string[]; withFormer: boolean },
): RawBuilder<unknown> => sql`
  select u.recipient_id, u.email, ${withFormer ? sql`u.has_left` : sql`false as has_left`} from (${subscribers}) u
   where ${excludeListIds.length === 0 ? sql`true` : sql`not ${isOnLists(workspaceId, excludeListIds, sql`u.email`)}`}`;

/** The people who were mailed before, by the recipient_id of `mailed`. */
export const mailedPeople = (people: RawBuilder<unknown>, mailed: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select p.recipient_id, p.email, p.has_left from (${people}) p join (${mailed}) m on m.recipient_id = p.recipient_id`;

/** The people who would get a broadcast now, of the first million. */
export async function countAudience(db: Db, workspaceId: string, chosen: RawBuilder<unknown>): Promise<AudienceCount> {
  const { rows } = await sql<AudienceCount>`
    select count(*)::integer as total,
           (count(*) filter (where not a.has_left and s.email is not null))::integer as suppressed,
           (count(*) filter (where a.has_left))::integer as unsubscribed,
           (count(*) filter (where not a.has_left and s.email is null))::integer as "willSend"
      from (select chosen.email, chosen.has_left from (${chosen}) chosen
             limit ${COUNTED_MAX + 1}) a
      left join suppressions s on s.workspace_id = ${workspaceId} and s.email = a.email
        and (s.expires_at is null or s.expires_at > now())`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a count came without a row');
  return row;
}
