import { type RawBuilder, sql } from 'kysely';
import { recipientsOfContacts, withZones } from '#features/contacts';
import { recipientsOfSubscribers } from '#features/newsletters';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';
import type { Broadcast } from '../broadcast.ts';
import type { LocalStarts } from './local-starts.ts';

/**
 * Writes whom a broadcast goes to, in one statement and so in one snapshot. Returns how many have not left, in each
 * part: by the zones of their contacts, when it is sent at a local time.
 */
export async function insertRecipients(
  tx: Db,
  { workspaceId, id }: Pick<Broadcast, 'workspaceId' | 'id'>,
  { people, zones }: { people: RawBuilder<unknown>; zones: LocalStarts | null },
): Promise<{ part: number | null; recipients: number }[]> {
  const { rows } = await sql<{ part: number | null; recipients: number }>`
    with chosen as materialized (${zones === null ? sql`select p.*, null::smallint as part from (${people}) p` : inParts(workspaceId, people, zones)}),
    written as (
      insert into broadcast_recipients (workspace_id, broadcast_id, recipient, contact_id, part)
      select ${workspaceId}, ${id}, c.email, c.recipient_id, c.part from chosen c order by c.email
      on conflict do nothing
    )
    select part, (count(*) filter (where not has_left))::integer as recipients from chosen
     group by part order by part`.execute(tx);
  return rows;
}

const inParts = (workspaceId: string, people: RawBuilder<unknown>, { partOfZone, partOfOthers }: LocalStarts) => sql`
  select z.recipient_id, z.email, z.has_left, coalesce(k.part, ${partOfOthers}::smallint) as part
    from (${withZones(workspaceId, people)}) z
    left join unnest(${[...partOfZone.keys()]}::text[], ${[...partOfZone.values()]}::smallint[]) as k (zone, part)
      on k.zone = z.zone`;

/** Of one part, when the send has parts: by an index of its own. */
const ofPart = (part: number | null): RawBuilder<unknown> =>
  part === null ? sql`true` : sql`r.part = ${part}::smallint`;

/** The next of them for the engine. It asks again who has left, since each page is a transaction of its own. */
export const pageOfRecipients = (
  { workspaceId, audienceId: broadcastId, part }: { workspaceId: string; audienceId: string; part: number | null },
  after: string | null,
  limit: number,
): RawBuilder<unknown> =>
  recipientsOfContacts(
    workspaceId,
    sql`select r.recipient, r.contact_id, b.audience -> 'contactIds' ? r.contact_id::text as is_named,
               array(select jsonb_array_elements_text(b.audience -> 'listIds')::uuid) as list_ids
          from broadcasts b
          join broadcast_recipients r on r.workspace_id = b.workspace_id and r.broadcast_id = b.id
         where b.workspace_id = ${workspaceId} and b.id = ${broadcastId} and ${ofPart(part)}
           and ${after === null ? sql`true` : sql`r.recipient > ${after}`}
         order by r.workspace_id, r.broadcast_id, r.recipient limit ${limit}`,
  );

/** The same of a broadcast to a newsletter, whose send names the newsletter as its audience. */
export const pageOfSubscribers = (
  { workspaceId, sendId, part }: { workspaceId: string; sendId: string; part: number | null },
  after: string | null,
  limit: number,
): RawBuilder<unknown> =>
  recipientsOfSubscribers(
    workspaceId,
    sql`select r.recipient, r.contact_id as recipient_id
          from broadcasts b
          join broadcast_recipients r on r.workspace_id = b.workspace_id and r.broadcast_id = b.id
         where b.workspace_id = ${workspaceId} and b.send_id = ${sendId} and ${ofPart(part)}
           and ${after === null ? sql`true` : sql`r.recipient > ${after}`}
         order by r.workspace_id, r.broadcast_id, r.recipient limit ${limit}`,
  );

export interface Frozen {
  workspaceId: string;
  broadcastId: string;
  /** It is still being sent. */
  isNeeded: boolean;
}

/** The next broadcast that has recipients here: one step of the primary key, however many each has. */
export async function nextWithRecipients(db: Db, after: Frozen | null): Promise<Frozen | undefined> {
  const { rows } = await sql<Frozen>`
    select r.workspace_id as "workspaceId", r.broadcast_id as "broadcastId",
           exists (select from broadcasts b
                    where b.workspace_id = r.workspace_id and b.id = r.broadcast_id and b.status = 'sending') as "isNeeded"
      from broadcast_recipients r
     where ${
       after === null
         ? sql`true`
         : sql`(r.workspace_id, r.broadcast_id) > (${after.workspaceId}::uuid, ${after.broadcastId}::uuid)`
     } -- every workspace: one service forgets for all
     order by r.workspace_id, r.broadcast_id limit 1`.execute(db);
  return rows[0];
}

/** Removes a page of the recipients of one broadcast. Returns how many it found. */
export const deleteRecipients = (
  db: Db,
  { workspaceId, broadcastId }: Pick<Frozen, 'workspaceId' | 'broadcastId'>,
  limit: number,
): Promise<number> =>
  removePage(
    db,
    sql`
      select r.recipient from broadcast_recipients r
       where r.workspace_id = ${workspaceId} and r.broadcast_id = ${broadcastId}
       order by r.recipient limit ${limit}`,
    sql`
      delete from broadcast_recipients
       where workspace_id = ${workspaceId} and broadcast_id = ${broadcastId} and recipient in (select recipient from page)`,
  );
