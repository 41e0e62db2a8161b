import type { Db } from '#platform/db/database.ts';

/** The statistics of a bulk send: total = pending + sent + failed at every moment. */
export interface SendCounts {
  total: number;
  /** waiting + queued + sending + unconfirmed */
  pending: number;
  waiting: number;
  queued: number;
  sending: number;
  unconfirmed: number;
  sent: number;
  /** refused + suppressed + cancelled */
  failed: number;
  refused: number;
  suppressed: number;
  cancelled: number;
  delivered: number;
  bounced: number;
  complained: number;
  opened: number;
  clicked: number;
  openedMachine: number;
  clickedMachine: number;
  unsubscribed: number;
  firstEventAt: Date | null;
  lastEventAt: Date | null;
}

/** The statistics of these sends; a send without any is absent. */
export async function countsOfSends(
  _db: Db,
  _workspaceId: string,
  _sendIds: readonly string[],
): Promise<ReadonlyMap<string, SendCounts>> {
  throw new Error('not built yet');
}
