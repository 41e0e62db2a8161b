import { hashOfAddress, listErasedAnywhere } from '#features/consents';
import { listContactFacts, listErasedContacts } from '#features/contacts';
import { listOnAnyList } from '#features/newsletters';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';

export interface Hearing {
  db: Db;
  secrets: Secrets;
}

/**
 * The addresses among these whose persons asked to be forgotten, and are neither a contact nor on a list since. Two
 * statements, and two more when there is one.
 */
export async function listErased(
  { db, secrets }: Hearing,
  workspaceId: string,
  asked: readonly string[],
): Promise<Set<string>> {
  const emails = [...new Set(asked)];
  if (emails.length === 0) return new Set();
  const ofContacts = await listErasedContacts({ db, secrets, workspaceId }, emails);
  const hashes = new Map(emails.map((email) => [hashOfAddress(secrets, email).toString('hex'), email]));
  const ofLists = await listErasedAnywhere(db, workspaceId, [...hashes.keys()]);
  const marked = [...new Set([...ofContacts, ...ofLists.map((hash) => hashes.get(hash) ?? '')])];
  if (marked.length === 0) return new Set();
  const back = new Set(await listOnAnyList(db, workspaceId, marked));
  const contacts = await listContactFacts(
    db,
    workspaceId,
    marked.map((email) => ({ email, listId: null })),
  );
  for (const { email } of contacts) back.add(email);
  return new Set(marked.filter((email) => !back.has(email)));
}
