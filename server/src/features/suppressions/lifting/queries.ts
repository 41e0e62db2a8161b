import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** The provider is to take this address off its list, too. */
export async function askForLift(tx: Db, workspaceId: string, email: string): Promise<void> {
  await sql`
    insert into suppression_lifts (workspace_id, email) values (${workspaceId}, ${email})
    on conflict (workspace_id, email) do update set asked_at = now(), tries = 0, next_try_at = now()`.execute(tx);
}

export interface Lift {
  workspaceId: string;
  email: string;
  tries: number;
  /** It was asked for longer ago than it is tried. */
  isLastTry: boolean;
}

/** Takes lifts that are due, for a minute. */
export async function claimLifts(db: Db, { max, tryDays }: { max: number; tryDays: number }): Promise<Lift[]> {
  const { rows } = await sql<Lift>`
    -- every workspace: the account is one
    with due as materialized (
      select workspace_id, email from suppression_lifts
       where next_try_at <= now() order by next_try_at limit ${max} for update skip locked
    )
    update suppression_lifts l set tries = l.tries + 1, next_try_at = now() + interval '1 minute'
      from due d where l.workspace_id = d.workspace_id and l.email = d.email
    returning l.workspace_id as "workspaceId", l.email, l.tries,
              l.asked_at < now() - make_interval(days => ${tryDays}) as "isLastTry"`.execute(db);
  return rows;
}

/** A lift that was asked for again meanwhile stays. */
export async function deleteLift(db: Db, { workspaceId, email, tries }: Lift): Promise<void> {
  await sql`
    delete from suppression_lifts
     where workspace_id = ${workspaceId} and email = ${email} and tries = ${tries}`.execute(db);
}

export async function postponeLift(db: Db, { workspaceId, email, tries }: Lift, seconds: number): Promise<void> {
  await sql`
    update suppression_lifts set next_try_at = now() + make_interval(secs => ${seconds})
     where workspace_id = ${workspaceId} and email = ${email} and tries = ${tries}`.execute(db);
}
