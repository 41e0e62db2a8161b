import { eraseProviderEvents } from '#features/feedback';
import { eraseInbound } from '#features/inbound';
import { emailRecords } from '#features/outbox';
import { eraseRequests } from '#features/request-log';
import { forgetSoftBounces } from '#features/suppressions';
import { eraseSubscriberEvents, eraseSuppressionEvents } from '#features/webhooks';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { deleteOldErasures, type Erasure, lockErasures } from './erasure-queries.ts';

const PEOPLE_AT_ONCE = 100;
const EMAILS_AT_ONCE = 500;
// Bounces are reported for days, and one that comes late names its recipient again.
const DAYS_LOOKED_AFTER = 7;

export interface ErasingPorts {
  db: Db;
  /** Removes the captured messages of these emails. */
  deleteCaptured(tx: Db, workspaceId: string, emailIds: readonly string[]): Promise<void>;
  /** Removes what automations have of these addresses: an email that was opened late may have started one. */
  deleteRunsOf(tx: Db, workspaceId: string, emails: readonly string[]): Promise<void>;
}

/**
 * Removes what emails, events, webhook bodies, captured mail and counts of bounces say of people who were erased. Run
 * often and for a week: what was still on its way when somebody was erased is passed over until it has arrived or
 * failed.
 */
export async function eraseTraces(ports: ErasingPorts, goOn: () => boolean = () => true): Promise<void> {
  const { db } = ports;
  let after: Erasure | null = null;
  do {
    const page: Erasure[] = await inTransaction(db, (tx) => erasePage({ ...ports, db: tx }, after));
    after = page.length < PEOPLE_AT_ONCE ? null : (page.at(-1) ?? null);
  } while (after !== null && goOn());
  await deleteOldErasures(db, DAYS_LOOKED_AFTER);
}

async function erasePage(
  { db: tx, deleteCaptured, deleteRunsOf }: ErasingPorts,
  after: Erasure | null,
): Promise<Erasure[]> {
  const page = await lockErasures(tx, after, PEOPLE_AT_ONCE);
  const erased = new Map<string, string[]>();
  for (const one of page) {
    await eraseSubscriberEvents(tx, one);
    // Requests of the last moment were still being written when the person was erased.
    await eraseRequests(tx, one.workspaceId, [one.subscriberId]);
    const emailIds = await emailRecords.listToErase(tx, one, EMAILS_AT_ONCE);
    if (emailIds.length === 0) continue;
    const addresses = await emailRecords.addressesOf(tx, one.workspaceId, emailIds);
    await eraseProviderEvents(tx, one.workspaceId, emailIds);
    await deleteCaptured(tx, one.workspaceId, emailIds);
    await eraseRequests(tx, one.workspaceId, addresses);
    await deleteRunsOf(tx, one.workspaceId, addresses);
    await eraseInbound(tx, one.workspaceId, addresses);
    await emailRecords.erase(tx, one.workspaceId, emailIds);
    // Behind the emails, as a round of provider events locks them.
    await forgetSoftBounces(tx, one.workspaceId, addresses);
    erased.set(one.workspaceId, [...(erased.get(one.workspaceId) ?? []), ...addresses]);
  }
  // Once for all of a page: these events have no index by address.
  for (const [workspaceId, addresses] of erased) await eraseSuppressionEvents(tx, workspaceId, addresses);
  return page;
}
