import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface Hold {
  since: Date;
  /** A code, for those who know what each means. */
  reason: string;
}

/** Undefined: sending goes on. */
export async function findHold(db: Db): Promise<Hold | undefined> {
  const { rows } = await sql<Hold>`
    select held_since as since, coalesce(hold_reason, '') as reason from send_pace where held_since is not null`.execute(
    db,
  );
  return rows[0];
}

/** No process gets a slot from now on. The first reason stays. True: it was not held before. */
export async function beginHold(db: Db, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update send_pace set held_since = clock_timestamp(), hold_reason = ${reason} where held_since is null
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Every process asks for slots again within half a second. Returns the hold that ended. */
export async function endHold(db: Db): Promise<Hold | undefined> {
  const { rows } = await sql<Hold>`
    with before as materialized (
      select held_since as since, coalesce(hold_reason, '') as reason from send_pace
       where held_since is not null for update
    ), ended as (
      update send_pace set held_since = null, hold_reason = null from before
    )
    select since, reason from before`.execute(db);
  return rows[0];
}
