import type { RawBuilder } from 'kysely';
import { chosenContacts, selectSegment } from '#features/contacts';
import { AppError, unacceptable } from '#platform/errors/app-error.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import type { BroadcastAudience } from './audience.ts';

type Choosing = Pick<BroadcastsCtx, 'db' | 'workspaceId' | 'clock'>;

/** Selects the contacts of an audience as it is now. 422 (`audience.segment_id`) when its segment is not there. */
export async function chooseContacts(ctx: Choosing, audience: BroadcastAudience): Promise<RawBuilder<unknown>> {
  const { segmentId } = audience;
  const segment = segmentId === null ? null : await segmentWith(ctx, segmentId);
  return chosenContacts(ctx.workspaceId, { ...audience, segment });
}

export async function segmentWith(ctx: Choosing, id: string): Promise<RawBuilder<unknown>> {
  try {
    return await selectSegment(ctx, ctx.db, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.name !== 'not_found_error') throw error;
    throw unacceptable('audience.segment_id', `There is no segment ${id} in this workspace.`);
  }
}
