import type { Db } from '#platform/db/database.ts';
import { releaseIdentities } from './queries.ts';

/** Called in the transaction that deletes a workspace: the delivery service is to forget its domains. */
export const releaseIdentitiesOf = (tx: Db, workspaceId: string): Promise<void> =>
  releaseIdentities(tx, workspaceId, null);
