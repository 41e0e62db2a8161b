import type { Static } from 'typebox';
import { inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { ChangeSubscriberBody } from './schemas.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';
import { lockSubscriber, updateSubscriber } from './queries.ts';
import type { Subscriber } from './subscriber.ts';
import { readName } from '#platform/pages/typed-name.ts';
import { checkMetadata, mergeMetadata } from './joining/subscriber-input.ts';

/**
 * Changes what is given and nothing else; changes that come at once all count. Throws not found for one who is gone.
 */
export async function changeSubscriber(
  ctx: SubscribersCtx,
  { newsletterId, id }: Pick<Subscriber, 'newsletterId' | 'id'>,
  changes: Static<typeof ChangeSubscriberBody>,
): Promise<Subscriber> {
  if (changes.metadata != null) checkMetadata(changes.metadata);
  return inTransaction(ctx.db, async (tx) => {
    const row = await lockSubscriber(tx, ctx.workspaceId, newsletterId, id);
    if (row === undefined) throw notFound('subscriber', id);
    if (changes.name === undefined && changes.source === undefined && changes.metadata === undefined) return row;
    return updateSubscriber(tx, row, {
      name: changes.name === undefined ? row.name : readName(changes.name),
      source: changes.source === undefined ? row.source : readName(changes.source),
      metadata: changes.metadata === undefined ? row.metadata : mergeMetadata(row.metadata, changes.metadata),
      at: ctx.clock.now(),
    });
  });
}
