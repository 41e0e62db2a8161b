import type { Ctx } from '#platform/http/context.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import { type Consent, hashOfAddress, type Person } from './consent.ts';
import { countConsents, pageConsents } from './queries.ts';

type ReadCtx = Pick<Ctx, 'db' | 'secrets'>;
type OnList = Pick<Person, 'workspaceId' | 'listId' | 'email'>;

/** The consents of a person's address on this list, newest first: the proof of the consent. */
export async function listConsents(
  { db, secrets }: ReadCtx,
  { workspaceId, listId, email }: OnList,
  page: PageRequest,
): Promise<{ rows: Consent[]; total: number | null }> {
  const asked = { workspaceId, listId, emailHash: hashOfAddress(secrets, email) };
  const rows = await pageConsents(db, asked, page);
  const total = page.after === null ? await countConsents(db, asked) : null;
  return { rows, total };
}

/** Undefined: nothing is on record. */
export async function newestConsent(
  { db, secrets }: ReadCtx,
  { workspaceId, listId, email }: OnList,
): Promise<Consent | undefined> {
  const asked = { workspaceId, listId, emailHash: hashOfAddress(secrets, email) };
  const [newest] = await pageConsents(db, asked, { limit: 1, offset: 0, after: null });
  return newest;
}
