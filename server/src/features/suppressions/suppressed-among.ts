import type { Db } from '#platform/db/database.ts';
import { listSuppressedAmong } from './queries.ts';

/**
 * Which of these addresses (identities) the workspace may not mail. A failure of the look-up is the caller's failure.
 */
export async function suppressedAmong(
  db: Db,
  workspaceId: string,
  identities: readonly string[],
): Promise<ReadonlySet<string>> {
  if (identities.length === 0) return new Set();
  return new Set(await listSuppressedAmong(db, workspaceId, identities));
}
