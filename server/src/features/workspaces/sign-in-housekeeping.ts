import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { deleteSignInLeftovers } from './accounts/sessions/session-queries.ts';

const EVERY_MS = 600_000;
const KEPT_MS = 30 * 86_400_000;

/** Deletes sessions and links that are over. Any number of processes may do it at once. */
export async function removeSignInLeftovers({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await deleteSignInLeftovers(db, new Date(clock.now().getTime() - KEPT_MS));
}

export function createSignInHousekeeping(deps: { db: Db; clock: Clock; log: Log }): Service {
  return loop({
    name: 'sign-in housekeeping',
    everyMs: EVERY_MS,
    clock: deps.clock,
    log: deps.log,
    failure: 'old sign-ins were not deleted',
    round: () => removeSignInLeftovers(deps),
  });
}
