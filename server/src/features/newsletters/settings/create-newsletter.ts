import { newslettersOfKey, recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import type { Newsletter, Settable } from '../newsletter.ts';
import { DEFAULTS, type NewsletterInput, refuseForeignName } from './newsletter-input.ts';
import type { CountedNewsletter } from '../newsletter.ts';
import { insertNewsletter } from '../queries.ts';
import { takeSlug } from './take-slug.ts';

export async function permitNewNewsletter({ actor }: Ctx): Promise<void> {
  if (newslettersOfKey(actor).length === 0) return;
  throw forbidden('This key is restricted to some newsletters and cannot create others.');
}

/** Makes a newsletter. 409 when its slug is taken, whoever has it. */
export async function createNewsletter(
  ctx: Ctx,
  input: NewsletterInput & { name: string; slug: string },
  given: Partial<Settable>,
): Promise<CountedNewsletter> {
  const now = ctx.clock.now();
  const newsletter: Newsletter = {
    ...DEFAULTS,
    ...given,
    // They are required, so they were given.
    name: given.name ?? input.name,
    slug: input.slug,
    workspaceId: ctx.workspaceId,
    id: newId(),
    confirmationsPausedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  refuseForeignName(newsletter);
  await inTransaction(ctx.db, async (tx) => {
    await insertNewsletter(tx, newsletter);
    await takeSlug(tx, newsletter);
    await recordSecurityEvent(tx, ctx, {
      action: 'newsletter.created',
      targetType: 'newsletter',
      targetId: newsletter.id,
      details: { ...input },
    });
  });
  return { ...newsletter, pending: 0, active: 0, unsubscribed: 0, issueCount: 0, lastIssueSentAt: null };
}
