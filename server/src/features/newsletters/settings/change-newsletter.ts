import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { getCountedNewsletter, getNewsletter } from '../get-newsletter.ts';
import { type NewsletterInput, readNewsletterInput, refuseForeignName } from './newsletter-input.ts';
import type { CountedNewsletter } from '../newsletter.ts';
import { lockNewsletter, updateNewsletter } from '../queries.ts';
import { takeSlug } from './take-slug.ts';

/**
 * Changes what is given and nothing else: changes that come at the same time are made one after the other, so none is
 * lost. A new slug counts from the commit on; the old one is free, and leads to it until somebody takes it.
 */
export async function changeNewsletter(
  ctx: Ctx,
  id: string,
  input: NewsletterInput,
  ports: { safeFetch: SafeFetch },
): Promise<CountedNewsletter> {
  // A caller without permission must not learn from us what a URL resolves to, nor make us wait for that.
  const before = await getNewsletter(ctx, id);
  const given = await readNewsletterInput(ctx, input, ports);
  if (Object.keys(given).length > 0) {
    await inTransaction(ctx.db, async (tx) => {
      const current = await lockNewsletter(tx, ctx.workspaceId, before.id);
      if (current === undefined) throw notFound('newsletter', id);
      const wanted = { ...current, ...given, updatedAt: ctx.clock.now() };
      if (given.fromEmail !== undefined || given.fromName !== undefined) refuseForeignName(wanted);
      await updateNewsletter(tx, wanted);
      if (wanted.slug !== current.slug) await takeSlug(tx, wanted);
      await recordSecurityEvent(tx, ctx, {
        action: 'newsletter.updated',
        targetType: 'newsletter',
        targetId: current.id,
        details: { ...input },
      });
    });
  }
  return await getCountedNewsletter(ctx, before.id);
}
