import type { Service } from '#platform/lifecycle.ts';
import { loop } from '#platform/work/loop.ts';
import { type DisablePorts, disableEndpoint, withMails } from './disable-endpoint.ts';
import { failingMail } from './owners-mail.ts';
import { listFailing, listFailingUnnoticed, markNoticed } from '../queries/endpoint-health.ts';

const EVERY_MS = 60_000;
const DAY_SECONDS = 86_400;
/** Nothing but failures for so long, from the first of them to the last. */
const DISABLED_AFTER = { failingSeconds: 5 * DAY_SECONDS, attempts: 10 };
const NOTICE_AFTER = { failingSeconds: DAY_SECONDS, attempts: 5 };

/**
 * Tells the owners once when an endpoint has failed for a day, and disables it when it has failed for five. One success
 * starts the count anew. Any number of processes may do it: who changes the row tells the owners.
 */
export async function watchFailing(ports: DisablePorts): Promise<{ noticed: number; disabled: number }> {
  let [noticed, disabled] = [0, 0];
  for (const endpoint of await listFailing(ports.db, DISABLED_AFTER)) {
    const reason = `Every delivery failed for five days, since ${endpoint.failingSince?.toISOString() ?? ''}.`;
    if (await disableEndpoint(ports, endpoint, { reason, stillFailing: true })) disabled += 1;
  }
  for (const endpoint of await listFailingUnnoticed(ports.db, NOTICE_AFTER)) {
    if (await withMails(ports, endpoint, failingMail, (tx) => markNoticed(tx, endpoint))) noticed += 1;
  }
  return { noticed, disabled };
}

export function createFailureWatch(ports: DisablePorts): Service {
  return loop({
    name: 'failing webhooks',
    everyMs: EVERY_MS,
    clock: ports.clock,
    log: ports.log,
    failure: 'failing webhooks could not be looked at; trying again',
    round: () => watchFailing(ports),
  });
}
