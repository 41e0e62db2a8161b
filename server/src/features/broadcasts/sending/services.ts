import { bulkSends, queue } from '#features/outbox';
import type { Service } from '#platform/lifecycle.ts';
import { loop } from '#platform/work/loop.ts';
import { deleteRecipients, type Frozen, nextWithRecipients } from '../audience/recipients-queries.ts';
import type { BroadcastsWiring } from '../wiring.ts';
import { listAwaitingFinish, listDue, markFinished } from './move-queries.ts';
import { startDue } from './start-due.ts';
import { wallTimesService } from './wall-times.ts';

const FORGET_EVERY_MS = 10_000;
const FORGET_PAGE = 2_000;

/** The services of a process with the worker role. Any number of processes may. */
export const broadcastServices = (wiring: BroadcastsWiring): Service[] => [
  queue.dueService(wiring, {
    name: 'scheduled broadcasts',
    list: (asked) => listDue(wiring.db, asked),
    start: (due) => startDue(wiring, due),
  }),
  bulkSends.finishService(wiring, {
    name: 'finished broadcasts',
    list: listAwaitingFinish,
    finish: async (tx, due) => (await markFinished(tx, due)) !== undefined,
  }),
  wallTimesService(wiring),
  loop({
    name: 'recipients of broadcasts',
    everyMs: FORGET_EVERY_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'recipients of broadcasts that nothing needs any more could not be removed; trying again later',
    round: (goOn) => forgetRecipients(wiring, goOn),
  }),
];

/** The rows of broadcasts that are sent, cancelled or deleted: the emails have the addresses then. */
export async function forgetRecipients(
  { db }: Pick<BroadcastsWiring, 'db'>,
  goOn: () => boolean = () => true,
): Promise<void> {
  for (let after: Frozen | null = null; goOn(); ) {
    const found: Frozen | undefined = await nextWithRecipients(db, after);
    if (found === undefined) return;
    for (let removed = FORGET_PAGE; !found.isNeeded && removed === FORGET_PAGE && goOn(); ) {
      removed = await deleteRecipients(db, found, FORGET_PAGE);
    }
    after = found;
  }
}
