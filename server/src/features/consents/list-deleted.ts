import type { Ctx } from '#platform/http/context.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import { type Consent, hashOfAddress, type List } from './consent.ts';
import type { DeletedList } from './deleted-list.ts';
import {
  countDeletedLists,
  type DeletedListsAsked,
  isDeletedList,
  listKeptConsents,
  pageConsentsOfList,
  pageDeletedLists,
} from './deleted-lists-queries.ts';

/** The lists whose consents are kept, newest first. */
export async function listDeletedLists(
  { db }: Pick<Ctx, 'db'>,
  asked: DeletedListsAsked,
  page: PageRequest,
): Promise<{ rows: DeletedList[]; total: number | null }> {
  const rows = await pageDeletedLists(db, asked, page);
  return { rows, total: page.after === null ? await countDeletedLists(db, asked) : null };
}

/** The consents of an address that are kept of every deleted list of the workspace, by list. */
export async function listKeptOf(
  { db, secrets, workspaceId }: Pick<Ctx, 'db' | 'secrets' | 'workspaceId'>,
  email: string,
  limit: number,
): Promise<{ name: string; deletedAt: Date; consents: Consent[] }[]> {
  const kept = await listKeptConsents(db, workspaceId, hashOfAddress(secrets, email), limit);
  return [...Map.groupBy(kept, ({ listId }) => listId).values()].map((consents) => ({
    name: consents[0]?.listName ?? '',
    deletedAt: consents[0]?.listDeletedAt ?? new Date(0),
    consents,
  }));
}

/** The consents that are kept of a deleted list, of all people or of one address. Undefined: there is no such list. */
export async function listConsentsOfDeleted(
  { db, secrets }: Pick<Ctx, 'db' | 'secrets'>,
  list: List,
  email: string | null,
  page: PageRequest,
): Promise<Consent[] | undefined> {
  if (!(await isDeletedList(db, list))) return undefined;
  return pageConsentsOfList(db, list, email === null ? null : hashOfAddress(secrets, email), page);
}
