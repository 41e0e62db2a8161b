import { mailOwners, type OwnersMailPorts } from '#features/workspaces';
import { EXPIRY_DAYS } from '#mail/bimi/certificate-limits.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { mailOfExpiry } from './expiry-mail.ts';
import { takeExpiringMarks } from './queries.ts';

const EVERY_MS = 3_600_000;
const PAGE = 50;

export type ExpiryPorts = OwnersMailPorts & { db: Db; log: Log };

/** Tells the owners of a page of certificates that end soon; true: there may be more. The last step comes first. */
export async function tellOfExpiry(ports: ExpiryPorts): Promise<boolean> {
  const now = ports.clock.now();
  for (let step = EXPIRY_DAYS.length; step > 0; step -= 1) {
    const found = await inTransaction(ports.db, async (tx) => {
      const due = await takeExpiringMarks(tx, { now, days: EXPIRY_DAYS[step - 1] ?? 0, step, page: PAGE });
      for (const mark of due) {
        await mailOwners(ports, tx, mark.workspaceId, (workspaceName) => mailOfExpiry(mark, now, workspaceName));
      }
      return due.length;
    });
    if (found > 0) return true;
  }
  return false;
}

/** Any number of processes may do it: a certificate is taken by one. */
export function createExpiryService(ports: ExpiryPorts): Service {
  return loop<boolean>({
    name: 'certificates of logos',
    everyMs: EVERY_MS,
    clock: ports.clock,
    log: ports.log,
    failure: 'the owners of certificates that end soon could not be told; trying again',
    round: () => tellOfExpiry(ports),
    waitMs: (found) => (found === true ? 0 : EVERY_MS),
  });
}
