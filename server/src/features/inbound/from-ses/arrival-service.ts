import type { Service } from '#platform/lifecycle.ts';
import { loop } from '#platform/work/loop.ts';
import { arrivalNoted } from './note-arrivals.ts';
import { claimArrival } from './queries.ts';
import { type ArrivalPorts, takeArrival } from './take-arrival.ts';

const EVERY_MS = 2_000;
/** One after another: each may have 40 MB. */
const AT_ONCE_MAX = 100;

/** Takes what is due. Returns whether there may be more. */
async function takeArrivals(ports: ArrivalPorts, goOn: () => boolean): Promise<boolean> {
  for (let taken = 0; taken < AT_ONCE_MAX && goOn(); taken += 1) {
    const arrival = await claimArrival(ports.db);
    if (arrival === undefined) return false;
    await takeArrival(ports, arrival);
  }
  return true;
}

/** Takes mail that Amazon SES received to where it belongs. Any number of processes may do it. */
export function createArrivalService(ports: ArrivalPorts): Service {
  const rounds = loop<boolean>({
    name: 'mail from Amazon SES',
    everyMs: EVERY_MS,
    wokenBy: arrivalNoted,
    beginsAtOnce: true,
    clock: ports.clock,
    log: ports.log,
    failure: 'mail that Amazon SES received could not be taken; trying again',
    round: (goOn) => takeArrivals(ports, goOn),
    waitMs: (isMore) => (isMore ? 0 : EVERY_MS),
  });
  return {
    name: rounds.name,
    start: () => rounds.start(),
    async stop() {
      const stopped = rounds.stop();
      // A message that is cut off waits for its lease to end.
      ports.objects.close();
      await stopped;
    },
  };
}
