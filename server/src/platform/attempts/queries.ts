import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Adds so many to a count, starting a new window when the last is over. */
export async function countSome(
  db: Db,
  subject: Buffer,
  some: number,
  { now, resetsAt }: { now: Date; resetsAt: Date },
): Promise<{ attempts: number; resetsAt: Date }> {
  const { rows } = await sql<{ attempts: number; resetsAt: Date }>`
    insert into attempt_counts as counted (subject, attempts, resets_at)
    values (${subject}, ${some}::integer, ${resetsAt})
    on conflict (subject) do update
       set attempts = case when counted.resets_at <= ${now} then excluded.attempts
                           else least(counted.attempts, 2000000000) + excluded.attempts end,
           resets_at = case when counted.resets_at <= ${now} then excluded.resets_at else counted.resets_at end
    returning attempts, resets_at as "resetsAt"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an upsert returned no row');
  return row;
}

export async function deleteCount(db: Db, subject: Buffer): Promise<void> {
  await sql`delete from attempt_counts where subject = ${subject}`.execute(db);
}

export async function takeOneOff(db: Db, subject: Buffer): Promise<void> {
  await sql`update attempt_counts set attempts = greatest(attempts - 1, 0) where subject = ${subject}`.execute(db);
}

/** How many were deleted. Rows that somebody counts just now are left to the next time. */
export async function deletePastCounts(db: Db, now: Date, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from attempt_counts where subject in (
      select subject from attempt_counts where resets_at < ${now} limit ${max} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
