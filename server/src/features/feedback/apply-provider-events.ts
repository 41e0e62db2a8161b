import { type Db, inTransaction } from '#platform/db/database.ts';
import { judgeEngagement } from './engagement/judge-engagement.ts';
import { insertEmailEvents } from './queries/insert-email-events.ts';
import { lockWaitingEvents, markApplied, type ProviderEvent } from './queries/lock-waiting-events.ts';
import { settleEmails, type TouchedEmail } from './queries/settle-emails.ts';
import { noteBulkHealth } from './suppressing/bulk-health.ts';
import { suppressBounced } from './suppressing/suppress-bounced.ts';

/** Events a round applies at most; 500 take 70 ms (2 cores, November 2026), and hold their locks as long. */
const BATCH = 500;

/** Provider events that become events of the email. Its own `send` was recorded when the email was accepted. */
const RECORDED = new Set(['delivery', 'bounce', 'complaint', 'reject', 'delivery_delay', 'open', 'click']);

/**
 * Applies what providers have told us: events stored once, the email's state, counters and suppressions, all in one
 * transaction. Any order and any number of repetitions of the same events ends in the same state. Returns how many
 * were applied; a full batch means there may be more.
 */
export async function applyProviderEvents(db: Db): Promise<{ applied: number; full: boolean }> {
  return inTransaction(db, async (tx) => {
    const events = await lockWaitingEvents(tx, BATCH);
    if (events.length === 0) return { applied: 0, full: false };
    // Known already: an event that was applied before and came back changes nothing again.
    const news = events.filter((event) => RECORDED.has(event.type) && !event.isKnown);
    const judged = await suppressBounced(tx, await judgeEngagement(tx, news));
    const stored = new Set((await insertEmailEvents(tx, judged)).map((event) => event.id));
    await settleEmails(tx, touchedBy(events, stored));
    await noteBulkHealth(
      tx,
      judged.filter((event) => stored.has(event.id)),
    );
    await markApplied(tx, events);
    return { applied: events.length, full: events.length === BATCH };
  });
}

function touchedBy(events: readonly ProviderEvent[], isNew: ReadonlySet<string>): TouchedEmail[] {
  const touched = new Map<string, TouchedEmail>();
  for (const event of events) {
    const key = `${event.workspaceId} ${event.emailId}`;
    const email = touched.get(key) ?? {
      workspaceId: event.workspaceId,
      emailId: event.emailId,
      firstAt: event.at,
      newOpens: 0,
      newClicks: 0,
    };
    if (event.at < email.firstAt) email.firstAt = event.at;
    if (isNew.has(event.id) && event.type === 'open') email.newOpens += 1;
    if (isNew.has(event.id) && event.type === 'click') email.newClicks += 1;
    touched.set(key, email);
  }
  return [...touched.values()];
}
