import { eraseFromDeletedLists } from '#features/consents';
import { newslettersOfKey } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import type { Subscriber } from '../subscriber.ts';
import { removeSubscriber } from './remove-subscriber.ts';

/**
 * Erases a subscriber, and the address from the consents that are kept of deleted newsletters, as far as the caller's
 * key reaches. The subscriber goes last: a caller whose process died in between finds them and calls again.
 */
export async function eraseSubscriber(ctx: Ctx, subscriber: Subscriber): Promise<void> {
  const asked = { workspaceId: ctx.workspaceId, ids: newslettersOfKey(ctx.actor) };
  await eraseFromDeletedLists(ctx, asked, { email: subscriber.email, at: ctx.clock.now() });
  await removeSubscriber(ctx, subscriber);
}
