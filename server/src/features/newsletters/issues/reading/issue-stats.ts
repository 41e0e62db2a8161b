import { bulkSends, type SendCounts } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import type { IssueSummary } from '../issue.ts';

/** The statistics of an issue on the wire. `total = pending + sent + failed` at every moment. */
export type IssueStats = ReturnType<typeof statsView>;

const NONE: SendCounts = {
  total: 0,
  pending: 0,
  waiting: 0,
  queued: 0,
  sending: 0,
  unconfirmed: 0,
  sent: 0,
  failed: 0,
  refused: 0,
  suppressed: 0,
  cancelled: 0,
  delivered: 0,
  bounced: 0,
  complained: 0,
  opened: 0,
  clicked: 0,
  openedMachine: 0,
  clickedMachine: 0,
  unsubscribed: 0,
  firstEventAt: null,
  lastEventAt: null,
};

export const statsView = (counts: SendCounts = NONE) => ({
  total: counts.total,
  pending: counts.pending,
  sent: counts.sent,
  delivered: counts.delivered,
  opened: counts.opened,
  clicked: counts.clicked,
  bounced: counts.bounced,
  complained: counts.complained,
  failed: counts.failed,
  first_event_at: counts.firstEventAt,
  last_event_at: counts.lastEventAt,
  opened_machine: counts.openedMachine,
  clicked_machine: counts.clickedMachine,
  unsubscribed: counts.unsubscribed,
  waiting: counts.waiting,
  queued: counts.queued,
  sending: counts.sending,
  unconfirmed: counts.unconfirmed,
  refused: counts.refused,
  suppressed: counts.suppressed,
  cancelled: counts.cancelled,
});

/** The statistics of issues, by their id, in one statement for all of them. */
export async function statsOf(
  db: Db,
  workspaceId: string,
  issues: readonly Pick<IssueSummary, 'id' | 'sendId'>[],
): Promise<ReadonlyMap<string, IssueStats>> {
  const sendIds = issues.map((issue) => issue.sendId).filter((id) => id !== null);
  const counts = sendIds.length === 0 ? new Map() : await bulkSends.countsOf(db, workspaceId, sendIds);
  return new Map(issues.map(({ id, sendId }) => [id, statsView(sendId === null ? NONE : counts.get(sendId))]));
}
