import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface SecurityEventRow {
  id: string;
  at: Date;
  actorType: string;
  actorId: string | null;
  actorEmail: string | null;
  ip: string | null;
  action: string;
  targetType: string | null;
  targetId: string | null;
  details: Record<string, unknown>;
}

/** null: now, by the clock of the database. */
type At = { at: Date | null };

export type NewSecurityEvent = Omit<SecurityEventRow, 'at'> & At & { workspaceId: string };

export async function insertSecurityEvent(db: Db, event: NewSecurityEvent): Promise<void> {
  await sql`
    insert into security_log (workspace_id, id, at, actor_type, actor_id, actor_email, ip, action, target_type,
                              target_id, details)
    values (${event.workspaceId}, ${event.id}, coalesce(${event.at}, now()), ${event.actorType}, ${event.actorId}, ${event.actorEmail},
            ${event.ip}, ${event.action}, ${event.targetType}, ${event.targetId}, ${JSON.stringify(event.details)}::jsonb)`.execute(
    db,
  );
}

/** One entry in every workspace of a person: what happens to an account concerns all of them. */
export async function insertSecurityEventOfUser(
  db: Db,
  userId: string,
  event: Omit<SecurityEventRow, 'id' | 'at'> & At,
): Promise<void> {
  await sql`
    insert into security_log (workspace_id, id, at, actor_type, actor_id, actor_email, ip, action, target_type,
                              target_id, details)
    select m.workspace_id, ph_uuidv7(), coalesce(${event.at}, now()), ${event.actorType}, ${event.actorId}::uuid, ${event.actorEmail}, ${event.ip},
           ${event.action}, ${event.targetType}, ${event.targetId}, ${JSON.stringify(event.details)}::jsonb
      from members m where m.user_id = ${userId}`.execute(db);
}

export async function pageSecurityEvents(
  db: Db,
  workspaceId: string,
  filter: { action: string | null; limit: number; offset: number; after: string | null },
): Promise<SecurityEventRow[]> {
  const { rows } = await sql<SecurityEventRow>`
    select id, at, actor_type as "actorType", actor_id as "actorId", actor_email as "actorEmail", ip, action,
           target_type as "targetType", target_id as "targetId", details
      from security_log
     where workspace_id = ${workspaceId} and (${filter.action}::text is null or action = ${filter.action})
       and (${filter.after}::uuid is null or id < ${filter.after}::uuid)
     order by id desc limit ${filter.limit + 1} offset ${filter.offset}`.execute(db);
  return rows;
}

/** Counted up to `max` and no further: the log is as long as the workspace is old. */
export async function countSecurityEvents(
  db: Db,
  workspaceId: string,
  action: string | null,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total
      from (select 1 from security_log
             where workspace_id = ${workspaceId} and (${action}::text is null or action = ${action})
             limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

/** A page of every workspace's entries that are older than so many days; 0: that was all. */
export async function deleteOldSecurityEvents(db: Db, days: number, page: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    select ph_forget_security_log(${days}, ${page}) as removed`.execute(db);
  return rows[0]?.removed ?? 0;
}
