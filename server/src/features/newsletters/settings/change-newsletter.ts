import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import { getCountedNewsletter, getNewsletter } from '../get-newsletter.ts';
import { DEFAULTS, type NewsletterInput, readNewsletterInput, refuseForeignName } from './newsletter-input.ts';
import type { CountedNewsletter, Settable } from '../newsletter.ts';
import { lockNewsletter, updateNewsletter } from '../queries.ts';
import { takeSlug } from './take-slug.ts';

/** Reads and judges the input. It may ask a name server, so it comes before any transaction. */
export async function readNewsletterChange(
  ctx: Ctx,
  id: string,
  input: NewsletterInput,
  ports: { safeFetch: SafeFetch },
): Promise<Partial<Settable>> {
  // A caller without permission must not learn from us what a URL resolves to, nor make us wait for that.
  await getNewsletter(ctx, id);
  return readNewsletterInput(ctx, input, ports);
}

const settableFields = ['name', 'slug', ...Object.keys(DEFAULTS)] as (keyof Settable)[]; // `keys` forgets them

/**
 * Changes what is given and nothing else: changes that come at the same time are made one after the other, so none is
 * lost. A new slug counts from the commit on; the old one is free, and leads to it until somebody takes it.
 */
export async function changeNewsletter(ctx: Ctx, id: string, given: Partial<Settable>): Promise<CountedNewsletter> {
  if (Object.keys(given).length > 0) {
    await inTransaction(ctx.db, async (tx) => {
      const current = await lockNewsletter(tx, ctx.workspaceId, id);
      if (current === undefined) throw notFound('newsletter', id);
      const wanted = { ...current, ...given, updatedAt: ctx.clock.now() };
      if (given.fromEmail !== undefined || given.fromName !== undefined) refuseForeignName(wanted);
      const changes = changedFields<Settable>(current, wanted, settableFields);
      if (changes === null) return;
      await updateNewsletter(tx, wanted);
      if (wanted.slug !== current.slug) await takeSlug(tx, wanted);
      await recordSecurityEvent(tx, ctx, {
        action: 'newsletter.updated',
        targetType: 'newsletter',
        targetId: current.id,
        details: { changes },
      });
    });
  }
  return await getCountedNewsletter(ctx, id);
}
