import { sendTest } from '#features/compositions';
import { readAddress } from '#mail/addresses/read-address.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Broadcast } from '../broadcast.ts';
import { broadcastComposition } from './broadcast-composition.ts';
import { requireSender } from './sender-of-broadcast.ts';
import { fillBroadcast } from './texts-of-broadcast.ts';

/** Sends a broadcast to one address to look at. */
export async function sendTestOfBroadcast(ctx: Ctx, broadcast: Broadcast, to: string) {
  const filled = await fillBroadcast(ctx, broadcast);
  const sender = await requireSender(ctx, filled);
  return sendTest(ctx, await broadcastComposition(ctx, filled, sender.domain.tracking), {
    to: readAddress(to, 'to'),
    sender,
    origin: {},
    subject: `broadcast ${broadcast.workspaceId} ${broadcast.id}`,
  });
}
