import { recordSecurityEvent } from '#features/workspaces';
import { type Db, inTransaction, onCommit } from '#platform/db/database.ts';
import { conflict, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { DKIM_PURPOSE, makeDkimKeyPair } from '../dkim-key.ts';
import { type Domain, DOMAINS_MAX, FIRST_SELECTOR, type Region } from '../domain.ts';
import { findDomain, findOtherHolder } from '../domain-queries.ts';
import { askForIdentity } from '../identities/queries.ts';
import { findDomainByName } from '../queries.ts';
import { SANDBOX_DOMAIN } from '../sandbox-domain.ts';
import { forgetSenderDomain } from '../sender-domain.ts';
import { countDomains, insertDomain, insertWatch, lockCreation } from './queries.ts';
import { readDomainName } from './read-domain-name.ts';

export interface NewDomainInput {
  domain: string;
  region?: Region;
}

/** The input as it is stored, with the key that was made for it. */
export interface ReadDomain {
  domain: string;
  region: Region;
  sealedKey: Buffer;
  publicKey: string;
}

/** Reads and judges the input, and makes a key: some 100 ms of another thread, and so before any transaction. */
export async function readNewDomain(ctx: Ctx, input: NewDomainInput): Promise<ReadDomain> {
  const domain = readDomainName(input.domain);
  await refuseTaken(ctx, ctx.db, domain);
  const { privateKey, publicKey } = await makeDkimKeyPair(() => refuseTaken(ctx, ctx.db, domain));
  const sealedKey = ctx.secrets.seal(DKIM_PURPOSE, privateKey);
  return { domain, region: input.region ?? 'us-east-1', sealedKey, publicKey };
}

/**
 * Adds a domain that is not verified yet. It is checked in the background from the next minutes on. `hasIdentity`: the
 * delivery service must know it too, and is told by a service.
 */
export async function createDomain(ctx: Ctx, read: ReadDomain, hasIdentity: boolean): Promise<Domain> {
  const id = newId();
  return inTransaction(ctx.db, async (tx) => {
    await lockCreation(tx, ctx.workspaceId);
    await refuseTaken(ctx, tx, read.domain);
    if ((await countDomains(tx, ctx.workspaceId)) >= DOMAINS_MAX) {
      throw conflict(`A workspace can have ${DOMAINS_MAX} domains. Delete one that is not needed any more.`);
    }
    await insertDomain(tx, { ...read, workspaceId: ctx.workspaceId, id, selector: FIRST_SELECTOR });
    await insertWatch(tx, ctx.workspaceId, id);
    if (hasIdentity) await askForIdentity(tx, { workspaceId: ctx.workspaceId, domainId: id }, read);
    await recordSecurityEvent(tx, ctx, {
      action: 'domain.created',
      targetType: 'domain',
      targetId: id,
      details: { domain: read.domain, region: read.region },
    });
    onCommit(tx, () => forgetSenderDomain(ctx.workspaceId, read.domain));
    const created = await findDomain(tx, ctx.workspaceId, id);
    if (created === undefined) throw new Error('the domain that was just stored is not there');
    return created;
  });
}

/** Throws for a name that this workspace has, or that another one may send from. */
async function refuseTaken(ctx: Ctx, db: Db, domain: string): Promise<void> {
  const own = await findDomainByName(db, ctx.workspaceId, domain);
  if (own !== undefined && own.id !== null)
    throw conflict(`This workspace has the domain ${domain} already.`, 'domain');
  if (domain === SANDBOX_DOMAIN) {
    throw unacceptable('domain', `${SANDBOX_DOMAIN} belongs to the first workspace of this installation.`);
  }
  const isOfOperator = ctx.settings.senderDomains.includes(domain) && own?.isHome !== true;
  if (isOfOperator || (await findOtherHolder(db, domain, ctx.workspaceId)) !== undefined) {
    throw conflict(
      `${domain} is verified in another workspace of this installation. To claim it, delete it there first. ` +
        'If you do not know that workspace, ask the operator.',
      'domain',
    );
  }
}
