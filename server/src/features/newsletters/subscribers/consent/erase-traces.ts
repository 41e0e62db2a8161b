import { type Db, inTransaction } from '#platform/db/database.ts';
import {
  deleteOldErasures,
  eraseEmails,
  eraseSubscriberEvents,
  type Erasure,
  listEmailsToErase,
  lockErasures,
} from './erase-traces-queries.ts';

const PEOPLE_AT_ONCE = 100;
const EMAILS_AT_ONCE = 500;
// Bounces are reported for days, and one that comes late names its recipient again.
const DAYS_LOOKED_AFTER = 7;

/**
 * Removes what emails, events, webhook bodies and captured mail say of people who were erased. Run often and for a week:
 * what was still on its way when somebody was erased is passed over until it has arrived or failed.
 */
export async function eraseTraces(db: Db, goOn: () => boolean = () => true): Promise<void> {
  let after: Erasure | null = null;
  do {
    const page: Erasure[] = await inTransaction(db, (tx) => erasePage(tx, after));
    after = page.length < PEOPLE_AT_ONCE ? null : (page.at(-1) ?? null);
  } while (after !== null && goOn());
  await deleteOldErasures(db, DAYS_LOOKED_AFTER);
}

async function erasePage(tx: Db, after: Erasure | null): Promise<Erasure[]> {
  const page = await lockErasures(tx, after, PEOPLE_AT_ONCE);
  for (const one of page) {
    await eraseSubscriberEvents(tx, one);
    const emailIds = await listEmailsToErase(tx, one, EMAILS_AT_ONCE);
    if (emailIds.length > 0) await eraseEmails(tx, one.workspaceId, emailIds);
  }
  return page;
}
