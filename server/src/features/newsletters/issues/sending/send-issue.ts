import { requireNotStopped } from '#platform/errors/sending-stopped.ts';
import { queue } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import { type SentBy, sentBy } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { sumSubscribers } from '../../counts/counts-queries.ts';
import { startIssue } from '../fan-out/start-issue.ts';
import { getLockedIssue } from '../get-issue.ts';
import { isOpen, type Issue, whyClosed } from '../issue.ts';
import { publishIssueSent } from './issue-events.ts';
import { type Done, type IssuesCtx } from '../issues-ctx.ts';
import { markIssueSending, markReleasedToNobody, setSendOfIssue } from './move-queries.ts';
import { requireReady, requireSender } from '../content/ready-issue.ts';
import { scheduleAsStored } from './schedule-issue.ts';

/** The result of sending an issue. */
export interface Sent extends Done {
  /** When its last email will have left, by the queue and the rate; null: it is scheduled, or there is none. */
  estimatedCompletionAt: Date | null;
}

/**
 * Sends an issue now, or schedules a draft in which a time is stored. Once and never again: of two calls at the same
 * time the second is refused. With nobody on the list it is sent at once, to nobody.
 */
export async function sendIssue(
  ctx: IssuesCtx,
  wiring: NewslettersWiring,
  newsletter: Newsletter,
  issueId: string,
): Promise<Sent> {
  return inTransaction(ctx.db, async (tx) => {
    const issue = await getLockedIssue(tx, newsletter, issueId);
    if (!isOpen(issue.status)) throw conflict(whyClosed(issue));
    const inside = { ...ctx, db: tx };
    if (issue.status === 'draft' && issue.scheduledFor !== null) {
      const done = await scheduleAsStored(inside, newsletter, issue);
      return { ...done, estimatedCompletionAt: null };
    }
    return startSending(inside, wiring, newsletter, issue, sentBy(ctx));
  });
}

/**
 * Moves an issue that the transaction holds, a draft or a scheduled one, on its way. `by` is who said so, which for a
 * scheduled one was some time ago.
 */
export async function startSending(
  ctx: IssuesCtx,
  wiring: NewslettersWiring,
  newsletter: Newsletter,
  issue: Issue,
  by: SentBy,
): Promise<Sent> {
  requireNotStopped((await requireSender(ctx, newsletter, issue)).sendingStop);
  const { active } = await sumSubscribers(ctx.db, newsletter.workspaceId, newsletter.id);
  if (active === 0) {
    return sendToNobody(ctx, newsletter, issue, by);
  }
  const sending = await markIssueSending(ctx.db, issue, by);
  if (sending === undefined) throw conflict(whyClosed(issue));
  const { sendId, expected } = await startIssue(ctx.db, wiring, newsletter, sending, by);
  await setSendOfIssue(ctx.db, issue, sendId, expected);
  return {
    issue: { ...sending, sendId, totalRecipients: expected },
    auditEntries: [{ action: 'send_started', details: { total_recipients: expected } }],
    estimatedCompletionAt: await queue.estimateCompletion(ctx, expected),
  };
}

async function sendToNobody(ctx: IssuesCtx, newsletter: Newsletter, issue: Issue, by: SentBy): Promise<Sent> {
  await requireReady(ctx, newsletter, issue);
  const sent = await markReleasedToNobody(ctx.db, issue, by);
  if (sent === undefined) throw conflict(whyClosed(issue));
  await publishIssueSent(ctx.db, newsletter, sent);
  return {
    issue: sent,
    auditEntries: [
      { action: 'send_started', details: { total_recipients: 0 } },
      { action: 'sent', details: { total: 0 } },
    ],
    estimatedCompletionAt: null,
  };
}
