import type { Db } from '#platform/db/database.ts';

/**
 * Settles what waits for subscribers who have just left, in the transaction in which they do: status `suppressed`, error
 * `unsubscribed`. From its commit on no claim hands an email to them over, as with a suppression.
 */
export async function stopUnsubscribed(
  _tx: Db,
  _left: readonly { workspaceId: string; subscriberId: string }[],
): Promise<void> {
  throw new Error('not built yet');
}
