import { noEvidence } from '#features/consents';
import { findSubscriberByEmail } from '../queries.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';
import { unsubscribeSubscriber } from './unsubscribe-subscriber.ts';

/** Takes an address off one list by a rule of the workspace. False: it was not on it, or had left before. */
export async function unsubscribeAddress(
  ctx: SubscribersCtx,
  { newsletterId, email }: { newsletterId: string; email: string },
): Promise<boolean> {
  const row = await findSubscriberByEmail(ctx.db, ctx.workspaceId, newsletterId, email);
  if (row === undefined) return false;
  const asked = { newsletterId, subscriberId: row.id, issueId: null, evidence: noEvidence };
  return (await unsubscribeSubscriber(ctx, { ...asked, reason: 'api' })).changed;
}
