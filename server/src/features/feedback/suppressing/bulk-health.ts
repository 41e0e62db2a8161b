import { pauseSend } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';
import { bounceKindOf } from './bounce-kind.ts';
import { addToBulkHealth, type BulkHealth } from './bulk-health-queries.ts';

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

/** A send that bounces or annoys too much, and why it is paused. */
export interface UnhealthyBulk {
  workspaceId: string;
  sendId: string;
  reason: string;
}

/** Counts what the new events of a round say about bulk sends; returns those that bounce or annoy too much. */
export async function noteBulkHealth(tx: Db, newEvents: readonly ProviderEvent[]): Promise<UnhealthyBulk[]> {
  const news = newEvents.flatMap((event) => {
    const kind = kindOf(event);
    return kind === null ? [] : [{ workspaceId: event.workspaceId, emailId: event.emailId, kind }];
  });
  if (news.length === 0) return [];
  const sends = await addToBulkHealth(tx, news);
  return sends.flatMap((send) => {
    const reason = whyToPause(send);
    return reason === null ? [] : [{ workspaceId: send.workspaceId, sendId: send.sendId, reason }];
  });
}

/**
 * Pauses the send; false: it was paused already, or is over. A round holds emails, and a release or a retry holds its
 * send before it takes emails: so nothing pauses a send inside a round. When the process dies in between, the next
 * event of the send pauses it.
 */
export const pauseUnhealthy = (db: Db, { workspaceId, sendId, reason }: UnhealthyBulk): Promise<boolean> =>
  pauseSend(db, workspaceId, sendId, reason, { code: 'reputation' });

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
