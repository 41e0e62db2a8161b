import { newestConsent } from '#features/consents';
import { BURST_MS, clientOf, noteLeaveVisit } from '#features/feedback';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { selectNewsletter } from '../../queries.ts';
import { keepUnsubscribed, lockSubscriber } from '../queries.ts';
import { personOf, type Subscriber } from '../subscriber.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';
import { takeOff, type Unsubscribing } from './unsubscribe-subscriber.ts';
import { findEmailOfIssue } from './visit-queries.ts';

export interface LeavingByVisit extends Omit<Unsubscribing, 'reason'> {
  /** A browser opened the link: whatever else was followed, a person left. */
  byBrowser: boolean;
}

/**
 * Takes off the list who followed the link to leave, as far as can be seen a person: at once. A visit of a browser
 * stands. Scanners call themselves browsers and follow links too, all of them. So for any other visit: when other links
 * of the same email were followed just before from the same network, nothing is changed and `asksFirst` says so; when
 * they are followed just after, `undoBursts` restores what was. Coming again is what a person does: it is not undone
 * then. Throws not found for one who is gone.
 */
export async function leaveByVisit(
  ctx: SubscribersCtx,
  asked: LeavingByVisit,
): Promise<{ subscriber: Subscriber; asksFirst: boolean }> {
  return inTransaction(ctx.db, async (tx) => {
    const at = ctx.clock.now();
    const visit = asked.byBrowser ? 'person' : await noteVisit(tx, ctx.workspaceId, asked, at);
    const row = await lockSubscriber(tx, ctx.workspaceId, asked.newsletterId, asked.subscriberId);
    const newsletter = await selectNewsletter(tx, ctx.workspaceId, asked.newsletterId);
    if (row === undefined || newsletter === undefined) throw notFound('subscriber', asked.subscriberId);
    const within = { ...ctx, db: tx };
    if (row.status === 'unsubscribed') {
      const isPerson = visit === 'person' || (visit !== 'burst' && !(await isSameVisit(within, row, asked, at)));
      if (isPerson) await keepUnsubscribed(tx, row.workspaceId, [row.id]);
      return { subscriber: row, asksFirst: false };
    }
    if (visit === 'burst') return { subscriber: row, asksFirst: true };
    const why = { ...asked, reason: 'user' as const, ...(visit === 'alone' ? { visitAt: at } : {}) };
    return { subscriber: await takeOff(within, newsletter, row, why), asksFirst: false };
  });
}

/** unknown: of no email that we know, whose other links could have been followed. */
async function noteVisit(
  tx: Db,
  workspaceId: string,
  { newsletterId, subscriberId, issueId, evidence }: Omit<Unsubscribing, 'reason'>,
  at: Date,
): Promise<'burst' | 'alone' | 'unknown'> {
  if (issueId === null || evidence.ip === null) return 'unknown';
  const emailId = await findEmailOfIssue(tx, workspaceId, { newsletterId, issueId, subscriberId });
  if (emailId === undefined) return 'unknown';
  const isBurst = await noteLeaveVisit(tx, { workspaceId, emailId, ipAddress: evidence.ip, at });
  return isBurst ? 'burst' : 'alone';
}

/** A link that is followed twice in seconds from one network has been followed once, as far as it shows a person. */
async function isSameVisit(
  ctx: SubscribersCtx,
  row: Subscriber,
  { evidence }: Pick<Unsubscribing, 'evidence'>,
  at: Date,
): Promise<boolean> {
  if (row.unsubscribedAt === null || at.getTime() - row.unsubscribedAt.getTime() > BURST_MS) return false;
  const newest = await newestConsent(ctx, personOf(row));
  if (newest?.ip == null || evidence.ip === null) return false;
  return clientOf(newest.ip) === clientOf(evidence.ip);
}
