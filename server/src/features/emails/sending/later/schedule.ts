import type { Ctx } from '#platform/http/context.ts';
import type { AskedSchedule } from './asked-schedule.ts';
import type { FilledSend } from '../fill-send.ts';

/** A send that leaves later, as it would be sent now. */
export type TimedSend = FilledSend & { schedule: AskedSchedule };

/** Keeps a send until its time comes: a feature above this one, given by main. */
export interface SchedulePorts {
  /** Throws where a send at that time is refused; the same refusals as a send at once otherwise. */
  schedule(ctx: Ctx, read: TimedSend, place: SchedulePlace): Promise<ScheduledSend>;
  /** Refuses a time that cannot be; keeps nothing. */
  checkTime(ctx: Ctx, schedule: AskedSchedule, param: string): Promise<void>;
}

export interface SchedulePlace {
  /** The name of the field that holds the time. */
  param: string;
  batch?: { id: string; index: number };
  /** Whether it counts as a request of its key. */
  isLimited: boolean;
}

export interface ScheduledSend {
  id: string;
  scheduledFor: Date;
}

export const isScheduled = <T extends { schedule: AskedSchedule | null }>(
  read: T,
): read is T & { schedule: AskedSchedule } => read.schedule !== null;
