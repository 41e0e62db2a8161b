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
    const { page, isWhole }: Page = await inTransaction(db, (tx) => erasePage({ ...ports, db: tx }, after));
    // More emails of the same people follow.
    if (!isWhole) continue;
    if (page.length < PEOPLE_AT_ONCE) break;
    after = page.at(-1) ?? null;
  } while (goOn());
  await deleteOldErasures(db, DAYS_LOOKED_AFTER);
}

interface Page {
  page: readonly Erasure[];
  /** False: these people have more emails than are erased in one transaction. */
  isWhole: boolean;
}

async function erasePage(ports: ErasingPorts, after: Erasure | null): Promise<Page> {
  const page = await lockErasures(ports.db, after, PEOPLE_AT_ONCE);
  let isWhole = true;
  for (const [workspaceId, people] of Map.groupBy(page, (one) => one.workspaceId)) {
    const ids = people.map(({ subscriberId }) => subscriberId);
    if ((await eraseIn(ports, workspaceId, ids)) === EMAILS_AT_ONCE) isWhole = false;
  }
  return { page, isWhole };
}

/** Of people of one workspace. Returns of how many emails. */
async function eraseIn(
  { db: tx, deleteCaptured, deleteRunsOf }: ErasingPorts,
  workspaceId: string,
  subscriberIds: readonly string[],
): Promise<number> {
  await eraseSubscriberEvents(tx, workspaceId, subscriberIds);
  // Requests of the last moment were still being written when the person was erased.
  await eraseRequests(tx, workspaceId, subscriberIds);
  const emailIds = await emailRecords.listToErase(tx, workspaceId, subscriberIds, EMAILS_AT_ONCE);
  if (emailIds.length === 0) return 0;
  const addresses = await emailRecords.addressesOf(tx, workspaceId, emailIds);
  await eraseProviderEvents(tx, workspaceId, emailIds);
  await deleteCaptured(tx, workspaceId, emailIds);
  await eraseRequests(tx, workspaceId, addresses);
  await deleteRunsOf(tx, workspaceId, addresses);
  await eraseInbound(tx, workspaceId, addresses);
  await emailRecords.erase(tx, workspaceId, emailIds);
  // Behind the emails, as a round of provider events locks them.
  await forgetSoftBounces(tx, workspaceId, addresses);
  // These events have no index by address: once for all of them.
  await eraseSuppressionEvents(tx, workspaceId, addresses);
  return emailIds.length;
}
