import { hashOfAddress } from '#features/consents';
import type { Db } from '#platform/db/database.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { listOptOuts } from '../opt-outs/opt-out-queries.ts';

/** The addresses among these whose contacts were erased, also when the address has come back since. */
export async function listErasedContacts(
  { db, secrets, workspaceId }: { db: Db; secrets: Secrets; workspaceId: string },
  emails: readonly string[],
): Promise<string[]> {
  const hashes = emails.map((email) => ({ email, hash: hashOfAddress(secrets, email) }));
  const kept = await listOptOuts(
    db,
    workspaceId,
    hashes.map(({ hash }) => hash),
  );
  const erased = new Set(kept.flatMap((one) => (one.erased ? one.addressHash.toString('hex') : [])));
  return hashes.flatMap(({ email, hash }) => (erased.has(hash.toString('hex')) ? email : []));
}
