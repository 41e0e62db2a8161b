import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { NAMES_KEPT, TIMES_KEPT } from './event-limits.ts';

/** An event of the caller's own about a person. */
export interface ReportedEvent {
  workspaceId: string;
  /** The identity of the address. */
  email: string;
  name: string;
  at: Date;
}

interface ContactKey {
  workspaceId: string;
  contactId: string;
}

/** Counts events of contacts. Returns the contacts that have one of a name for the first time. */
export async function upsertEvents(tx: Db, events: readonly ReportedEvent[]): Promise<ContactKey[]> {
  const { rows } = await sql<ContactKey & { isNew: boolean }>`
    with told as materialized (
      select t."workspaceId" as workspace_id, t.email, t.name, t.at
        from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
          as t ("workspaceId" uuid, email text, name text, at timestamptz)
    ), held as materialized (
      -- A contact that is deleted now is passed over: without the lock, the foreign key would refuse the whole page.
      select c.workspace_id, c.id, c.email from contacts c
       where (c.workspace_id, c.email) in (select workspace_id, email from told)
       order by c.workspace_id, c.id for key share
    )
    insert into contact_events as e (workspace_id, contact_id, name, count, times)
    select h.workspace_id, h.id, t.name, count(*), (array_agg(t.at order by t.at desc))[1:${TIMES_KEPT}]
      from held h join told t on t.workspace_id = h.workspace_id and t.email = h.email
     group by h.workspace_id, h.id, t.name
     order by h.workspace_id, h.id, t.name
    on conflict (workspace_id, contact_id, name) do update
      set count = e.count + excluded.count, times = (excluded.times || e.times)[1:${TIMES_KEPT}]
    returning e.workspace_id as "workspaceId", e.contact_id as "contactId", e.xmax::text = '0' as "isNew"`.execute(tx);
  return rows.filter(({ isNew }) => isNew);
}

/** Keeps the newest names of these contacts. */
export async function deleteOldestNames(tx: Db, contacts: readonly ContactKey[]): Promise<void> {
  await sql`
    delete from contact_events e
     using (select o.workspace_id, o.contact_id, o.name,
                   row_number() over (partition by o.workspace_id, o.contact_id order by o.times[1] desc, o.name) as place
              from contact_events o
             where (o.workspace_id, o.contact_id) in (
                     select * from unnest(${contacts.map((one) => one.workspaceId)}::uuid[],
                                          ${contacts.map((one) => one.contactId)}::uuid[]))) ranked
     where ranked.place > ${NAMES_KEPT} and e.workspace_id = ranked.workspace_id
       and e.contact_id = ranked.contact_id and e.name = ranked.name`.execute(tx);
}
