import type { ScheduledJobPorts, SchedulePorts } from '#features/emails';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import { createScheduled } from './changing/create-scheduled.ts';
import { forgetOldService } from './forget-old.ts';
import { note } from './reading/read-scheduled.ts';
import { findScheduledJob } from './reading/scheduled-job.ts';
import { scheduledRoutes } from './routes.ts';
import { readScheduleTime } from './schedule-time.ts';
import { createDueService } from './sending/due-service.ts';
import { createSettleService } from './sending/settle-service.ts';
import type { ScheduledWiring } from './wiring.ts';

export interface ScheduledEmailsFeature {
  name: 'scheduled-emails';
  routes: readonly Route[];
  services: { ofWorker: Service[] };
  /** For sends that are asked to leave later. */
  ports: SchedulePorts & ScheduledJobPorts;
}

export function createScheduledEmailsFeature(wiring: ScheduledWiring): ScheduledEmailsFeature {
  return {
    name: 'scheduled-emails',
    routes: scheduledRoutes(wiring),
    services: { ofWorker: [createDueService(wiring), createSettleService(wiring), forgetOldService(wiring)] },
    ports: {
      async schedule(ctx, read, place) {
        const done = await createScheduled(ctx, wiring, read, place);
        note(ctx, wiring, done);
        return done.row;
      },
      async checkTime(ctx, { scheduledFor: text, timezone }, param) {
        await readScheduleTime(ctx.db, ctx.workspaceId, { param, text, timezone });
      },
      findScheduledJob,
    },
  };
}
