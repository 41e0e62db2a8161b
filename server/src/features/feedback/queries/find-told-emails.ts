import { type RawBuilder, sql } from 'kysely';
import type { StoredMailbox } from '#mail/addresses/stored-mailbox.ts';
import type { Db } from '#platform/db/database.ts';
import type { ToldEvent } from '../notifications/notification.ts';

/** The email that an event is about. */
export interface ToldEmail {
  /** Place of the event among those asked about. */
  place: number;
  workspaceId: string;
  emailId: string;
  recipient: string;
  grouped: { to: StoredMailbox[]; cc: StoredMailbox[]; bcc: StoredMailbox[] } | null;
  /** People's and machines'. */
  opens: number;
  clicks: number;
}

/**
 * Looks up the emails of many events at once. An event fits when its message is the one that left: once the provider
 * has given an email a number, another number is another message, unless it may have been handed over twice.
 */
export async function findToldEmails(db: Db, events: readonly ToldEvent[]): Promise<ToldEmail[]> {
  if (events.length === 0) return [];
  return (await toldEmails(events).execute(db)).rows;
}

/** The statement by itself, whose plan a test looks at. */
export function toldEmails(events: readonly ToldEvent[]): RawBuilder<ToldEmail> {
  const asked = events.map((event, place) => ({
    place,
    workspace_id: event.workspaceId,
    email_id: event.emailId,
    message_id: event.providerMessageId,
  }));
  return sql<ToldEmail>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as a (place integer, workspace_id uuid, email_id uuid, message_id text)
    )
    select a.place, e.workspace_id as "workspaceId", e.id as "emailId", e.recipient,
           e.grouped, e.open_count + e.machine_open_count as opens, e.click_count + e.machine_click_count as clicks
      from asked a
      join emails e on e.workspace_id = a.workspace_id and e.id = a.email_id
     where a.message_id is null or e.provider_message_id is null or e.provider_message_id = a.message_id
        or exists (select from email_attempts t where t.workspace_id = e.workspace_id and t.email_id = e.id
                      and t.outcome in ('unconfirmed', 'resent'))
     union all
    -- every workspace: an older kind of notification names the email only by the provider's number
    select a.place, e.workspace_id, e.id, e.recipient, e.grouped, e.open_count + e.machine_open_count,
           e.click_count + e.machine_click_count
      from asked a
      join emails e on e.provider_message_id = a.message_id
     where a.email_id is null`;
}
