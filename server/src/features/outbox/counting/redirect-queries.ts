import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

interface OfSend {
  workspaceId: string;
  sendId: string;
}

/** The links of a send, held until the transaction ends. undefined: its clicks are not counted. */
export async function lockLinks(tx: Db, { workspaceId, sendId }: OfSend): Promise<string[] | undefined> {
  const { rows } = await sql<{ links: string[] }>`
    select links from send_links where workspace_id = ${workspaceId} and send_id = ${sendId} for update`.execute(tx);
  return rows[0]?.links;
}

/** A link as its author wrote it, and where it leads: itself when it was led back. */
export interface Redirect {
  link: string;
  target: string;
}

export async function listRedirects(db: Db, { workspaceId, sendId }: OfSend): Promise<Redirect[]> {
  const { rows } = await sql<Redirect>`
    select link, target from link_redirects where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(db);
  return rows;
}

export async function upsertRedirect(
  tx: Db,
  { workspaceId, sendId }: OfSend,
  { link, target }: Redirect,
): Promise<void> {
  await sql`
    insert into link_redirects (workspace_id, send_id, link, target)
    values (${workspaceId}, ${sendId}, ${link}, ${target})
    on conflict (workspace_id, send_id, link) do update set target = excluded.target, changed_at = clock_timestamp()`.execute(
    tx,
  );
}

/** A send with links that lead elsewhere. */
export interface RedirectedSend {
  workspaceId: string;
  /** The last 12 digits of the ids of its contents, as the tokens of its links have them. */
  contentTails: string[];
  links: string[];
  redirects: Redirect[];
  changedAt: Date;
}

/** A send with its contents, to be followed by a condition and a group. */
const REDIRECTED = sql`
  select r.workspace_id as "workspaceId", l.links, max(r.changed_at) as "changedAt",
         jsonb_agg(jsonb_build_object('link', r.link, 'target', r.target)) as redirects,
         (select array_agg(right(c.content_id::text, 12)) from (
            select s.content_id from send_requests s where s.workspace_id = r.workspace_id and s.id = r.send_id
            union all
            select o.content_id from replaced_contents o
             where o.workspace_id = r.workspace_id and o.send_id = r.send_id) c) as "contentTails"
    from link_redirects r
    join send_links l on l.workspace_id = r.workspace_id and l.send_id = r.send_id`;

/**
 * The sends of which a link was redirected after this time, the newest first, each with all its redirects. The limit
 * is one of links.
 */
export async function listRedirectedSends(db: Db, since: Date | null, limit: number): Promise<RedirectedSend[]> {
  const { rows } = await sql<RedirectedSend>`
    with changed as materialized ( -- every workspace: a click is of any
      select distinct n.workspace_id, n.send_id from (
        select workspace_id, send_id from link_redirects
         where ${since}::timestamptz is null or changed_at > ${since}::timestamptz
         order by changed_at desc limit ${limit}) n
    )
    ${REDIRECTED}
      join changed n on n.workspace_id = r.workspace_id and n.send_id = r.send_id
     group by r.workspace_id, r.send_id, l.links
     order by max(r.changed_at) desc`.execute(db);
  return rows.map((row) => ({ ...row, contentTails: row.contentTails ?? [] }));
}

/** The send of a content, when a link of it was redirected. Reads the redirected sends of the workspace. */
export async function findRedirectedSend(
  db: Db,
  { workspaceId, contentTail }: { workspaceId: string; contentTail: string },
): Promise<RedirectedSend | undefined> {
  const { rows } = await sql<RedirectedSend>`
    ${REDIRECTED}
     where r.workspace_id = ${workspaceId} and exists (
       select from send_requests s
        where s.workspace_id = ${workspaceId} and s.id = r.send_id
          and (right(s.content_id::text, 12) = ${contentTail} or exists (
            select from replaced_contents o where o.workspace_id = ${workspaceId} and o.send_id = s.id
               and right(o.content_id::text, 12) = ${contentTail})))
     group by r.workspace_id, r.send_id, l.links limit 1`.execute(db);
  return rows[0] && { ...rows[0], contentTails: rows[0].contentTails ?? [] };
}

/** A version of the content that was made after a redirect is redirected, too. */
export async function touchRedirects(tx: Db, { workspaceId, sendId }: OfSend): Promise<void> {
  await sql`
    update link_redirects set changed_at = clock_timestamp()
     where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(tx);
}
