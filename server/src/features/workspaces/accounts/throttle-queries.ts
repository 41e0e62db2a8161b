import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Adds one to a count, starting a new window when the last is over. */
export async function countAttempt(
  db: Db,
  subject: Buffer,
  now: Date,
  resetsAt: Date,
): Promise<{ attempts: number; resetsAt: Date }> {
  const { rows } = await sql<{ attempts: number; resetsAt: Date }>`
    insert into sign_in_attempts as counted (subject, attempts, resets_at)
    values (${subject}, 1, ${resetsAt})
    on conflict (subject) do update
       set attempts = case when counted.resets_at <= ${now} then 1 else counted.attempts + 1 end,
           resets_at = case when counted.resets_at <= ${now} then excluded.resets_at else counted.resets_at end
    returning attempts, resets_at as "resetsAt"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an upsert returned no row');
  return row;
}

export async function forgetAttempts(db: Db, subject: Buffer): Promise<void> {
  await sql`delete from sign_in_attempts where subject = ${subject}`.execute(db);
}

export async function giveBackAttempt(db: Db, subject: Buffer): Promise<void> {
  await sql`update sign_in_attempts set attempts = greatest(attempts - 1, 0) where subject = ${subject}`.execute(db);
}
