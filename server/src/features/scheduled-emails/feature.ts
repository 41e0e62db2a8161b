import type { ScheduledJobPorts, ScheduledSend, SchedulePorts } from '#features/emails';
import type { Reaction } from '#platform/announcements.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import { createScheduled } from './changing/create-scheduled.ts';
import { type MessageForLater, scheduleMessage } from './changing/schedule-message.ts';
import { noteErasures } from './erasing/note-erasures.ts';
import { forgetOldService } from './forget-old.ts';
import { note } from './reading/read-scheduled.ts';
import { findScheduledJob, listScheduledItems } from './reading/scheduled-job.ts';
import { scheduledRoutes } from './routes.ts';
import { type AskedTime, readScheduleTime } from './schedule-time.ts';
import { createDueService } from './sending/due-service.ts';
import { createSettleService } from './sending/settle-service.ts';
import { wallTimesService } from './sending/wall-times.ts';
import type { ScheduledWiring } from './wiring.ts';

/** Keeps finished messages of the SMTP relay until their time comes. */
export interface MessagePorts {
  scheduleMessage(ctx: Ctx, message: MessageForLater, time: AskedTime): Promise<ScheduledSend>;
}

export interface ScheduledEmailsFeature {
  name: 'scheduled-emails';
  routes: readonly Route[];
  services: { ofWorker: Service[] };
  reactions: readonly Reaction[];
  /** For sends that are asked to leave later. */
  ports: SchedulePorts & ScheduledJobPorts & MessagePorts;
}

export function createScheduledEmailsFeature(wiring: ScheduledWiring): ScheduledEmailsFeature {
  return {
    name: 'scheduled-emails',
    routes: scheduledRoutes(wiring),
    services: {
      ofWorker: [
        createDueService(wiring),
        createSettleService(wiring),
        forgetOldService(wiring),
        wallTimesService(wiring),
      ],
    },
    reactions: [noteErasures(wiring)],
    ports: {
      async schedule(ctx, read, place) {
        const done = await createScheduled(ctx, wiring, read, place);
        note(ctx, wiring, done);
        return done.row;
      },
      async scheduleMessage(ctx, message, time) {
        const done = await scheduleMessage(ctx, message, time);
        note(ctx, wiring, done);
        return done.row;
      },
      async checkTime(ctx, { scheduledFor: text, timezone }, param) {
        await readScheduleTime(ctx.db, ctx.workspaceId, { param, text, timezone });
      },
      findScheduledJob,
      listScheduledItems,
    },
  };
}
