import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Counting stops here: of more people the answer says "at least". */
const COUNTED_MAX = 10_000;

const isPendingSince = (before: Date) => sql`
  s.status = 'pending' and s.created_at < ${before} and s.confirmation_count < 2
    and (s.confirmation_sent_at is null or s.confirmation_sent_at < ${before})`;

export interface Reminder {
  workspaceId: string;
  newsletterId: string;
  askedBefore: Date;
  sandbox: boolean;
  /** As the database writes it, with all its digits. */
  afterCreatedAt: string | null;
  afterId: string | null;
}

/** A reminder that is under way begins again from the oldest subscriber, for those that the new call names. */
export async function startReminder(
  db: Db,
  given: { workspaceId: string; newsletterId: string; before: Date; sandbox: boolean },
): Promise<void> {
  await sql`
    insert into newsletter_reminders (workspace_id, newsletter_id, asked_before, sandbox)
    values (${given.workspaceId}, ${given.newsletterId}, ${given.before}, ${given.sandbox})
    on conflict (workspace_id, newsletter_id) do update set asked_before = excluded.asked_before,
      sandbox = excluded.sandbox, after_created_at = null, after_id = null`.execute(db);
}

/** How many pending subscribers were asked at most once and not since `before`, counted up to 10,000. */
export async function countToRemind(
  db: Db,
  newsletter: { workspaceId: string; newsletterId: string },
  before: Date,
): Promise<{ count: number; isEstimate: boolean }> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from subscribers s
       where s.workspace_id = ${newsletter.workspaceId} and s.newsletter_id = ${newsletter.newsletterId}
         and ${isPendingSince(before)}
       limit ${COUNTED_MAX + 1}) as bounded`.execute(db);
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, COUNTED_MAX), isEstimate: count > COUNTED_MAX };
}

/** The reminder that has waited longest, for this second: no other process gets one in it. */
export async function claimReminder(db: Db): Promise<Reminder | undefined> {
  const { rows } = await sql<Reminder>`
    -- every workspace: the rate is one for all
    update newsletter_reminders set due_at = now() + interval '1 second'
     where (workspace_id, newsletter_id) = (
       select r.workspace_id, r.newsletter_id from newsletter_reminders r
        where r.due_at <= now()
          and not exists (
            select from newsletter_reminders o where o.due_at > now() and o.due_at <= now() + interval '1 second')
        order by r.due_at limit 1 for update skip locked)
    returning workspace_id as "workspaceId", newsletter_id as "newsletterId", asked_before as "askedBefore", sandbox,
      after_created_at::text as "afterCreatedAt", after_id as "afterId"`.execute(db);
  return rows[0];
}

export interface RemindedPerson {
  id: string;
  createdAt: string;
}

/** The next people of a reminder, oldest first. */
export async function listToRemind(db: Db, reminder: Reminder, limit: number): Promise<RemindedPerson[]> {
  const after =
    reminder.afterId === null
      ? sql``
      : sql`and (s.created_at, s.id) > (${reminder.afterCreatedAt}::timestamptz, ${reminder.afterId}::uuid)`;
  const { rows } = await sql<RemindedPerson>`
    select s.id, s.created_at::text as "createdAt" from subscribers s
     where s.workspace_id = ${reminder.workspaceId} and s.newsletter_id = ${reminder.newsletterId}
       and ${isPendingSince(reminder.askedBefore)} ${after}
     order by s.created_at, s.id limit ${limit}`.execute(db);
  return rows;
}

/** The last subscriber who was reminded or skipped. A reminder that was begun anew meanwhile keeps its place. */
export async function noteReminded(db: Db, reminder: Reminder, last: RemindedPerson): Promise<void> {
  await sql`
    update newsletter_reminders set after_created_at = ${last.createdAt}::timestamptz, after_id = ${last.id}
     where workspace_id = ${reminder.workspaceId} and newsletter_id = ${reminder.newsletterId}
       and asked_before = ${reminder.askedBefore}`.execute(db);
}

export async function postponeReminder(db: Db, reminder: Reminder, seconds: number): Promise<void> {
  await sql`
    update newsletter_reminders set due_at = now() + ${seconds} * interval '1 second'
     where workspace_id = ${reminder.workspaceId} and newsletter_id = ${reminder.newsletterId}`.execute(db);
}

export async function endReminder(db: Db, reminder: Reminder): Promise<void> {
  await sql`
    delete from newsletter_reminders
     where workspace_id = ${reminder.workspaceId} and newsletter_id = ${reminder.newsletterId}
       and asked_before = ${reminder.askedBefore}`.execute(db);
}
