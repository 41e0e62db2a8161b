import { noEvidence, recordConsents } from '#features/consents';
import { type AddedSuppression, awaitSignUps } from '#features/suppressions';
import { publishWebhooks } from '#features/webhooks';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { subscribersUnsubscribed, type UnsubscribeReason } from '../../announcements.ts';
import { type CascadedRow, unsubscribeAddresses } from './cascade-queries.ts';
import { personOf } from '../subscriber.ts';
import { newsOf, unsubscribedData } from '../subscriber-events.ts';

/** Rows whose events and news are told at once; an address can be on any number of lists. */
const TOLD_AT_ONCE = 1_000;

/** A person who is suppressed because they unsubscribed did so themselves. */
const reasonOf = (reason: AddedSuppression['reason']): UnsubscribeReason =>
  reason === 'unsubscribe' ? 'user' : reason;

/**
 * The answer to a suppression: the address leaves every list of that workspace in the same transaction, pending rows
 * too. Rows that had left before keep their reason and time.
 */
export const unsubscribeSuppressed =
  (secrets: Secrets) =>
  async (tx: Db, added: readonly AddedSuppression[]): Promise<void> => {
    if (added.length === 0) return;
    const addresses = added.map((one) => ({
      workspaceId: one.workspaceId,
      email: one.identity,
      reason: reasonOf(one.reason),
      sourceEmailId: one.sourceEmailId,
    }));
    await awaitSignUps(tx, addresses);
    const rows = await unsubscribeAddresses(tx, addresses);
    for (let from = 0; from < rows.length; from += TOLD_AT_ONCE) {
      await tell(tx, secrets, rows.slice(from, from + TOLD_AT_ONCE));
    }
  };

async function tell(tx: Db, secrets: Secrets, rows: readonly CascadedRow[]): Promise<void> {
  await recordConsents(
    tx,
    secrets,
    rows.map((row) => ({
      person: personOf(row),
      action: 'unsubscribed',
      at: row.unsubscribedAt ?? row.updatedAt,
      evidence: noEvidence,
      details: { reason: row.reason, previous_status: row.previousStatus, issue_id: row.issueId },
    })),
  );
  await publishWebhooks(
    tx,
    rows.map((row) => ({
      workspaceId: row.workspaceId,
      type: 'newsletter.subscriber.unsubscribed',
      newsletterId: row.newsletterId,
      data: unsubscribedData({ id: row.newsletterId, name: row.newsletterName, slug: row.newsletterSlug }, row, row),
    })),
  );
  await subscribersUnsubscribed.announce(
    tx,
    rows.map((row) => ({
      ...newsOf(row),
      reason: row.reason,
      issueId: row.issueId,
      previousStatus: row.previousStatus,
      isErased: false,
    })),
  );
}
