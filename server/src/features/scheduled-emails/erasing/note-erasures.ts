import { type Reaction, reactionTo } from '#platform/announcements.ts';
import { onCommit } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import { cancelledByErasure } from '../announcements.ts';
import { TARGET_TYPE } from '../reading/read-scheduled.ts';
import { byText } from '../scheduled-email.ts';
import type { ScheduledWiring } from '../wiring.ts';

/**
 * The log of an email says that an erasure cancelled it, and nothing of the person. It listens to its own feature: the
 * features that erase people have no audit log to hand over.
 */
export const noteErasures = ({ audit }: Pick<ScheduledWiring, 'audit'>): Reaction =>
  reactionTo(cancelledByErasure, async (tx, { workspaceId, cancelled }) => {
    const by = { workspaceId, actor: systemActor, ip: null };
    const details = { cancelled_by: byText({ type: 'system', id: null }), code: 'recipient_erased' };
    onCommit(tx, () => {
      for (const { id, at } of cancelled) {
        audit.record(by, { action: 'cancelled', details, targetType: TARGET_TYPE, targetId: id, at });
      }
    });
  });
