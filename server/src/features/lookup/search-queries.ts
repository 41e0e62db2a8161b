import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { likeAnywhere } from '#platform/db/like-pattern.ts';
import { type Kind, listWanted, type RecordRow } from './queries.ts';

/** Names are compared in the newest of each kind, so that a search costs the same in every workspace. */
const NEWEST = 1_000;
/** Of each kind: more than are shown, since a caller may not know of some. */
const FOUND_MAX = 50;

type Source = (workspaceId: string) => RawBuilder<unknown>;

/** The newest records of each kind that has names, with their names. */
const NAMES = {
  newsletter: (workspaceId) => sql`select id, name from newsletters where workspace_id = ${workspaceId}`,
  issue: (workspaceId) => sql`select id, subject from issues where workspace_id = ${workspaceId}`,
  broadcast: (workspaceId) =>
    sql`select id, concat_ws(e'\n', name, subject) from broadcasts where workspace_id = ${workspaceId}`,
  scheduled_email: (workspaceId) =>
    sql`select id, body ->> 'subject' from scheduled_emails where workspace_id = ${workspaceId}`,
  inbound_email: (workspaceId) => sql`select id, subject from inbound_emails where workspace_id = ${workspaceId}`,
  template: (workspaceId) =>
    sql`select id, concat_ws(e'\n', name, alias) from templates where workspace_id = ${workspaceId}`,
  list: (workspaceId) => sql`select id, name from contact_lists where workspace_id = ${workspaceId}`,
  segment: (workspaceId) => sql`select id, name from contact_segments where workspace_id = ${workspaceId}`,
  automation: (workspaceId) => sql`select id, name from automations where workspace_id = ${workspaceId}`,
  webhook: (workspaceId) => sql`select id, url from webhooks where workspace_id = ${workspaceId}`,
  domain: (workspaceId) => sql`select id, domain from domains where workspace_id = ${workspaceId}`,
  api_key: (workspaceId) => sql`select id, name from api_keys where workspace_id = ${workspaceId}`,
} as const satisfies Partial<Record<Kind, Source>>;

/** The records of an address, by an index of each table. */
const OF_ADDRESS = {
  contact: (workspaceId, address) => sql`
    select id from contacts where workspace_id = ${workspaceId} and email = ${address}`,
  subscriber: (workspaceId, address) => sql`
    select id from subscribers where workspace_id = ${workspaceId} and email = ${address}
     order by id desc limit ${FOUND_MAX}`,
  suppression: (workspaceId, address) => sql`
    select id from suppressions where workspace_id = ${workspaceId} and email = ${address}`,
} as const satisfies Partial<Record<Kind, (workspaceId: string, address: string) => RawBuilder<unknown>>>;

// The keys of an object literal, which has no others.
const NAMED_KINDS = Object.keys(NAMES) as (keyof typeof NAMES)[];
// The same.
const ADDRESSED_KINDS = Object.keys(OF_ADDRESS) as (keyof typeof OF_ADDRESS)[];

/** The newest records of these kinds that have the text in their names, whatever the case. */
export const searchNames = (
  db: Db,
  workspaceId: string,
  { text, kinds }: { text: string; kinds: readonly Kind[] },
): Promise<RecordRow[]> => {
  const wantedOf = (kind: keyof typeof NAMES): RawBuilder<unknown> => sql`in (
    select n.id
      from (select m.id, m.name
              from (${NAMES[kind](workspaceId)}) as m (id, name) order by m.id desc limit ${NEWEST}) n
     where n.name ilike ${likeAnywhere(text)}
     order by n.id desc limit ${FOUND_MAX})`;
  const asked = NAMED_KINDS.filter((kind) => kinds.includes(kind));
  return listWanted(
    db,
    workspaceId,
    asked.map((kind) => ({ kind, wanted: wantedOf(kind) })),
  );
};

/** The contact, the subscribers and the suppression of an address in its stored form. */
export const searchAddress = (
  db: Db,
  workspaceId: string,
  { address, kinds }: { address: string; kinds: readonly Kind[] },
): Promise<RecordRow[]> => {
  const asked = ADDRESSED_KINDS.filter((kind) => kinds.includes(kind));
  return listWanted(
    db,
    workspaceId,
    asked.map((kind) => ({ kind, wanted: sql`in (${OF_ADDRESS[kind](workspaceId, address)})` })),
  );
};
