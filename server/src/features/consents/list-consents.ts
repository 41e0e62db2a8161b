import type { Ctx } from '#platform/http/context.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import { type Consent, hashOfAddress, type Person } from './consent.ts';
import { countConsents, pageConsents } from './queries.ts';

type ReadCtx = Pick<Ctx, 'db' | 'secrets'>;
type OnList = Pick<Person, 'workspaceId' | 'listId' | 'email' | 'id'>;

/** The consents of a person on this list, of the address and of those before, newest first: the proof of consent. */
export async function listConsents(
  { db, secrets }: ReadCtx,
  { workspaceId, listId, email, id }: OnList,
  page: PageRequest,
): Promise<{ rows: Consent[]; total: number | null }> {
  const asked = { workspaceId, listId, emailHash: hashOfAddress(secrets, email), subscriberId: id };
  const rows = await pageConsents(db, asked, page);
  const total = page.after === null ? await countConsents(db, asked) : null;
  return { rows, total };
}

/** Of an address and a person, or of the person alone (`email` null). Undefined: nothing is on record. */
export async function newestConsent(
  { db, secrets }: ReadCtx,
  { workspaceId, listId, email, id }: Omit<OnList, 'email'> & { email: string | null },
): Promise<Consent | undefined> {
  const emailHash = email === null ? null : hashOfAddress(secrets, email);
  const asked = { workspaceId, listId, emailHash, subscriberId: id };
  const [newest] = await pageConsents(db, asked, { limit: 1, offset: 0, after: null });
  return newest;
}
