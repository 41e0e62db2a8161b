import { forgetBodies } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import { deleteInboundFrom } from './retention-queries.ts';

const AT_ONCE = 100;

/** Removes the mail that erased people wrote, and its bodies of webhooks. A few at a time: it is called often. */
export async function eraseInbound(tx: Db, workspaceId: string, addresses: readonly string[]): Promise<void> {
  const lower = addresses.map((address) => address.toLowerCase());
  await forgetBodies(tx, workspaceId, await deleteInboundFrom(tx, workspaceId, lower, AT_ONCE));
}
