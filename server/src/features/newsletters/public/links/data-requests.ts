import { consentView, eraseFromDeletedLists, listConsents, listKeptOf } from '#features/consents';
import type { Ctx } from '#platform/http/context.ts';
import { removeSubscriber } from '../../subscribers/removal/remove-subscriber.ts';
import { personOf, subscriberView } from '../../subscribers/subscriber.ts';
import { listSubscriptions } from './preferences-queries.ts';

const CONSENTS_MAX = 1_000;

/**
 * Everything that a workspace's newsletters have on record about an address, also deleted ones: what a person may ask
 * for (GDPR, 15).
 */
export async function exportOwnData(ctx: Ctx, email: string): Promise<string> {
  const subscriptions = await Promise.all(
    (await listSubscriptions(ctx.db, ctx.workspaceId, email)).map(async ({ subscriber, newsletterName }) => {
      const page = { limit: CONSENTS_MAX, page: 1, offset: 0, after: null };
      const { rows } = await listConsents(ctx, personOf(subscriber), page);
      return { newsletter: newsletterName, ...subscriberView(subscriber), consents: rows.map(consentView) };
    }),
  );
  const deleted = (await listKeptOf(ctx, email, CONSENTS_MAX)).map(({ name, deletedAt, consents }) => ({
    newsletter: name,
    deleted_at: deletedAt,
    consents: consents.map(consentView),
  }));
  const data = { email, exported_at: ctx.clock.now(), subscriptions, deleted_newsletters: deleted };
  return `${JSON.stringify(data, null, 2)}\n`;
}

/**
 * Erases an address from every list of the workspace, also from deleted ones. A keyed hash with the times of each step
 * remains.
 */
export async function eraseOwnData(ctx: Ctx, email: string): Promise<void> {
  for (const { subscriber } of await listSubscriptions(ctx.db, ctx.workspaceId, email)) {
    await removeSubscriber(ctx, subscriber);
  }
  await eraseFromDeletedLists(ctx, { workspaceId: ctx.workspaceId, ids: [] }, { email, at: ctx.clock.now() });
}
