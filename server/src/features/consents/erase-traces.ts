import { eraseProviderEvents } from '#features/feedback';
import { emailRecords } from '#features/outbox';
import { eraseSubscriberEvents } from '#features/webhooks';
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
}

/**
 * Removes what emails, events, webhook bodies and captured mail say of people who were erased. Run often and for a
 * week: what was still on its way when somebody was erased is passed over until it has arrived or failed.
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

async function erasePage({ db: tx, deleteCaptured }: ErasingPorts, after: Erasure | null): Promise<Erasure[]> {
  const page = await lockErasures(tx, after, PEOPLE_AT_ONCE);
  for (const one of page) {
    await eraseSubscriberEvents(tx, one);
    const emailIds = await emailRecords.listToErase(tx, one, EMAILS_AT_ONCE);
    if (emailIds.length === 0) continue;
    await eraseProviderEvents(tx, one.workspaceId, emailIds);
    await deleteCaptured(tx, one.workspaceId, emailIds);
    await emailRecords.erase(tx, one.workspaceId, emailIds);
  }
  return page;
}
