import { bulkSends } from '#features/outbox';
import { conflict } from '#platform/errors/app-error.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import { type Broadcast, whyClosed } from '../broadcast.ts';
import type { BroadcastsCtx, Done } from '../broadcasts-ctx.ts';
import { requireReady } from '../content/ready-broadcast.ts';
import { getBroadcast, getLockedBroadcast } from '../get-broadcast.ts';
import { insertVersion, updateTexts } from '../queries.ts';
import type { BroadcastContent, NewBroadcastInput } from './broadcast-input.ts';
import { requireMaySend } from './may-send.ts';

const CONTENT = ['subject', 'preheader', 'html', 'text', 'variables'] as const;

/**
 * Gives a paused broadcast the next version of its content. Contacts who were not sent it yet get this version when it
 * goes on; an email that is being handed over keeps the version that its record says. Called in a transaction.
 */
export async function changeWhilePaused(
  ctx: BroadcastsCtx,
  id: string,
  { content, input }: { content: Partial<BroadcastContent>; input: NewBroadcastInput },
): Promise<Done> {
  const { workspaceId, sendId } = await getBroadcast(ctx, id);
  // The send is held before its broadcast, as everywhere.
  const isPaused = sendId !== null && (await bulkSends.holdPaused(ctx.db, { workspaceId, sendId }));
  const before = await getLockedBroadcast(ctx, id);
  if (before.status !== 'sending' || sendId === null) throw conflict(whyClosed(before));
  const after: Broadcast = { ...before, ...content };
  const given = Object.keys(content) as (keyof BroadcastContent)[]; // `keys` forgets them
  const changes = changedFields(before, after, given);
  if (changes === null && !hasSchedule(before, input)) return { broadcast: before, auditEntries: [] };
  if (!isPaused) throw conflict('The broadcast is being sent. Pause it to change its content, or cancel it.');
  const others = given.filter((field) => !CONTENT.some((one) => one === field));
  if (hasSchedule(before, input) || changedFields(before, after, others) !== null) {
    throw conflict('While a broadcast is paused, only its subject, preheader, html, text and variables may change.');
  }
  requireMaySend(ctx, 'that is being sent');
  const changed: Broadcast = { ...after, updatedAt: ctx.clock.now() };
  const { filled, composed, links } = await requireReady(ctx, changed);
  const { personal } = composed;
  const { after: stored } = await bulkSends.changeContent(
    ctx.db,
    { workspaceId, sendId },
    { content: composed.content, personal, links },
  );
  changed.templateVersion = filled.templateVersion;
  await updateTexts(ctx.db, changed);
  await insertVersion(ctx.db, changed, { ...stored, variables: filled.variables });
  const details = {
    version: stored.contentVersion,
    fields: Object.keys(changes ?? {}),
    // A body has up to 2 MB: the log says that it changed, and the preview of a version shows how.
    changes: changedFields(before, after, ['subject', 'preheader']) ?? {},
  };
  return { broadcast: changed, auditEntries: [{ action: 'content_changed', details }] };
}

const hasSchedule = ({ scheduledFor, timezone: zone }: Broadcast, { scheduled_for, timezone }: NewBroadcastInput) =>
  typeof scheduled_for === 'string' ||
  (scheduled_for === null && scheduledFor !== null) ||
  (timezone !== undefined && timezone !== zone);
