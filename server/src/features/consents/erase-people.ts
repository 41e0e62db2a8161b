import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { hashOfAddress, type List, type Person } from './consent.ts';
import { insertErasures } from './erasure-queries.ts';
import { noEvidence } from './evidence.ts';
import { forgetAddresses } from './queries.ts';
import { recordConsents } from './record-consents.ts';

/**
 * Erases people of one list, whose rows the caller has deleted in the same transaction: from their records everything
 * but what happened when and a keyed hash of the address. That they were erased is recorded. Traces in emails, events
 * and webhooks are removed soon after (`eraseTraces`).
 */
export async function erasePeople(
  tx: Db,
  secrets: Secrets,
  list: List,
  people: readonly (Pick<Person, 'email'> & { id: string })[],
  at: Date,
): Promise<void> {
  const hashes = people.map(({ email }) => hashOfAddress(secrets, email));
  await forgetAddresses(tx, list, hashes);
  await recordConsents(
    tx,
    secrets,
    people.map(({ email }) => ({
      // The hash is made of the address, and nothing else is kept.
      person: { workspaceId: list.workspaceId, listId: list.listId, id: null, email, source: null },
      action: 'erased',
      at,
      evidence: noEvidence,
      typed: null,
    })),
  );
  await insertErasures(
    tx,
    list.workspaceId,
    people.map(({ id }) => id),
  );
}
