import type { Db } from '#platform/db/database.ts';
import { mentionOf } from './mentions.ts';
import { eraseMentions } from './queries.ts';

/** Removes what the log says of a person: of requests that name one of these addresses or ids. */
export async function eraseRequests(tx: Db, workspaceId: string, names: readonly string[]): Promise<void> {
  if (names.length > 0) await eraseMentions(tx, workspaceId, names.map(mentionOf));
}
