import { domainsOfKey, newslettersOfKey } from '#features/workspaces';
import { forbidden, invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Actor, Ctx } from '#platform/http/context.ts';
import { eachItem, readEach } from '#platform/http/fields/read-meaning.ts';
import { requireUrl } from '#platform/safe-fetch/safe-fetch.ts';
import { EVENT_TYPES, EVERY_TYPE, type EventType, isEventType, listOfEventTypes, scopeOfEvents } from './catalogue.ts';
import type { CreateWebhookBody, TestWebhookBody, UpdateWebhookBody } from './schemas.ts';
import type { FindMissing, WebhookPorts } from './wiring.ts';

/** Types as stored: each once, and `*` alone, which says the same. A name that is none would never be noticed. */
export function readEvents(names: readonly string[], first = 0): string[] {
  for (const [index, name] of names.entries()) if (name !== EVERY_TYPE) readEventType(`events[${first + index}]`, name);
  return names.includes(EVERY_TYPE) ? [EVERY_TYPE] : [...new Set(names)];
}

export function readEventType(param: string, name: string): EventType {
  if (isEventType(name)) return name;
  const extra = param.startsWith('events') ? ', or * for all of them' : '';
  throw invalid(param, `${param} is no event type. The types are ${listOfEventTypes()}${extra}.`);
}

/**
 * An endpoint sends records to its URL, so a key needs the scopes that read them. `*` is every type there is: a shorter
 * list in its place would leave events out without a word.
 */
export function requireReadable(actor: Actor, events: readonly string[]): void {
  if (actor.type !== 'api_key') return;
  for (const type of events.includes(EVERY_TYPE) ? EVENT_TYPES : events.filter(isEventType)) {
    const scope = scopeOfEvents(type);
    if (!actor.may(scope)) {
      throw forbidden(`This key needs the scope "${scope}" to send events of the type ${type} to a URL.`, 'events');
    }
  }
}

/** The events that an endpoint receives: only some domains, only some newsletters. */
export interface Filters {
  domainIds: string[];
  newsletterIds: string[];
}

interface GivenFilters {
  domain_ids?: readonly string[];
  newsletter_ids?: readonly string[];
}

/**
 * Filters that exist in the workspace and lie within what the key itself is limited to. A filter that is left out
 * means everything that the key may access.
 */
export async function readFilters(ctx: Ctx, given: GivenFilters, ports: WebhookPorts): Promise<Filters> {
  const read = async (
    param: 'domain_ids' | 'newsletter_ids',
    own: readonly string[],
    missing: FindMissing,
  ): Promise<string[]> => {
    const ids = given[param];
    if (ids === undefined) return [...own];
    if (own.length > 0) refuseBeyondKey(param, ids, own);
    return readIds(param, ids, (wanted) => missing(ctx.db, ctx.workspaceId, wanted));
  };
  return {
    domainIds: await read('domain_ids', domainsOfKey(ctx.actor), ports.missingDomains),
    newsletterIds: await read('newsletter_ids', newslettersOfKey(ctx.actor), ports.missingNewsletters),
  };
}

function refuseBeyondKey(param: string, ids: readonly string[], own: readonly string[]): void {
  if (ids.length === 0) throw forbidden(`This key is limited to some ${param}, and an endpoint of its is too.`, param);
  const index = ids.findIndex((id) => !own.includes(id));
  if (index !== -1) throw forbidden(`This key is not allowed on ${param}[${index}].`, `${param}[${index}]`);
}

/** Another workspace's ids are unknown like any other. */
async function readIds(
  param: string,
  ids: readonly string[],
  findMissing: (ids: readonly string[]) => Promise<readonly string[]>,
): Promise<string[]> {
  const missing = new Set(ids.length === 0 ? [] : await findMissing(ids));
  const index = ids.findIndex((id) => missing.has(id));
  if (index !== -1) throw unacceptable(`${param}[${index}]`, `${param}[${index}] is not in this workspace.`);
  return [...new Set(ids)];
}

const readers = {
  url: (url: string) => requireUrl(url, 'url'),
  events: eachItem((name: string, index) => readEvents([name], index)),
};
export const readNewWebhook = readEach<typeof CreateWebhookBody>(readers);
export const readWebhookChange = readEach<typeof UpdateWebhookBody>(readers);
export const readTest = readEach<typeof TestWebhookBody>({ type: (type) => readEventType('type', type) });
