import type { RawBuilder } from 'kysely';
import { chosenContacts, mailedContacts, selectSegment } from '#features/contacts';
import { bulkSends } from '#features/outbox';
import { AppError, unacceptable } from '#platform/errors/app-error.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import type { Broadcast } from '../broadcast.ts';
import { findCorrection } from '../corrections/correction-queries.ts';
import type { BroadcastAudience } from './audience.ts';

type Choosing = Pick<BroadcastsCtx, 'db' | 'workspaceId' | 'clock'>;

/** Selects the contacts of an audience as it is now. 422 (`audience.segment_id`) when its segment is not there. */
async function chooseContacts(ctx: Choosing, audience: BroadcastAudience): Promise<RawBuilder<unknown>> {
  const { segmentId } = audience;
  const segment = segmentId === null ? null : await segmentWith(ctx, segmentId);
  return chosenContacts(ctx.workspaceId, { ...audience, segment });
}

/** The same of a broadcast; those of a correction are who was sent what it corrects. */
export async function chooseRecipients(
  ctx: Choosing,
  broadcast: Pick<Broadcast, 'workspaceId' | 'id' | 'audience'>,
): Promise<RawBuilder<unknown>> {
  const { workspaceId, audience } = broadcast;
  const corrected = await findCorrection(ctx.db, broadcast);
  if (corrected === undefined) return chooseContacts(ctx, audience);
  const { sendId, contentVersion } = corrected;
  return mailedContacts(workspaceId, audience, bulkSends.selectSent({ workspaceId, sendId, contentVersion }));
}

export async function segmentWith(ctx: Choosing, id: string): Promise<RawBuilder<unknown>> {
  try {
    return await selectSegment(ctx, ctx.db, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.name !== 'not_found_error') throw error;
    throw unacceptable('audience.segment_id', `There is no segment ${id} in this workspace.`);
  }
}
