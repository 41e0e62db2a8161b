import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { hasText } from '#platform/db/like-pattern.ts';
import { type Kind, listWanted, type RecordRow } from './queries.ts';

/** Names are compared in the newest of each kind, so that a search costs the same in every workspace. */
const NEWEST = 1_000;
/** Of each kind: more than are shown, since a caller may not know of some. */
const FOUND_MAX = 50;

/** The ids of the records of a kind that a text finds. */
type Ids = (workspaceId: string, text: string) => RawBuilder<unknown>;

/** The ids of those rows that have the text in their names, whatever the case. */
const named =
  (rows: (workspaceId: string) => RawBuilder<unknown>): Ids =>
  (workspaceId, text) =>
    sql`
    select n.id
      from (select m.id, m.name from (${rows(workspaceId)}) as m (id, name) order by m.id desc limit ${NEWEST}) n
     where ${hasText(sql`n.name`, text)}
     order by n.id desc limit ${FOUND_MAX}`;

/** The kinds that have names, without the rows that have no page, in the order of an answer. */
export const BY_NAME: ReadonlyMap<Kind, Ids> = new Map<Kind, Ids>([
  ['newsletter', named((workspaceId) => sql`select id, name from newsletters where workspace_id = ${workspaceId}`)],
  ['issue', named((workspaceId) => sql`select id, subject from issues where workspace_id = ${workspaceId}`)],
  [
    'broadcast',
    named(
      (workspaceId) =>
        sql`select id, concat_ws(e'\n', name, subject) from broadcasts where workspace_id = ${workspaceId}`,
    ),
  ],
  [
    'scheduled_email',
    named(
      (workspaceId) => sql`select id, body ->> 'subject' from scheduled_emails where workspace_id = ${workspaceId}`,
    ),
  ],
  [
    'inbound_email',
    named((workspaceId) => sql`select id, subject from inbound_emails where workspace_id = ${workspaceId}`),
  ],
  [
    'template',
    named(
      (workspaceId) => sql`select id, concat_ws(e'\n', name, alias) from templates where workspace_id = ${workspaceId}`,
    ),
  ],
  ['list', named((workspaceId) => sql`select id, name from contact_lists where workspace_id = ${workspaceId}`)],
  ['segment', named((workspaceId) => sql`select id, name from contact_segments where workspace_id = ${workspaceId}`)],
  [
    'automation',
    named(
      (workspaceId) => sql`
        select id, name from automations where workspace_id = ${workspaceId} and deleted_at is null`,
    ),
  ],
  [
    'webhook',
    named(
      (workspaceId) => sql`
        select id, url from webhooks where workspace_id = ${workspaceId} and forwards_domain_id is null`,
    ),
  ],
  ['domain', named((workspaceId) => sql`select id, domain from domains where workspace_id = ${workspaceId}`)],
  ['api_key', named((workspaceId) => sql`select id, name from api_keys where workspace_id = ${workspaceId}`)],
]);

/** The kinds that have addresses, each by an index of its table. The text is an address in its stored form. */
export const BY_ADDRESS: ReadonlyMap<Kind, Ids> = new Map<Kind, Ids>([
  [
    'contact',
    (workspaceId, address) => sql`select id from contacts where workspace_id = ${workspaceId} and email = ${address}`,
  ],
  [
    'subscriber',
    (workspaceId, address) => sql`
      select id from subscribers where workspace_id = ${workspaceId} and email = ${address}
       order by id desc limit ${FOUND_MAX}`,
  ],
  [
    'suppression',
    (workspaceId, address) => sql`
      select id from suppressions where workspace_id = ${workspaceId} and email = ${address}`,
  ],
]);

/**
 * The records of these kinds that the text finds: by kind in the order of the map, and the newest of each first. An
 * array is made once; a planner without statistics ran the select behind `in` again for each row of the table.
 */
export const listFound = (
  db: Db,
  workspaceId: string,
  { text, kinds, by }: { text: string; kinds: readonly Kind[]; by: ReadonlyMap<Kind, Ids> },
): Promise<RecordRow[]> =>
  listWanted(
    db,
    workspaceId,
    [...by]
      .filter(([kind]) => kinds.includes(kind))
      .map(([kind, idsOf]) => ({ kind, wanted: sql`= any (array(${idsOf(workspaceId, text)}))` })),
  );
