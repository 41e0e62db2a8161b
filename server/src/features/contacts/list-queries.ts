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
  /** On this list. */
  listId: string | null;
  /** On a contact called `c`. */
  condition?: RawBuilder<boolean>;
}

const isNarrow = ({ search, isUnsubscribed, condition }: ContactFilter): boolean =>
  search !== null || isUnsubscribed !== null || condition !== undefined;

const matches = ({ search, isUnsubscribed, condition }: ContactFilter): RawBuilder<unknown> => sql`
  (${isUnsubscribed}::boolean is null or (c.unsubscribed_at is not null) = ${isUnsubscribed}::boolean)
  and (${search}::text is null or c.email ilike ${likeAnywhere(search ?? '')} or c.name ilike ${likeAnywhere(search ?? '')}
       or concat_ws(' ', c.first_name, c.last_name) ilike ${likeAnywhere(search ?? '')})
  and ${condition ?? sql`true`}`;

/** The contacts behind the cursor: all, or those on a list. */
const span = (workspaceId: string, { listId }: ContactFilter, after: string | null): RawBuilder<unknown> =>
  listId === null
    ? sql`
  select c.id from contacts c
   where c.workspace_id = ${workspaceId} ${after === null ? sql`` : sql`and c.id < ${after}::uuid`}
   order by c.workspace_id desc, c.id desc`
    : sql`
  select m.contact_id as id from contact_list_members m
   where m.workspace_id = ${workspaceId} and m.list_id = ${listId} and m.unsubscribed_at is null
     ${after === null ? sql`` : sql`and m.contact_id < ${after}::uuid`}
   order by m.workspace_id desc, m.list_id desc, m.contact_id desc`;

/** The part of a span that the filter lets through, as `t`. */
const found = (workspaceId: string, filter: ContactFilter, ids: RawBuilder<unknown>): RawBuilder<unknown> =>
  isNarrow(filter)
    ? sql`(${ids}) t join contacts c on c.workspace_id = ${workspaceId} and c.id = t.id and ${matches(filter)}`
    : sql`(${ids}) t`;

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
  const ids = span(workspaceId, filter, after);
  const end = isNarrow(filter) ? await endOfLook(db, ids, { offset }) : null;
  const { rows } = await sql<Contact>`
    with page as materialized (
      select t.id from ${found(workspaceId, filter, ids)} ${end === null ? sql`` : sql`where t.id >= ${end}::uuid`}
       order by t.id desc limit ${limit + 1} offset ${offset}
    )
    select ${contactColumns} from page p join contacts c on c.workspace_id = ${workspaceId} and c.id = p.id
     order by c.id desc`.execute(db);
  return { rows, goOnAfter: end };
}

/** Counted up to `max` and no further. */
export async function countContacts(db: Db, workspaceId: string, filter: ContactFilter, max: number): Promise<number> {
  const ids = span(workspaceId, filter, null);
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from ${found(workspaceId, filter, ids)} limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}
