import { systemActor } from '#platform/http/context.ts';
import { createWallTimesService, rulesOf, type WallTimesService } from '#platform/work/wall-times-service.ts';
import { TARGET_TYPE } from '../broadcasts-ctx.ts';
import type { BroadcastsWiring } from '../wiring.ts';
import { lockOldWallTimes, updateWallTimes } from './wall-times-queries.ts';

/** Moves broadcasts whose wall time means another instant by new rules of time zones. */
export const wallTimesService = (wiring: Pick<BroadcastsWiring, 'db' | 'clock' | 'log' | 'audit'>): WallTimesService =>
  createWallTimesService(wiring, {
    name: 'scheduled broadcasts',
    lock: lockOldWallTimes,
    update: updateWallTimes,
    async note(moved) {
      for (const one of moved) {
        const { workspaceId, id, targetName = null, scheduledFor: was, now } = one;
        const details = { scheduled_for: now.at, was, ...rulesOf(one) };
        const entry = { action: 'scheduled', targetType: TARGET_TYPE, targetId: id, targetName, details };
        wiring.audit.record({ workspaceId, actor: systemActor, ip: null }, entry);
      }
      await wiring.audit.flush();
    },
  });
