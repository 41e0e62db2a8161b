import type { Db } from '#platform/db/database.ts';
import { type Owner, selectOwners } from './queries.ts';

/** The people to tell what happens to a workspace: its owners, who joined first coming first. */
export async function listOwners(db: Db, workspaceId: string): Promise<Owner[]> {
  return selectOwners(db, workspaceId);
}
