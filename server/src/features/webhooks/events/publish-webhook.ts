import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { WorkspaceEventType } from '../catalogue.ts';
import { insertWorkspaceEvents } from './publish-queries.ts';

/** Something that happened in a workspace and belongs to no email. */
export interface NewWorkspaceEvent {
  workspaceId: string;
  type: WorkspaceEventType;
  /** The `event_data` that receivers read. */
  data: Readonly<Record<string, unknown>>;
  /** Which newsletter (domain) it is about: endpoints that are limited to others are not told. */
  newsletterId?: string;
  domainId?: string;
  /** When it happened; now when left out. */
  at?: Date;
}

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
