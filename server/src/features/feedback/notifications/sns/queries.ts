import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface TopicNews {
  state: 'confirmed' | 'unsubscribed' | 'failed';
  note: string | null;
}

/** The current state of a subscription. A failed confirmation does not undo an earlier one. */
export async function upsertTopic(db: Db, arn: string, { state, note }: TopicNews): Promise<void> {
  await sql`
    insert into sns_topics (arn, state, note, confirmed_at)
    values (${arn}, ${state}, ${note}, case when ${state} = 'confirmed' then clock_timestamp() end)
    on conflict (arn) do update
       set state = case when excluded.state = 'failed' and sns_topics.state = 'confirmed' then 'confirmed'
                        else excluded.state end,
           note = excluded.note,
           confirmed_at = coalesce(excluded.confirmed_at, sns_topics.confirmed_at),
           updated_at = clock_timestamp()`.execute(db);
}

/** A topic that speaks has a subscription, whoever confirmed it. */
export async function markTopicHeard(db: Db, arn: string): Promise<void> {
  await sql`
    insert into sns_topics (arn, state, last_message_at)
    values (${arn}, 'confirmed', clock_timestamp())
    on conflict (arn) do update
       set state = 'confirmed', note = null, last_message_at = clock_timestamp(), updated_at = clock_timestamp()
     where sns_topics.state <> 'unsubscribed' or sns_topics.updated_at < clock_timestamp() - interval '1 minute'`.execute(
    db,
  );
}
