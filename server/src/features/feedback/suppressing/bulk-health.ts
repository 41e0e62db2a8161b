import { pauseSend } from '#features/outbox';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { isDatabaseUnavailable, isTransientConflict } from '#platform/db/database-errors.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';
import { bounceKindOf } from './bounce-kind.ts';
import {
  addToBulkHealth,
  type BulkHealth,
  forgetReason,
  listUnhealthy,
  noteUnhealthy,
  type UnhealthyBulk,
} from './bulk-health-queries.ts';

/**
 * A list with one address in twenty that does not exist was bought or is years old, and providers close accounts at
 * five to ten in a hundred (Amazon SES reviews at 5 %, pauses at 10 %). Under 500 fates a handful of them decides.
 */
const HARD_BOUNCES_MAX = 0.05;
const FATES_MIN = 500;
/**
 * Gmail and Yahoo want senders under 0.3 % and refuse mail above it. Complaints are few, so it takes a thousand
 * deliveries to tell three of them from chance.
 */
const COMPLAINTS_MAX = 0.003;
const DELIVERED_MIN = 1_000;

/** In one look: mostly one. A send whose pause fails does not keep the others of the look from theirs. */
const PAUSED_AT_ONCE = 100;

/**
 * Counts what the new events of a round say about bulk sends, and notes those that bounce or annoy too much: they are
 * to be paused. Returns how many.
 */
export async function noteBulkHealth(tx: Db, newEvents: readonly ProviderEvent[]): Promise<number> {
  const news = newEvents.flatMap((event) => {
    const kind = kindOf(event);
    return kind === null ? [] : [{ workspaceId: event.workspaceId, emailId: event.emailId, kind }];
  });
  if (news.length === 0) return 0;
  const sends = await addToBulkHealth(tx, news);
  const unhealthy = sends.flatMap((send) => {
    const reason = whyToPause(send);
    return reason === null ? [] : [{ workspaceId: send.workspaceId, sendId: send.sendId, reason }];
  });
  if (unhealthy.length > 0) await noteUnhealthy(tx, unhealthy);
  return unhealthy.length;
}

/** The mail about a pause. */
export interface PausedMail {
  /** Queues it, in the transaction that pauses. */
  write(tx: Db, paused: UnhealthyBulk): Promise<void>;
  /** It could not be queued, and the pause stands without it. Must not fail. */
  onFailure(paused: UnhealthyBulk, error: unknown): void;
}

/**
 * Pauses the sends that rounds have found unhealthy, and mails about those that were not paused already and are not
 * over. A round holds emails, and a release or a retry holds its send before it takes emails: so nothing pauses a send
 * inside a round. The note of the round stays until pause and mail are committed, so that another process does for a
 * dead one what is not done.
 */
export async function pauseUnhealthy(db: Db, mail?: PausedMail): Promise<void> {
  const failed: unknown[] = [];
  for (const send of await listUnhealthy(db, PAUSED_AT_ONCE)) {
    try {
      await pauseWithMail(db, send, mail);
      // Not with the pause: that holds emails, and a round takes the note behind the emails it holds.
      await forgetReason(db, send);
    } catch (error) {
      failed.push(error);
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, 'a bulk send could not be paused');
}

/** Both, or after a failure that passes neither: the next look tries again. A mail that fails for good is left out. */
async function pauseWithMail(db: Db, send: UnhealthyBulk, mail: PausedMail | undefined): Promise<void> {
  const pause = (tx: Db): Promise<boolean> =>
    pauseSend(tx, send.workspaceId, send.sendId, send.reason, { code: 'reputation' });
  try {
    await inTransaction(db, async (tx) => {
      if (await pause(tx)) await mail?.write(tx, send);
    });
  } catch (error) {
    if (isDatabaseUnavailable(error) || isTransientConflict(error)) throw error;
    if (await pause(db)) mail?.onFailure(send, error);
  }
}

function kindOf(event: ProviderEvent): 'delivered' | 'hard_bounced' | 'complained' | null {
  if (event.type === 'delivery') return 'delivered';
  if (event.type === 'complaint') return 'complained';
  // Refusals because of the sender raise an alarm of their own (policy-refusals.ts).
  return bounceKindOf(event) === 'hard' ? 'hard_bounced' : null;
}

/** The sentence that says what is wrong with a send, or null. */
export function whyToPause({ delivered, hardBounced, complained }: BulkHealth): string | null {
  const fates = delivered + hardBounced;
  if (fates >= FATES_MIN && hardBounced >= fates * HARD_BOUNCES_MAX) {
    return `${hardBounced} of ${fates} addresses do not exist or refuse mail for good (${share(hardBounced, fates)}; the limit is 5%).`;
  }
  if (delivered >= DELIVERED_MIN && complained >= delivered * COMPLAINTS_MAX) {
    return `${complained} of ${delivered} recipients called it spam (${share(complained, delivered)}; the limit is 0.3%).`;
  }
  return null;
}

const share = (part: number, whole: number): string => `${Math.round((part / whole) * 1_000) / 10}%`;
