import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { type ConsentAction, hashOfAddress, type Person } from './consent.ts';
import { type Evidence, storableEvidence } from './evidence.ts';
import { insertConsents, type NewConsent } from './queries.ts';

export interface ConsentEntry {
  person: Person;
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
    entries.map(({ person, ...one }): NewConsent => {
      const { ip, userAgent, url, formVersion, tokenId } = storableEvidence(one.evidence);
      return {
        workspace_id: person.workspaceId,
        id: newId(),
        newsletter_id: person.listId,
        subscriber_id: person.id,
        email_hash: `\\x${hashOfAddress(secrets, person.email).toString('hex')}`,
        email: one.typed === undefined ? person.email : one.typed,
        action: one.action,
        at: one.at,
        ip,
        user_agent: userAgent,
        url,
        source: person.source,
        form_version: formVersion,
        email_id: one.emailId ?? null,
        token_id: tokenId ?? null,
        details: one.details ?? null,
      };
    }),
  );
}
