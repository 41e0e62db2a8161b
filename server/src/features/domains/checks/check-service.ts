import type { Service } from '#platform/lifecycle.ts';
import { loop } from '#platform/work/loop.ts';
import { type CheckPorts, checkDomain } from './check-domain.ts';
import { claimDueChecks } from './queries.ts';

const EVERY_MS = 15_000;
const PAGE = 20;
const OF_A_WORKSPACE = 5;

/** One page of the checks that are due; how many there were. */
export async function checkDueDomains(ports: CheckPorts): Promise<number> {
  const due = await claimDueChecks(ports.db, PAGE, OF_A_WORKSPACE);
  const done = await Promise.allSettled(due.map((key) => checkDomain(ports, key, null)));
  for (const one of done) {
    // It is due again in ten minutes.
    if (one.status === 'rejected') ports.log.error({ err: one.reason }, 'a domain could not be checked');
  }
  return due.length;
}

/** Checks domains when they are due. Any number of processes may do it. */
export function createCheckService(ports: CheckPorts): Service {
  return loop<number>({
    name: 'domain checks',
    everyMs: EVERY_MS,
    clock: ports.clock,
    log: ports.log,
    failure: 'the domains that are due could not be checked; trying again',
    round: () => checkDueDomains(ports),
    waitMs: (found) => (found === PAGE ? 0 : EVERY_MS),
  });
}
