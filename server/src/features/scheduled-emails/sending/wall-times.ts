import { systemActor } from '#platform/http/context.ts';
import { createWallTimesService, rulesOf, type WallTimesService } from '#platform/work/wall-times-service.ts';
import { lockOldWallTimes, updateWallTimes } from '../queries/wall-times.ts';
import { TARGET_TYPE } from '../reading/read-scheduled.ts';
import type { ScheduledWiring } from '../wiring.ts';

/** Moves emails whose wall time means another instant by new rules of time zones. */
export const wallTimesService = (wiring: Pick<ScheduledWiring, 'db' | 'clock' | 'log' | 'audit'>): WallTimesService =>
  createWallTimesService(wiring, {
    name: 'scheduled emails',
    lock: lockOldWallTimes,
    update: updateWallTimes,
    async note(moved) {
      for (const one of moved) {
        const { workspaceId, id, scheduledFor: from, now } = one;
        const details = { from, to: now.at, ...rulesOf(one) };
        const entry = { action: 'rescheduled', targetType: TARGET_TYPE, targetId: id, details };
        wiring.audit.record({ workspaceId, actor: systemActor, ip: null }, entry);
      }
      await wiring.audit.flush();
    },
  });
