import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { getNewsletter } from '../get-newsletter.ts';
import type { Newsletter } from '../newsletter.ts';
import { findSubscriber } from './queries.ts';
import type { Subscriber } from './subscriber.ts';

/** The subscriber that a path names, with its newsletter. Not found for any id that is not one of this newsletter. */
export async function getSubscriber(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'actor'>,
  path: { id: string; subscriberId: string },
): Promise<{ newsletter: Newsletter; subscriber: Subscriber }> {
  const newsletter = await getNewsletter(ctx, path.id);
  const subscriber = isUuid(path.subscriberId)
    ? await findSubscriber(ctx.db, ctx.workspaceId, newsletter.id, path.subscriberId)
    : undefined;
  if (subscriber === undefined) throw notFound('subscriber', path.subscriberId);
  return { newsletter, subscriber };
}
