import type { Db } from '#platform/db/database.ts';
import { type SendCounts, sumCounts } from './counts-queries.ts';

export type { SendCounts } from './counts-queries.ts';

/** The statistics of these sends; a send without any (nobody is frozen yet) is absent. */
export async function countsOfSends(
  db: Db,
  workspaceId: string,
  sendIds: readonly string[],
): Promise<ReadonlyMap<string, SendCounts>> {
  const rows = sendIds.length === 0 ? [] : await sumCounts(db, workspaceId, sendIds);
  return new Map(rows.map(({ sendId, ...counts }) => [sendId, counts]));
}
