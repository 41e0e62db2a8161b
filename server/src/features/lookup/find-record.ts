import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { isShownTo, PARENT_OF, readableKinds } from './kinds.ts';
import { listRecords, type RecordRow } from './queries.ts';

/** An event's name, of which `evt_` and its id without dashes are the parts. */
const EVENT_NAME = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/**
 * The record of the workspace that an id names. Not found for an id that is none, is unknown, is another workspace's,
 * or names a record that the caller could not read: its scope is missing, or its key is limited to others.
 */
export async function findRecord({ db, workspaceId, actor }: Ctx, text: string) {
  const event = EVENT_NAME.exec(text);
  const id = event === null ? text.toLowerCase() : event.slice(1).join('-');
  const all = readableKinds(actor);
  const kinds = event === null ? all : all.filter((kind) => kind === 'event');
  const rows = isUuid(id) ? await listRecords(db, workspaceId, { id, kinds }) : [];
  const found = rows.find((row) => isShownTo(actor, row));
  if (found === undefined) throw notFound('record', text);
  return toWire(found);
}

/** A record on the wire. */
export function toWire({ kind, id, name, parentId, facts }: RecordRow) {
  const parent = parentId === null ? undefined : PARENT_OF[kind]?.(facts);
  return {
    type: kind,
    id,
    name: name === '' ? null : name,
    parent: parent === undefined ? null : { type: parent, id: parentId },
  };
}
