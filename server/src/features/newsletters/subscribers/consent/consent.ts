import { macOf } from '#platform/crypto/mac.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { type ConsentAction, insertConsents, type NewConsent } from './consent-queries.ts';
import { type Evidence, storableEvidence } from './evidence.ts';
import type { Subscriber } from '../subscriber.ts';

/**
 * The trace of an address that remains when everything else is erased: nobody without our key can try addresses
 * against it.
 */
export const hashOfAddress = (secrets: Secrets, identity: string): Buffer => macOf(secrets.key('consent'), identity);

export interface ConsentEntry {
  subscriber: Pick<Subscriber, 'workspaceId' | 'newsletterId' | 'email' | 'source'> & { id: string | null };
  action: ConsentAction;
  at: Date;
  evidence: Evidence;
  /** As it was typed; null: the address is not kept. */
  typed?: string | null;
  emailId?: string;
  details?: Record<string, unknown>;
}

/**
 * Puts on record what people asked for or withdrew, in the transaction in which it takes effect. Never changed later.
 */
export async function recordConsents(tx: Db, secrets: Secrets, entries: readonly ConsentEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await insertConsents(
    tx,
    entries.map(
      (one): NewConsent => ({
        workspaceId: one.subscriber.workspaceId,
        id: newId(),
        newsletterId: one.subscriber.newsletterId,
        subscriberId: one.subscriber.id,
        emailHash: hashOfAddress(secrets, one.subscriber.email),
        email: one.typed === undefined ? one.subscriber.email : one.typed,
        action: one.action,
        at: one.at,
        evidence: storableEvidence(one.evidence),
        source: one.subscriber.source,
        emailId: one.emailId ?? null,
        details: one.details ?? null,
      }),
    ),
  );
}
