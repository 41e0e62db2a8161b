import { newslettersOfKey, recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { Newsletter, Settable } from '../newsletter.ts';
import { DEFAULTS, type NewsletterInput, readNewsletterInput, refuseForeignName } from './newsletter-input.ts';
import type { CountedNewsletter } from '../newsletter.ts';
import { insertNewsletter } from '../queries.ts';
import { takeSlug } from './take-slug.ts';

/** Reads and judges the input. It may ask a name server, so it comes before any transaction. */
export async function readNewNewsletter(
  ctx: Ctx,
  input: NewsletterInput,
  ports: { safeFetch: SafeFetch },
): Promise<Partial<Settable>> {
  if (newslettersOfKey(ctx.actor).length > 0) {
    throw forbidden('This key is restricted to some newsletters and cannot create others.');
  }
  return readNewsletterInput(ctx, input, ports);
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
