import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { DKIM_PURPOSE, makeDkimKeyPair } from './dkim-key.ts';
import { FIRST_SELECTOR } from './domain.ts';
import { findDomainByName, insertVerifiedDomain } from './queries.ts';
import { forgetSenderDomain } from './sender-domain.ts';

/** Reserved for testing (RFC 2606), so nothing sent from it can reach a stranger's DNS. */
export const SANDBOX_DOMAIN = 'posthorn.test';

/**
 * Gives the workspace the ready-verified domain that makes a first send work before any DNS exists. Safe to call at
 * every start and by several starters at once: the first key pair stays.
 */
export async function createSandboxDomain(db: Db, secrets: Secrets, workspaceId: string): Promise<void> {
  const there = await findDomainByName(db, workspaceId, SANDBOX_DOMAIN);
  if (there !== undefined && there.id !== null) return;
  const pair = await makeDkimKeyPair();
  await insertVerifiedDomain(db, {
    workspaceId,
    id: newId(),
    domain: SANDBOX_DOMAIN,
    selector: FIRST_SELECTOR,
    sealedKey: secrets.seal(DKIM_PURPOSE, pair.privateKey),
    publicKey: pair.publicKey,
  });
  forgetSenderDomain(workspaceId, SANDBOX_DOMAIN);
}
