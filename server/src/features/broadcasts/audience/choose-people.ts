import type { RawBuilder } from 'kysely';
import { chosenContacts, mailedContacts, selectSegment } from '#features/contacts';
import { activeSubscribers, findNewsletter, type Newsletter, subscribersAndFormer } from '#features/newsletters';
import { bulkSends } from '#features/outbox';
import { AppError, unacceptable } from '#platform/errors/app-error.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import type { Correction } from '../corrections/correction.ts';
import { findCorrection } from '../corrections/correction-queries.ts';
import type { BroadcastAudience } from './audience.ts';
import { contactsAsPeople, mailedPeople, withoutListed } from './audience-queries.ts';
import { withoutFollowedUp } from './follow-ups-queries.ts';

type Choosing = Pick<BroadcastsCtx, 'db' | 'workspaceId' | 'clock'>;

/**
 * Selects the people of an audience as it is now: recipient_id, email, has_left. 422 (`audience.segment_id`) when its
 * segment is not there. `counting`: with the subscribers who left a newsletter before, who are never written.
 */
export async function choosePeople(
  ctx: Choosing,
  { id, audience, followUpOf: rootId }: Pick<Broadcast, 'id' | 'audience' | 'followUpOf'>,
  { counting = false } = {},
): Promise<RawBuilder<unknown>> {
  const corrected = await findCorrection(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (corrected !== undefined) return correctedPeople(ctx.workspaceId, audience, { corrected, counting });
  const people = await peopleOf(ctx, audience, counting);
  return rootId === null ? people : withoutFollowedUp(ctx.workspaceId, people, { rootId, id });
}

/** Exactly those who were sent what is corrected, wherever they have moved since; but not who has left. */
function correctedPeople(
  workspaceId: string,
  audience: BroadcastAudience,
  { corrected, counting }: { corrected: Correction; counting: boolean },
): RawBuilder<unknown> {
  const { sendId, contentVersion } = corrected;
  const mailed = bulkSends.selectSent({ workspaceId, sendId, contentVersion });
  const { newsletterId = null } = audience;
  if (newsletterId === null) return contactsAsPeople(mailedContacts(workspaceId, audience, mailed));
  const select = counting ? subscribersAndFormer : activeSubscribers;
  return mailedPeople(
    withoutListed(workspaceId, select(workspaceId, newsletterId), { excludeListIds: [], withFormer: counting }),
    mailed,
  );
}

async function peopleOf(ctx: Choosing, audience: BroadcastAudience, counting: boolean): Promise<RawBuilder<unknown>> {
  const { segmentId, newsletterId = null, excludeListIds } = audience;
  const { workspaceId } = ctx;
  if (newsletterId !== null) {
    const select = counting ? subscribersAndFormer : activeSubscribers;
    return withoutListed(workspaceId, select(workspaceId, newsletterId), { excludeListIds, withFormer: counting });
  }
  const segment = segmentId === null ? null : await segmentWith(ctx, segmentId);
  return contactsAsPeople(chosenContacts(workspaceId, { ...audience, segment }));
}

export async function segmentWith(ctx: Choosing, id: string): Promise<RawBuilder<unknown>> {
  try {
    return await selectSegment(ctx, ctx.db, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.name !== 'not_found_error') throw error;
    throw unacceptable('audience.segment_id', `There is no segment ${id} in this workspace.`);
  }
}

/** The newsletter of an audience; null: it is of contacts. 422 (`audience.newsletter_id`) when it is not there. */
export async function newsletterOf(
  { db, workspaceId }: Pick<Choosing, 'db' | 'workspaceId'>,
  { newsletterId = null }: Pick<BroadcastAudience, 'newsletterId'>,
): Promise<Newsletter | null> {
  if (newsletterId === null) return null;
  const newsletter = await findNewsletter(db, workspaceId, newsletterId);
  if (newsletter !== undefined) return newsletter;
  throw unacceptable('audience.newsletter_id', `There is no newsletter ${newsletterId} in this workspace.`);
}
