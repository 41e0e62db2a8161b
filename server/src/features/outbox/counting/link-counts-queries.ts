import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Tally } from '#platform/tally/tally.ts';

/** The most links of a send: a click is counted by the place of its link, which is a smallint. */
export const LINKS_MAX = 30_000;

/** Clicks of bulk sends by link. */
export const linkTally: Tally = {
  table: sql`link_counts`,
  key: sql`send_id, link`,
  columns: sql`clicks, clicked, clicks_machine, clicked_machine`,
  sums: sql`sum(clicks), sum(clicked), sum(clicks_machine), sum(clicked_machine)`,
};

/** Clicks of people and of machines, and in how many emails each were. */
export interface LinkCounts {
  clicks: number;
  clicked: number;
  clicksMachine: number;
  clickedMachine: number;
}

interface OfSend {
  workspaceId: string;
  sendId: string;
}

/** A click that was counted, or one of the same email from before. */
export interface EmailClick extends OfSend {
  id: string;
  emailId: string;
  link: string;
  isMachine: boolean;
}

export async function insertLinks(tx: Db, { workspaceId, sendId }: OfSend, links: readonly string[]): Promise<void> {
  await sql`
    insert into send_links (workspace_id, send_id, links)
    values (${workspaceId}, ${sendId}, ${JSON.stringify(links)}::jsonb)`.execute(tx);
}

/** Links of a later version, behind those that are there. */
export async function lengthenLinks(tx: Db, { workspaceId, sendId }: OfSend, links: readonly string[]): Promise<void> {
  await sql`
    update send_links set links = links || ${JSON.stringify(links)}::jsonb
     where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(tx);
}

/** All clicks of these emails that are stored, as far as they are of sends whose links are known. */
export async function clicksOfEmails(
  db: Db,
  emails: readonly { workspaceId: string; emailId: string }[],
): Promise<EmailClick[]> {
  const { rows } = await sql<EmailClick>`
    select v.id, e.workspace_id as "workspaceId", e.send_id as "sendId", e.id as "emailId",
           coalesce(v.event_data -> 'click' ->> 'link', '') as link,
           coalesce((v.event_data -> 'click' -> 'is_bot')::boolean, false) as "isMachine"
      from unnest(${emails.map((one) => one.workspaceId)}::uuid[], ${emails.map((one) => one.emailId)}::uuid[])
             as a (workspace_id, email_id)
      join emails e on e.workspace_id = a.workspace_id and e.id = a.email_id
      join send_links l on l.workspace_id = e.workspace_id and l.send_id = e.send_id
      join email_events v on v.workspace_id = e.workspace_id and v.email_id = e.id and v.type = 'click'`.execute(db);
  return rows;
}

/** The links of these sends, each once. */
export async function linksOfSends(
  db: Db,
  sends: readonly OfSend[],
): Promise<(OfSend & { links: string[]; countedSince: Date })[]> {
  const { rows } = await sql<OfSend & { links: string[]; countedSince: Date }>`
    select l.workspace_id as "workspaceId", l.send_id as "sendId", l.links, l.created_at as "countedSince"
      from (select distinct * from unnest(${sends.map((one) => one.workspaceId)}::uuid[],
                                          ${sends.map((one) => one.sendId)}::uuid[]) as a (workspace_id, send_id)) a
      join send_links l on l.workspace_id = a.workspace_id and l.send_id = a.send_id`.execute(db);
  return rows;
}

/** A row for each send and link. */
export async function insertLinkCounts(
  tx: Db,
  changes: readonly (OfSend & LinkCounts & { place: number })[],
): Promise<void> {
  const input = changes.map(({ workspaceId, sendId, place, clicksMachine, clickedMachine, ...counts }) => ({
    workspace_id: workspaceId,
    send_id: sendId,
    link: place,
    ...counts,
    clicks_machine: clicksMachine,
    clicked_machine: clickedMachine,
  }));
  await sql`
    insert into link_counts (workspace_id, send_id, link, clicks, clicked, clicks_machine, clicked_machine)
    select i.workspace_id, i.send_id, i.link, i.clicks, i.clicked, i.clicks_machine, i.clicked_machine
      from jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as i (workspace_id uuid, send_id uuid, link smallint,
           clicks integer, clicked integer, clicks_machine integer, clicked_machine integer)`.execute(tx);
}

/** The counts of a send's links by their place, those without clicks left out. */
export async function sumLinkCounts(
  db: Db,
  { workspaceId, sendId }: OfSend,
): Promise<(LinkCounts & { place: number })[]> {
  const { rows } = await sql<LinkCounts & { place: number }>`
    select c.link as place, sum(c.clicks)::integer as clicks, sum(c.clicked)::integer as clicked,
           sum(c.clicks_machine)::integer as "clicksMachine", sum(c.clicked_machine)::integer as "clickedMachine"
      from link_counts c where c.workspace_id = ${workspaceId} and c.send_id = ${sendId} group by c.link`.execute(db);
  return rows;
}
