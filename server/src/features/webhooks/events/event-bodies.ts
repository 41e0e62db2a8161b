import type { Db } from '#platform/db/database.ts';
import type { EmailEvents, EventKey } from './email-events.ts';
import { envelopeOf } from './envelope.ts';
import { insertBodies, listBodies, listWorkspaceEvents } from './queries.ts';

export interface EventSources {
  db: Db;
  emailEvents: EmailEvents;
}

/** Bodies in memory at a time: 20 KB each at most. */
const PAGE_SIZE = 200;

/** How `ensureBodies` names an event. */
const keyOf = ({ workspaceId, eventId }: EventKey): string => `${workspaceId} ${eventId}`;

/**
 * The bytes of events as they are sent, by `<workspace id> <event id>`. An event is rendered once, when it is first
 * asked for, and kept: every attempt, endpoint and replay sends the same. One that is purged, and was never rendered,
 * is missing from the map.
 */
export async function ensureBodies(
  { db, emailEvents }: EventSources,
  keys: readonly EventKey[],
): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  const add = (found: readonly (EventKey & { body: string })[]): void => {
    for (const one of found) bodies.set(keyOf(one), one.body);
  };
  const distinct = [...new Map(keys.map((key) => [keyOf(key), key])).values()];
  for (let start = 0; start < distinct.length; start += PAGE_SIZE) {
    const page = distinct.slice(start, start + PAGE_SIZE);
    add(await listBodies(db, page));
    const missing = page.filter((key) => !bodies.has(keyOf(key)));
    if (missing.length > 0) add(await renderBodies({ db, emailEvents }, missing));
  }
  return bodies;
}

/** Another process may render the same event at the same time: what was stored first is what both send. */
async function renderBodies(
  { db, emailEvents }: EventSources,
  keys: readonly EventKey[],
): Promise<(EventKey & { body: string })[]> {
  const ofEmails = await emailEvents.load(db, keys);
  const ofWorkspaces = ofEmails.length === keys.length ? [] : await listWorkspaceEvents(db, keys);
  const rendered = [...ofEmails, ...ofWorkspaces].map((row) => ({
    workspaceId: row.workspaceId,
    eventId: row.eventId,
    body: JSON.stringify(envelopeOf(row)),
  }));
  if (rendered.length === 0) return [];
  const stored = new Set((await insertBodies(db, rendered)).map(keyOf));
  const lost = rendered.filter((one) => !stored.has(keyOf(one)));
  return [
    ...rendered.filter((one) => stored.has(keyOf(one))),
    ...(lost.length === 0 ? [] : await listBodies(db, lost)),
  ];
}
