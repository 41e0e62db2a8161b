import { forgetBodies } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import { eraseAttempts, eraseEvents, eraseRawMessages, eraseRecipients, listEventsOfEmails } from './queries.ts';

/**
 * Takes the recipient out of these emails, of raw messages, of what was told about them, and of what webhooks were
 * sent. Counters are not changed. In the transaction of the caller, who erases a person page by page.
 */
export async function eraseEmails(tx: Db, workspaceId: string, emailIds: readonly string[]): Promise<void> {
  await forgetBodies(tx, workspaceId, await listEventsOfEmails(tx, workspaceId, emailIds));
  await eraseEvents(tx, workspaceId, emailIds);
  await eraseAttempts(tx, workspaceId, emailIds);
  await eraseRawMessages(tx, workspaceId, emailIds);
  await eraseRecipients(tx, workspaceId, emailIds);
}
