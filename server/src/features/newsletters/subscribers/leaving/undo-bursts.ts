import { noEvidence } from '#features/consents';
import type { LinkBurst } from '#features/feedback';
import { keepOutSuppression, suppressedAmong } from '#features/suppressions';
import { type Db, onCommit } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import { selectNewsletter } from '../../queries.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { restore, statusToRestore } from './undo-unsubscribe.ts';
import { type LeftByVisit, listLeftByVisit } from './visit-queries.ts';

type Wiring = Pick<NewslettersWiring, 'secrets' | 'audit' | 'clock'>;

/**
 * The reaction to a burst: a machine followed many links of an email, the one to leave among them. The subscriber is
 * put back on the list, in the transaction that found the burst. Only a visit to the link is undone: a button that the
 * person or their mail program pressed still counts, and so does a person who confirmed the wish since. Webhooks are
 * sent as for every undo. Emails that were settled when the subscriber left stay settled, since that may have been
 * reported already.
 */
export const undoBursts =
  (wiring: Wiring) =>
  async (tx: Db, bursts: readonly LinkBurst[]): Promise<void> => {
    const visits = bursts.flatMap(({ workspaceId, emailId, leaveVisits }) =>
      leaveVisits.map((at) => ({ workspaceId, emailId, at })),
    );
    if (visits.length === 0) return;
    const found = await listLeftByVisit(tx, visits, { lock: false });
    if (found.length === 0) return;
    await keepOutSuppression(tx, found);
    for (const row of await listLeftByVisit(tx, visits, { lock: true })) {
      const burst = bursts.find(
        ({ workspaceId, emailId, leaveVisits }) =>
          workspaceId === row.workspaceId &&
          emailId === row.emailId &&
          leaveVisits.some((at) => at.getTime() === row.unsubscribedAt?.getTime()),
      );
      if (burst !== undefined) await undo(tx, wiring, row, burst);
    }
  };

async function undo(tx: Db, { secrets, audit, clock }: Wiring, row: LeftByVisit, burst: LinkBurst): Promise<void> {
  const at = clock.now();
  const { workspaceId } = row;
  const status = statusToRestore(row, at);
  const newsletter = await selectNewsletter(tx, workspaceId, row.newsletterId);
  // Too late, deleted meanwhile, or an address that nothing may be sent to.
  if (status === null || newsletter === undefined) return;
  if ((await suppressedAmong(tx, workspaceId, [row.email])).has(row.email)) return;
  const details = {
    reason: 'burst',
    issue_id: row.unsubscribedIssueId,
    email_id: row.emailId,
    links: burst.links.length,
    from: burst.from,
    to: burst.to,
  };
  await restore({ db: tx, secrets }, newsletter, row, { status, at, evidence: noEvidence, details });
  const by = { workspaceId, actor: systemActor, ip: null };
  const event = { action: 'unsubscribe_undone', targetType: 'subscriber', targetId: row.id };
  onCommit(tx, () => audit.record(by, { ...event, details: { ...details, newsletter_id: row.newsletterId } }));
}
