import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export async function notify(db: Db, channel: string, payload = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
}

/**
 * The round of this hour. Undefined: another process has it, or did it. A round that lies further ahead was put there
 * by a clock that was set forward. The minute is for a statement that began before the one it waited for.
 */
export async function claimRound(db: Db, name: string): Promise<{ through: Date } | undefined> {
  const { rows } = await sql<{ through: Date }>`
    insert into rounds as r (name, next_at) values (${name}, now() + interval '1 hour')
    on conflict (name) do update set next_at = excluded.next_at
      where r.next_at <= now() or r.next_at > now() + interval '61 minutes'
    returning through`.execute(db);
  return rows[0];
}

/** Up to which moment the rounds of this name are done. */
export async function noteThrough(db: Db, name: string, through: Date): Promise<void> {
  await sql`update rounds set through = ${through} where name = ${name}`.execute(db);
}
