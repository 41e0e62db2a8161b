import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { ENGAGEMENT_MAX } from '../engagement-max.ts';

/** The known facts about one recipient of one email, to be applied. */
export interface NewProviderEvent {
  workspaceId: string;
  emailId: string;
  /** `leave` is no event of the email: a visit to its link to leave, which tells what the clicks beside it are. */
  type: 'send' | 'delivery' | 'bounce' | 'complaint' | 'reject' | 'delivery_delay' | 'open' | 'click' | 'leave';
  /** As the provider wrote it. */
  recipient: string;
  at: Date;
  /** The event_data of our own event. */
  payload: Readonly<Record<string, unknown>>;
  /** The same for every repetition of this event, whoever repeats it; null: each one counts (opens, clicks). */
  semanticKey: string | null;
  /** Of the message, as the provider calls it; null when it did not say. */
  providerMessageId: string | null;
  /** Held back until then. */
  notBefore: Date | null;
}

/**
 * Stores events to be applied; one that is known already, or of a workspace that is gone, is passed over, and so are
 * opens and clicks of an email that has as many as are recorded.
 */
export async function insertProviderEvents(db: Db, events: readonly NewProviderEvent[]): Promise<void> {
  if (events.length === 0) return;
  // In the order of their keys: two that store the same events wait for each other and do not deadlock.
  const sorted = events.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const input = JSON.stringify(
    sorted.map((event) => ({
      workspace_id: event.workspaceId,
      id: newId(),
      email_id: event.emailId,
      type: event.type,
      recipient: event.recipient,
      at: event.at,
      payload: event.payload,
      semantic_key: event.semanticKey,
      provider_message_id: event.providerMessageId,
      not_before: event.notBefore,
    })),
  );
  await sql`
    insert into provider_events (workspace_id, id, email_id, type, recipient, at, payload, semantic_key,
                                 provider_message_id, not_before)
    select i.workspace_id, i.id, i.email_id, i.type, i.recipient, i.at, i.payload, i.semantic_key,
           i.provider_message_id, i.not_before
      from jsonb_to_recordset(${input}::jsonb) as i (workspace_id uuid, id uuid, email_id uuid, type text,
           recipient text, at timestamptz, payload jsonb, semantic_key text, provider_message_id text,
           not_before timestamptz)
      join workspaces w on w.id = i.workspace_id
      left join emails e on e.workspace_id = i.workspace_id and e.id = i.email_id
     where case i.type when 'open' then e.open_count + e.machine_open_count
                       when 'click' then e.click_count + e.machine_click_count
                       else 0 end < ${ENGAGEMENT_MAX} is not false
       for key share of w -- it stays until the commit, so that its purge sees these rows
    on conflict do nothing`.execute(db);
}

const keyOf = (event: NewProviderEvent): string => `${event.workspaceId} ${event.emailId} ${event.semanticKey}`;
