import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { keepOutSuppression } from '#features/suppressions';
import { readAddress } from '#mail/addresses/read-address.ts';
import { inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { selectNewsletter } from '../queries.ts';
import { changeAddress } from './change-address.ts';
import type { ChangeSubscriberBody } from './schemas.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';
import { lockSubscriber, updateSubscriber } from './queries.ts';
import type { Subscriber } from './subscriber.ts';
import { tellChanged } from './subscriber-events.ts';
import { readName } from '#platform/pages/typed-name.ts';
import { requireEmailBeside } from './joining/read-subscriber-fields.ts';
import { checkMetadata, mergeMetadata } from './joining/subscriber-input.ts';

type Changes = Static<typeof ChangeSubscriberBody>;

/**
 * Changes what is given and nothing else; changes that come at once all count. Webhooks hear of what differs. Throws
 * not found for one who is gone, and what `changeAddress` throws.
 */
export async function changeSubscriber(
  ctx: SubscribersCtx,
  { newsletterId, id }: Pick<Subscriber, 'newsletterId' | 'id'>,
  changes: Changes,
): Promise<Subscriber> {
  if (changes.metadata != null) checkMetadata(changes.metadata);
  requireEmailBeside(changes);
  const to = changes.email === undefined ? undefined : readAddress(changes.email);
  return inTransaction(ctx.db, async (tx) => {
    const { workspaceId } = ctx;
    if (to !== undefined) await keepOutSuppression(tx, [{ workspaceId, email: to.identity }]);
    const before = await lockSubscriber(tx, workspaceId, newsletterId, id);
    const newsletter = await selectNewsletter(tx, workspaceId, newsletterId);
    if (before === undefined || newsletter === undefined) throw notFound('subscriber', id);
    const described = await describe(tx, before, changes, ctx.clock.now());
    const moves = to !== undefined && to.identity !== before.email;
    const within = { ...ctx, db: tx };
    const after = moves
      ? await changeAddress(within, newsletter, described, { to, consent: changes.consent })
      : described;
    if (after !== before) await tellChanged(tx, newsletter, before, after);
    return after;
  });
}

/** The same row when nothing differs. */
async function describe(
  tx: SubscribersCtx['db'],
  row: Subscriber,
  { name, source, metadata }: Changes,
  at: Date,
): Promise<Subscriber> {
  const to = {
    name: name === undefined ? row.name : readName(name),
    source: source === undefined ? row.source : readName(source),
    metadata: metadata === undefined ? row.metadata : mergeMetadata(row.metadata, metadata),
  };
  const { name: heldName, source: heldSource, metadata: heldMetadata } = row;
  if (isDeepStrictEqual(to, { name: heldName, source: heldSource, metadata: heldMetadata })) return row;
  return updateSubscriber(tx, row, { ...to, at });
}
