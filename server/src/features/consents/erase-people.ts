import { eraseRequests } from '#features/request-log';
import { eraseRecipients } from '#features/scheduled-emails';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { hashOfAddress, type List, type Person } from './consent.ts';
import { insertErasures } from './erasure-queries.ts';
import { noEvidence } from './evidence.ts';
import { forgetAddresses, forgetAsFormer, listFormerAddresses, listHashesOfOthers } from './queries.ts';
import { recordConsents } from './record-consents.ts';

/**
 * Erases people of one list, whose rows the caller has deleted in the same transaction: from their records everything
 * but what happened when and a keyed hash of the address, and of the addresses that they had before, which it returns.
 * Without an id, only what is on record under the address itself is erased: its row belongs to somebody else now.
 * Scheduled emails to them do not leave. That they were erased is recorded. Traces in emails, events and webhooks are
 * removed soon after (`eraseTraces`).
 */
export async function erasePeople(
  tx: Db,
  secrets: Secrets,
  list: List,
  people: readonly Pick<Person, 'id' | 'email'>[],
  at: Date,
): Promise<string[]> {
  const ids = people.flatMap(({ id }) => id ?? []);
  const former = await formerAddresses(tx, secrets, list, ids);
  const emails = [...new Set([...people.map(({ email }) => email), ...former])];
  const emailHashes = emails.map((email) => hashOfAddress(secrets, email));
  await forgetAsFormer(tx, list, { emails, emailHashes, ids });
  await forgetAddresses(tx, list, { emailHashes, ids });
  await recordConsents(
    tx,
    secrets,
    emails.map((email) => ({
      // The hash is made of the address, and nothing else is kept.
      person: { workspaceId: list.workspaceId, listId: list.listId, id: null, email, source: null },
      action: 'erased',
      at,
      evidence: noEvidence,
      typed: null,
    })),
  );
  await insertErasures(tx, list.workspaceId, ids);
  await eraseRequests(tx, list.workspaceId, [...emails, ...ids]);
  await eraseRecipients(tx, list.workspaceId, emails);
  return former;
}

/** An address that somebody else on the list has taken since is theirs. */
async function formerAddresses(tx: Db, secrets: Secrets, list: List, ids: readonly string[]): Promise<string[]> {
  const former = await listFormerAddresses(tx, list, ids);
  if (former.length === 0) return [];
  const hashed = former.map((email) => ({ email, hash: hashOfAddress(secrets, email).toString('hex') }));
  const taken = await listHashesOfOthers(tx, list, { hashes: hashed.map(({ hash }) => hash), ids });
  return hashed.filter(({ hash }) => !taken.includes(hash)).map(({ email }) => email);
}
