import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import type { Domain } from '../domain.ts';
import { getLockedDomain } from '../get-domain.ts';
import { deleteMark, findMark, type NewMark, putMark } from './queries.ts';

/** Names the logo of a domain, in place of the one before. Nothing is fetched: `verifyMark` does that. */
export async function enableMark(ctx: Ctx, id: string, mark: NewMark): Promise<Domain> {
  return inTransaction(ctx.db, async (tx) => {
    const domain = await getLockedDomain(ctx, tx, id);
    const found = await findMark(tx, domain);
    const before = { svgUrl: found?.svgUrl ?? null, vmcCertUrl: found?.certificateUrl ?? null };
    const changes = changedFields<typeof before>(before, { svgUrl: mark.svgUrl, vmcCertUrl: mark.certificateUrl }, [
      'svgUrl',
      'vmcCertUrl',
    ]);
    await putMark(tx, domain, mark);
    if (changes === null) return { ...domain, bimiEnabled: true };
    await recordSecurityEvent(tx, ctx, {
      action: 'domain.bimi_enabled',
      targetType: 'domain',
      targetId: id,
      details: { domain: domain.domain, svg_url: mark.svgUrl, vmc_cert_url: mark.certificateUrl, changes },
    });
    return { ...domain, bimiEnabled: true };
  });
}

/** Forgets the logo of a domain. Doing it again changes nothing. */
export async function disableMark(ctx: Ctx, id: string): Promise<Domain> {
  return inTransaction(ctx.db, async (tx) => {
    const domain = await getLockedDomain(ctx, tx, id);
    if (!domain.bimiEnabled) return domain;
    await deleteMark(tx, domain);
    await recordSecurityEvent(tx, ctx, {
      action: 'domain.bimi_disabled',
      targetType: 'domain',
      targetId: id,
      details: { domain: domain.domain },
    });
    return { ...domain, bimiEnabled: false };
  });
}
