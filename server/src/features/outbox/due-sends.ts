import { createDueService, type DueService } from '#platform/work/due-service.ts';
import { sendingHold } from './worker/sending-hold.ts';

type Due = Parameters<typeof createDueService>;

/** Starts mail at its time, as `createDueService` does. While sending is held, after a restore, none starts. */
export const createDueSends = <D extends { id: string }>(
  wiring: Due[0],
  work: Parameters<typeof createDueService<D>>[1],
): DueService =>
  createDueService(wiring, {
    ...work,
    list: async (asked) => ((await sendingHold.find(wiring.db)) === undefined ? work.list(asked) : []),
  });
