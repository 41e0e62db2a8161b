import type { Db } from '#platform/db/database.ts';
import { insertMissingSoftBounces, recordSoftBounces, type SoftBounceNews } from './soft-bounce-queries.ts';

/** Transient bounces of an address, without a delivery between them, that mean that nobody is there. */
const SOFT_BOUNCES_MAX = 5;

/**
 * Counts transient bounces and deliveries of addresses, each address at most once in `news`. Returns the addresses
 * that have bounced five times since their last delivery. The count depends on the set of bounces and deliveries and
 * not on their order; only a suppression that was right when it was made is not taken back by a delivery reported
 * later.
 */
export async function noteSoftBounces(
  tx: Db,
  news: readonly SoftBounceNews[],
): Promise<{ workspaceId: string; identity: string }[]> {
  if (news.length === 0) return [];
  await insertMissingSoftBounces(tx, news);
  const counts = await recordSoftBounces(tx, news, SOFT_BOUNCES_MAX);
  return counts.filter((row) => row.count >= SOFT_BOUNCES_MAX);
}
