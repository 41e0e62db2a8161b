import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { endOfLook, type LookedAt } from '#platform/db/end-of-look.ts';
import { likeAnywhere } from '#platform/db/like-pattern.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import type { Contact } from './contact.ts';
import { contactColumns } from './queries.ts';

export interface ContactFilter {
  /** Part of the address or of a name. */
  search: string | null;
  isUnsubscribed: boolean | null;
}

const isNarrow = ({ search, isUnsubscribed }: ContactFilter): boolean => search !== null || isUnsubscribed !== null;

const matches = ({ search, isUnsubscribed }: ContactFilter): RawBuilder<unknown> => sql`
  (${isUnsubscribed}::boolean is null or (c.unsubscribed_at is not null) = ${isUnsubscribed}::boolean)
  and (${search}::text is null or c.email ilike ${likeAnywhere(search ?? '')} or c.name ilike ${likeAnywhere(search ?? '')}
       or concat_ws(' ', c.first_name, c.last_name) ilike ${likeAnywhere(search ?? '')})`;

/** All contacts behind the cursor. */
const all = (workspaceId: string, after: string | null): RawBuilder<unknown> => sql`
  select c.id from contacts c
   where c.workspace_id = ${workspaceId} ${after === null ? sql`` : sql`and c.id < ${after}::uuid`}
   order by c.workspace_id desc, c.id desc`;

/**
 * Newest first, one row more than `limit` when there are more. A filter is looked for among the next 10,000
 * (decision 0096).
 */
export async function pageOfContacts(
  db: Db,
  workspaceId: string,
  filter: ContactFilter,
  { after, limit, offset }: Pick<PageRequest, 'after' | 'limit' | 'offset'>,
): Promise<LookedAt<Contact>> {
  const ids = all(workspaceId, after);
  const end = isNarrow(filter) ? await endOfLook(db, ids, { offset }) : null;
  const { rows } = await sql<Contact>`
    with page as materialized (
      select t.id from (${ids}) t join contacts c on c.workspace_id = ${workspaceId} and c.id = t.id
       where ${matches(filter)} ${end === null ? sql`` : sql`and t.id >= ${end}::uuid`}
       order by t.id desc limit ${limit + 1} offset ${offset}
    )
    select ${contactColumns} from page p join contacts c on c.workspace_id = ${workspaceId} and c.id = p.id
     order by c.id desc`.execute(db);
  return { rows, goOnAfter: end };
}

/** Counted up to `max` and no further. */
export async function countContacts(db: Db, workspaceId: string, filter: ContactFilter, max: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from contacts c where c.workspace_id = ${workspaceId} and ${matches(filter)} limit ${max}) as counted`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}
