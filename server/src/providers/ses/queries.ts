import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SesAccountReading } from './account.ts';

export async function saveAccount(db: Db, reading: SesAccountReading): Promise<void> {
  const { maxSendRate, max24HourSend, sentLast24Hours, ...details } = reading;
  await sql`
    insert into provider_accounts (provider, max_send_rate, max_24_hour_send, sent_last_24_hours, details)
    values ('ses', ${maxSendRate}::double precision, ${max24HourSend}::double precision,
      ${sentLast24Hours}::double precision, ${JSON.stringify(details)}::jsonb)
    on conflict (provider) do update set max_send_rate = excluded.max_send_rate,
      max_24_hour_send = excluded.max_24_hour_send, sent_last_24_hours = excluded.sent_last_24_hours,
      details = excluded.details, checked_at = now(), error = null`.execute(db);
}

/** Known values stay; `checked_at` tells how old it is. */
export async function saveAccountFailure(db: Db, error: string): Promise<void> {
  await sql`
    insert into provider_accounts (provider, checked_at, error) values ('ses', 'epoch', ${error})
    on conflict (provider) do update set error = excluded.error`.execute(db);
}

/** The rate that SES told us last, whenever that was; null: never. */
export async function findKnownRate(db: Db): Promise<number | null> {
  const { rows } = await sql<{ rate: number | null }>`
    select max_send_rate as rate from provider_accounts where provider = 'ses'`.execute(db);
  return rows[0]?.rate ?? null;
}
