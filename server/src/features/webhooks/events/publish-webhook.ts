import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { insertWorkspaceEvents, type NewWorkspaceEvent } from './publish-queries.ts';

/**
 * Records events and what is to be delivered of them, in the caller's transaction: they happen with what they tell of
 * or not at all. Told are the endpoints that are enabled and subscribed at this moment.
 */
export async function publishWebhooks(tx: Db, events: readonly NewWorkspaceEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertWorkspaceEvents(
    tx,
    events.map((event) => ({ ...event, id: newId() })),
  );
}

export const publishWebhook = (tx: Db, event: NewWorkspaceEvent): Promise<void> => publishWebhooks(tx, [event]);
