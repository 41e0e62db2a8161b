import { queue } from '#features/outbox';
import type { DueService } from '#platform/work/due-service.ts';
import { listDueEmails } from '../queries/due.ts';
import type { ScheduledWiring } from '../wiring.ts';
import { startDue } from './start-due.ts';

/** Starts scheduled emails when their time has come, the oldest first, unless they are too late. */
export const createDueService = (wiring: ScheduledWiring): DueService =>
  queue.dueService(wiring, {
    name: 'scheduled emails',
    list: (asked) => listDueEmails(wiring.db, asked),
    start: (due) => startDue(wiring, due),
  });
