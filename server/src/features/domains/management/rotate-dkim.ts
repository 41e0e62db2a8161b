import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { DKIM_PURPOSE, makeDkimKeyPair } from '../dkim-key.ts';
import type { Domain } from '../domain.ts';
import { getDomain, getLockedDomain } from '../get-domain.ts';
import { SANDBOX_DOMAIN } from '../sandbox-domain.ts';
import { insertNextKey, lookSoon } from './queries.ts';

/** A key that was made for a domain, before any transaction. */
export interface NextKey {
  sealedKey: Buffer;
  publicKey: string;
}

/** Judges the domain, and makes a key: some 100 ms of another thread. */
export async function makeNextKey(ctx: Ctx, id: string): Promise<NextKey> {
  refuseRotation(await getDomain(ctx, id));
  const pair = await makeDkimKeyPair(async () => refuseRotation(await getDomain(ctx, id)));
  return { sealedKey: ctx.secrets.seal(DKIM_PURPOSE, pair.privateKey), publicKey: pair.publicKey };
}

/**
 * Gives a domain a second key, under a selector of its own. Mail is signed with the first until a check sees the record
 * of the second at all DNS servers.
 */
export async function rotateDkim(ctx: Ctx, id: string, key: NextKey): Promise<Domain> {
  await inTransaction(ctx.db, async (tx) => {
    const domain = await getLockedDomain(ctx, tx, id);
    refuseRotation(domain);
    const selector = nextSelector(domain.dkimSelector);
    await insertNextKey(tx, domain, { ...key, selector });
    await lookSoon(tx, domain);
    await recordSecurityEvent(tx, ctx, {
      action: 'domain.dkim_rotation_begun',
      targetType: 'domain',
      targetId: id,
      details: { domain: domain.domain, selector },
    });
  });
  return getDomain(ctx, id);
}

function refuseRotation({ domain, sendingEnabled, furtherKeys }: Domain): void {
  if (domain === SANDBOX_DOMAIN) throw conflict(`${SANDBOX_DOMAIN} stands in no DNS, and its key is never rotated.`);
  if (!sendingEnabled) throw conflict(`${domain} is not verified, so nothing is signed with its key. Verify it first.`);
  const [key] = furtherKeys;
  if (key?.role === 'next') {
    throw conflict(`${domain} has a next key already. Publish its record at ${key.selector}._domainkey.${domain}.`);
  }
  if (key !== undefined) {
    const until = key.until === null ? '' : ` until ${new Date(key.until).toISOString()}`;
    throw conflict(`The former key of ${domain} is still needed${until}. Rotate the key after that.`);
  }
}

/** The selector of the current key with its number raised: `posthorn1` becomes `posthorn2`. */
const nextSelector = (selector: string): string => {
  const [, name = selector, number = '1'] = /^(.*?)(\d+)$/.exec(selector) ?? [];
  return `${name}${Number(number) + 1}`;
};
