/** The news of a broadcast's send, in the transaction in which they happen. */
import type { AuditSource } from '#features/audit';
import { bulkSendFailed, bulkSendReleased, bulkSends, sendPaused, sendResumed } from '#features/outbox';
import { type Reaction, reactionTo } from '#platform/announcements.ts';
import { type Db, onCommit } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import type { Broadcast } from '../broadcast.ts';
import { type AuditEntry, targetOf } from '../broadcasts-ctx.ts';
import type { BroadcastsWiring } from '../wiring.ts';
import { publishFailed, publishSent } from './broadcast-events.ts';
import { countPage, findBroadcastOfSend, markReleased, markSendFailed, reopen } from './move-queries.ts';

type Auditing = Pick<BroadcastsWiring, 'audit'>;

/** Notes what happened to a broadcast by itself, once the transaction in which it did is committed. */
export function noteBySystem(tx: Db, auditing: Auditing, broadcast: Broadcast | undefined, entry: AuditEntry): void {
  if (broadcast === undefined) return;
  noteBy({ workspaceId: broadcast.workspaceId, actor: systemActor, ip: null }, tx, auditing, { broadcast, entry });
}

function noteBy(
  source: AuditSource,
  tx: Db,
  { audit }: Auditing,
  { broadcast, entry }: { broadcast: Broadcast; entry: AuditEntry },
): void {
  onCommit(tx, () => audit.record(source, { ...entry, ...targetOf(broadcast) }));
}

export const reactionsToSends = (auditing: Auditing): Reaction[] => [
  reactionTo(bulkSends.pageFrozen, async (tx, { workspaceId, sendId, written, suppressed, passedOver }) => {
    const broadcast = await countPage(tx, workspaceId, sendId, passedOver);
    const details = {
      page: broadcast?.pagesCompleted,
      sent: written - suppressed,
      failed: suppressed,
      skipped_unsubscribed: passedOver,
    };
    noteBySystem(tx, auditing, broadcast, { action: 'page_sent', details });
  }),
  reactionTo(bulkSendReleased, async (tx, { workspaceId, sendId, total }) => {
    const broadcast = await markReleased(tx, workspaceId, sendId, total);
    if (broadcast === undefined) return;
    const stats = await publishSent(tx, broadcast);
    const details = { total_recipients: total, total_failed: stats.failed };
    noteBySystem(tx, auditing, broadcast, { action: 'completed', details });
  }),
  reactionTo(bulkSendFailed, async (tx, { workspaceId, sendId, code, message }) => {
    const broadcast = await markSendFailed(tx, workspaceId, sendId, { code, message });
    if (broadcast === undefined) return;
    await publishFailed(tx, broadcast, { code, message });
    noteBySystem(tx, auditing, broadcast, { action: 'failed', details: { error: message, code } });
  }),
  reactionTo(bulkSends.cancelled, async (tx, { workspaceId, sendId }) => {
    const broadcast = await findBroadcastOfSend(tx, workspaceId, sendId);
    if (broadcast?.status !== 'cancelled') return;
    const details = { pages_completed: broadcast.pagesCompleted };
    noteBySystem(tx, auditing, broadcast, { action: 'cancelled', details });
  }),
  reactionTo(bulkSends.reopened, async (tx, { workspaceId, sendId }) => {
    await reopen(tx, workspaceId, sendId);
  }),
  reactionTo(sendPaused, async (tx, { workspaceId, sendId, reason, code, resumesAt }) => {
    if (code === null) return; // a person did it, and the verb notes what still leaves
    const details = { reason, code, resumes_at: resumesAt };
    noteBySystem(tx, auditing, await findBroadcastOfSend(tx, workspaceId, sendId), { action: 'paused', details });
  }),
  reactionTo(sendResumed, async (tx, { workspaceId, sendId, by }) => {
    const broadcast = await findBroadcastOfSend(tx, workspaceId, sendId);
    if (broadcast === undefined) return;
    noteBy(by, tx, auditing, { broadcast, entry: { action: 'resumed', details: {} } });
  }),
];
