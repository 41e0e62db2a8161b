import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface TouchedEmail {
  workspaceId: string;
  emailId: string;
  /** The oldest event of this round: when the email left us, if the engine could not record it. */
  firstAt: Date;
  /** The provider's id of the message, if an event of this round has it: an answer that never came had it too. */
  providerMessageId: string | null;
  /** One of this round says that the provider took it and then rejected it. */
  isRejected: boolean;
  /** Events of this round that were not known before, those of machines apart. */
  newOpens: number;
  newClicks: number;
  newMachineOpens: number;
  newMachineClicks: number;
}

/**
 * Brings emails to the state that all their events together mean. The state is a function of the set of events and
 * never of their order, so repeats and late arrivals cannot move it backwards. Highest first: complained, permanent
 * bounce (also after a delivery), failed or rejected, delivered, other bounce, delayed, sent.
 *
 * Whatever the event, it proves that the provider has the message: an unconfirmed email is settled by it, and one
 * that waits to be sent a second time leaves the queue.
 */
export async function settleByEvents(db: Db, touched: readonly TouchedEmail[]): Promise<void> {
  const input = JSON.stringify(
    touched.map((email) => ({
      workspace_id: email.workspaceId,
      email_id: email.emailId,
      first_at: email.firstAt,
      new_opens: email.newOpens,
      new_clicks: email.newClicks,
      new_machine_opens: email.newMachineOpens,
      new_machine_clicks: email.newMachineClicks,
      provider_message_id: email.providerMessageId,
      is_rejected: email.isRejected,
    })),
  );
  await sql`
    with touched as (
      select * from jsonb_to_recordset(${input}::jsonb) as input (workspace_id uuid, email_id uuid,
        first_at timestamptz, new_opens integer, new_clicks integer, new_machine_opens integer,
        new_machine_clicks integer, provider_message_id text, is_rejected boolean)
    ),
    facts as (
      select t.workspace_id, t.email_id,
             coalesce(bool_or(v.type = 'complaint'), false) as complained,
             coalesce(bool_or(v.type = 'bounce' and v.event_data -> 'bounce' ->> 'bounceType' = 'Permanent'), false) as bounced,
             coalesce(bool_or(v.type = 'delivery'), false) as delivered,
             coalesce(bool_or(v.type = 'bounce'), false) as returned,
             coalesce(bool_or(v.type = 'delivery_delay'), false) as delayed,
             min(v.at) filter (where v.type = 'delivery') as delivered_at,
             coalesce(
               min(v.at) filter (where v.type = 'bounce' and v.event_data -> 'bounce' ->> 'bounceType' = 'Permanent'),
               min(v.at) filter (where v.type = 'bounce')) as bounced_at,
             min(v.at) filter (where v.type = 'complaint') as complained_at,
             min(v.at) filter (where v.type = 'delivery_delay') as first_delayed_at,
             min(coalesce(v.event_data #>> '{reject,message}', v.event_data #>> '{reject,reason}'))
               filter (where v.type = 'reject') as rejection,
             min(v.at) filter (where v.type = 'open' and not coalesce((v.event_data -> 'open' -> 'is_bot')::boolean, false))
               as first_opened_at,
             min(v.at) filter (where v.type = 'open' and (v.event_data -> 'open' -> 'is_bot')::boolean)
               as first_machine_opened_at,
             min(v.at) filter (where v.type = 'click' and not coalesce((v.event_data -> 'click' -> 'is_bot')::boolean, false))
               as first_clicked_at,
             max(v.at) as last_event_at
        from touched t
        left join email_events v on v.workspace_id = t.workspace_id and v.email_id = t.email_id
       group by t.workspace_id, t.email_id
    )
    update emails e
       set status = case
             when f.complained then 'complained'
             when f.bounced then 'bounced'
             -- An earlier round's rejection shows in the status. Events do not tell: a refusal of one address of a
             -- grouped message is recorded as one, too.
             when t.is_rejected or e.status = 'failed' then 'failed'
             when f.delivered then 'delivered'
             when f.returned then 'bounced'
             when f.delayed then 'delivery_delayed'
             else 'sent' end,
           error = case
             when (t.is_rejected or e.status = 'failed') and not f.complained and not f.bounced
               then coalesce(e.error, f.rejection)
             else e.error end,
           -- The provider's clock is not ours, and its answer came after the delivery began: nothing arrives unsent.
           sent_at = greatest(e.handoff_at, least(coalesce(e.sent_at, e.handoff_at, t.first_at), f.delivered_at)),
           delivered_at = least(e.delivered_at, f.delivered_at),
           bounced_at = f.bounced_at,
           bounced_permanently = case when f.bounced_at is not null then f.bounced end,
           complained_at = f.complained_at,
           first_delayed_at = least(e.first_delayed_at, f.first_delayed_at),
           first_opened_at = least(e.first_opened_at, f.first_opened_at),
           first_machine_opened_at = least(e.first_machine_opened_at, f.first_machine_opened_at),
           first_clicked_at = least(e.first_clicked_at, f.first_clicked_at),
           last_event_at = greatest(e.last_event_at, f.last_event_at),
           open_count = e.open_count + t.new_opens,
           click_count = e.click_count + t.new_clicks,
           machine_open_count = e.machine_open_count + t.new_machine_opens,
           machine_click_count = e.machine_click_count + t.new_machine_clicks,
           provider_message_id = coalesce(e.provider_message_id, t.provider_message_id),
           unconfirmed_at = null, not_before = null, lease_token = null, lease_until = null
      from facts f
      join touched t on t.workspace_id = f.workspace_id and t.email_id = f.email_id
     where e.workspace_id = f.workspace_id and e.id = f.email_id`.execute(db);
}
