import { bulkSends } from '#features/outbox';
import { onCommit } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Broadcast } from '../broadcast.ts';
import { type Done, TARGET_TYPE, targetOf } from '../broadcasts-ctx.ts';
import { findCorrection } from '../corrections/correction-queries.ts';
import type { BroadcastsWiring } from '../wiring.ts';
import { timingOf } from './timing.ts';
import { broadcastView } from './broadcast-view.ts';

type Audited = Pick<BroadcastsWiring, 'audit'>;

/** The whole record of a broadcast, as it is now. */
export async function readBroadcast(ctx: Ctx, { audit }: Audited, broadcast: Broadcast) {
  return viewOf(ctx, broadcast, await audit.read(broadcast.workspaceId, TARGET_TYPE, broadcast.id));
}

/** The record after something was done to it, which is only stored once it is committed. */
export async function noteAndRead(ctx: Ctx, wiring: Audited, done: Done) {
  const { broadcast } = done;
  const before = await wiring.audit.read(broadcast.workspaceId, TARGET_TYPE, broadcast.id);
  const at = ctx.clock.now();
  note(ctx, wiring, done, at);
  const added = done.auditEntries.map(({ action, details = {} }) => ({
    at: at.toISOString(),
    action,
    details: JSON.parse(JSON.stringify(details)),
  }));
  return viewOf(ctx, broadcast, [...before, ...added]);
}

/** Notes what was done once it is committed; what is rolled back was not. */
export function note(ctx: Ctx, { audit }: Audited, { broadcast, auditEntries }: Done, at = ctx.clock.now()): void {
  onCommit(ctx.db, () => {
    for (const entry of auditEntries) audit.record(ctx, { ...entry, ...targetOf(broadcast), at });
  });
}

async function viewOf(ctx: Ctx, broadcast: Broadcast, auditLog: Parameters<typeof broadcastView>[1]['auditLog']) {
  const { workspaceId, sendId } = broadcast;
  const stats = (await bulkSends.statsOf(ctx.db, workspaceId, [broadcast])).get(broadcast.id);
  const progress = sendId === null ? null : await bulkSends.progressOf(ctx.db, { workspaceId, sendId });
  const starts =
    broadcast.recipientTimezone && sendId !== null
      ? ((await bulkSends.partsOf(ctx.db, { workspaceId, sendId }))?.filter(({ recipients }) => recipients > 0) ?? null)
      : null;
  const timing = await timingOf(ctx, broadcast, { stats, isPaused: progress?.state === 'paused', starts });
  const corrected = await findCorrection(ctx.db, broadcast);
  return broadcastView(broadcast, {
    stats,
    auditLog,
    progress: progress && { ...progress, ...timing, starts },
    corrected,
  });
}
