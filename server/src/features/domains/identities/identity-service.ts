import type { Clock } from '#platform/clock.ts';
import type { Service } from '#platform/lifecycle.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { SANDBOX_DOMAIN } from '../sandbox-domain.ts';
import { askForMissingIdentities, claimDueIdentities } from './queries.ts';
import { type IdentityPorts, settleIdentity } from './settle-identity.ts';

const EVERY_MS = 2_000;
/** Amazon SES allows about one such call a second. */
const PAGE = 4;
const OF_A_WORKSPACE = 2;
/** Domains that were verified under another provider have no identity. */
const LOOK_FOR_MISSING_MS = 3_600_000;

/** One page of the identities that are due, one after another; how many there were. */
export async function settleDueIdentities(ports: IdentityPorts): Promise<number> {
  const due = await claimDueIdentities(ports.db, PAGE, OF_A_WORKSPACE);
  for (const one of due) await settleIdentity(ports, one);
  return due.length;
}

/** Keeps the identities at the delivery service as the domains are. Any number of processes may do it. */
export function createIdentityService(ports: IdentityPorts & { clock: Clock }): Service {
  let missingAtMs = 0;
  const rounds: Loop = loop<number>({
    name: 'domain identities',
    everyMs: EVERY_MS,
    beginsAtOnce: true,
    clock: ports.clock,
    log: ports.log,
    failure: 'the identities of domains cannot be kept; trying again',
    async round() {
      if (ports.clock.monotonicMs() >= missingAtMs) {
        await askForMissingIdentities(ports.db, SANDBOX_DOMAIN);
        missingAtMs = ports.clock.monotonicMs() + LOOK_FOR_MISSING_MS;
      }
      return settleDueIdentities(ports);
    },
    waitMs: (found) => (found === 0 ? EVERY_MS : 0),
  });
  return {
    name: rounds.name,
    start: () => rounds.start(),
    async stop() {
      const stopped = rounds.stop();
      // A call that is cut off is made again: its lease ends.
      ports.identities.close();
      await stopped;
    },
  };
}
