import { requireKeyForNewsletter } from '#features/workspaces';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import type { Db } from '#platform/db/database.ts';
import type { Newsletter } from './newsletter.ts';
import type { CountedNewsletter } from './newsletter.ts';
import { pageOfNewsletters, selectNewsletter, selectNewsletterBySlug } from './queries.ts';

/**
 * The newsletter of the caller's workspace with this id: what every verb below a newsletter starts with. Not found for
 * an id that is none, is unknown, or is another workspace's; forbidden when the key may use other newsletters only.
 */
export async function getNewsletter(ctx: Pick<Ctx, 'db' | 'workspaceId' | 'actor'>, id: string): Promise<Newsletter> {
  const found = isUuid(id) ? await selectNewsletter(ctx.db, ctx.workspaceId, id) : undefined;
  if (found === undefined) throw notFound('newsletter', id);
  requireKeyForNewsletter(ctx.actor, found.id);
  return found;
}

/** The same with its counts, as it is shown. */
export async function getCountedNewsletter(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'actor'>,
  id: string,
): Promise<CountedNewsletter> {
  const { id: known } = await getNewsletter(ctx, id);
  const [found] = await pageOfNewsletters(ctx.db, ctx.workspaceId, { ids: [known], after: null, offset: 0, limit: 1 });
  if (found === undefined) throw notFound('newsletter', id);
  return found;
}

/**
 * For the public pages, which know nothing but the slug: the one with it or, as long as nobody else has taken it, the
 * one that had it. Undefined: there is none.
 */
export const findNewsletterBySlug = (db: Db, slug: string): Promise<Newsletter | undefined> =>
  selectNewsletterBySlug(db, slug.toLowerCase());
