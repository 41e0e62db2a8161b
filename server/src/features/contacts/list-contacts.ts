import type { Static } from 'typebox';
import { identityIn, readAddress } from '#mail/addresses/read-address.ts';
import { searchAsStored } from '#mail/addresses/search-as-stored.ts';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import { viewsOf } from './get-contact.ts';
import { countContacts, pageOfContacts } from './list-queries.ts';
import { findContact } from './queries.ts';
import type { ContactsQuery } from './schemas.ts';

/**
 * A page of contacts, newest first. The total is known where one look sees everything. A search for the whole address
 * of a contact finds this one, however many contacts are newer.
 */
export async function listContacts(ctx: Ctx, query: Static<typeof ContactsQuery>, page: PageRequest) {
  if (query.email !== undefined) return withAddress(ctx, readAddress(query.email).identity, query);
  const named = query.search === undefined ? undefined : identityIn(query.search);
  if (named !== undefined && page.after === null) {
    const found = await withAddress(ctx, named, query);
    if (found.total > 0) return found;
  }
  const filter = filterOf(query);
  const { rows, goOnAfter } = await pageOfContacts(ctx.db, ctx.workspaceId, filter, page);
  const isCounted = page.after === null && goOnAfter === null;
  const total = isCounted ? await countContacts(ctx.db, ctx.workspaceId, filter, EXACT_TOTAL_MAX + 1) : null;
  return {
    contacts: await viewsOf(ctx, rows),
    total,
    totalIsEstimate: total !== null && total > EXACT_TOTAL_MAX,
    goOnAfter,
  };
}

const filterOf = ({ search, unsubscribed, list_id }: Static<typeof ContactsQuery>) => ({
  search: searchAsStored(search ?? '') || null,
  isUnsubscribed: unsubscribed === undefined ? null : unsubscribed === 'true',
  listId: list_id?.toLowerCase() ?? null,
});

/** An address has an index, so it is looked for among all. The other filters are about this one contact then. */
async function withAddress(ctx: Ctx, email: string, query: Static<typeof ContactsQuery>) {
  const contact = await findContact(ctx.db, ctx.workspaceId, { email });
  const { isUnsubscribed, search, listId } = filterOf(query);
  const contacts = await viewsOf(ctx, contact === undefined ? [] : [contact]);
  const found = contacts.filter(
    (one) =>
      (isUnsubscribed === null || one.unsubscribed === isUnsubscribed) &&
      (listId === null || one.list_ids.includes(listId)) &&
      (search === null || `${one.email}\n${one.name ?? ''}`.toLowerCase().includes(search.toLowerCase())),
  );
  return { contacts: found, total: found.length, totalIsEstimate: false, goOnAfter: null };
}
