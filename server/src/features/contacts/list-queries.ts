import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { endOfLook, LOOKED_AT_MAX, type LookedAt } from '#platform/db/end-of-look.ts';
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

/**
 * The contacts of a span that a filter is looked for among, as rows. Each is found by its key: a join could read all
 * contacts of the workspace for 10,000 of them (a second for a million, November 2026, in place of 30 ms).
 */
const looked = (workspaceId: string, filter: ContactFilter, after: string | null): RawBuilder<unknown> => sql`
  select o.* from (${span(workspaceId, filter, after)} limit ${LOOKED_AT_MAX}) t
   cross join lateral (
     select i.* from contacts i where i.workspace_id = ${workspaceId} and i.id = t.id offset 0) o
   order by o.id desc offset 0`;

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
  if (isNarrow(filter)) {
    const goOnAfter = await endOfLook(db, ids, { offset });
    const { rows } = await sql<Contact>`
      select ${contactColumns} from (${looked(workspaceId, filter, after)}) c where ${matches(filter)}
       order by c.id desc limit ${limit + 1} offset ${offset}`.execute(db);
    return { rows, goOnAfter };
  }
  const { rows } = await sql<Contact>`
    with page as materialized (${ids} limit ${limit + 1} offset ${offset})
    select ${contactColumns} from page p join contacts c on c.workspace_id = ${workspaceId} and c.id = p.id
     order by c.id desc`.execute(db);
  return { rows, goOnAfter: null };
}

/** Counted up to `max` and no further; with a filter among the newest 10,000. */
export async function countContacts(db: Db, workspaceId: string, filter: ContactFilter, max: number): Promise<number> {
  const found = isNarrow(filter)
    ? sql`(${looked(workspaceId, filter, null)}) c where ${matches(filter)}`
    : sql`(${span(workspaceId, filter, null)}) t`;
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (select from ${found} limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}
