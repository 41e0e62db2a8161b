import type { Static } from 'typebox';
import { mailShownTo } from '#features/workspaces';
import { forbidden, invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { firstIdAt, idAfter } from '#platform/ids.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import { EVENT_TYPES, isEmailEventType, isEventType, listOfEventTypes, scopeOfEvents } from '../catalogue.ts';
import type { EventsQuery } from '../schemas.ts';
import type { EmailEvents } from './email-events.ts';
import { type EventRow, envelopeOf } from './envelope.ts';
import { countEvents, endOfEventLook, type EventSpan, pageOfEventIds } from './event-page-queries.ts';
import { listWorkspaceEvents } from './queries.ts';

const SCOPE_OF_EMAILS = 'emails:read';

/** Events can be listed for so long. */
const KEPT_MS = 30 * 86_400_000;

/**
 * A page of the workspace's events of the last 30 days, or of one email, as webhooks send them: the kinds that the
 * caller can read. By the id that orders them, and how many
 * there are (one more than are counted exactly when there are more; null behind a cursor, and where a page of one type
 * has not looked at all).
 */
export async function listEvents(
  ctx: Ctx,
  emailEvents: EmailEvents,
  query: Static<typeof EventsQuery>,
  page: PageRequest,
  lookedAtMax?: number,
) {
  const { type, since, until, order } = query;
  if (type !== undefined && !isEventType(type)) {
    throw invalid('type', `type is no event type. The types are ${listOfEventTypes()}.`);
  }
  if (type !== undefined && !ctx.actor.may(scopeOfEvents(type))) {
    throw forbidden(`Events of the type ${type} need the scope ${scopeOfEvents(type)}.`, 'type');
  }
  const withEmails = ctx.actor.may(SCOPE_OF_EMAILS);
  if (query.email_id !== undefined && !withEmails) {
    throw forbidden(`Events of an email need the scope ${SCOPE_OF_EMAILS}.`, 'email_id');
  }
  const workspaceTypes = EVENT_TYPES.filter((one) => !isEmailEventType(one));
  const readable = workspaceTypes.filter((one) => ctx.actor.may(scopeOfEvents(one)));
  const now = ctx.clock.now().getTime();
  // An email and all of its events are kept together.
  const earliest = query.email_id === undefined ? now - KEPT_MS : 0;
  const from = Math.max(earliest, since === undefined ? 0 : Date.parse(since));
  const span: EventSpan = {
    workspaceId: ctx.workspaceId,
    fromId: firstIdAt(new Date(from)),
    untilId: until === undefined ? LAST_ID : firstIdAt(new Date(until)),
    after: page.after,
    ascending: order === 'asc',
    offset: page.offset,
    limit: page.limit + 1,
    type: type === undefined ? null : { name: type, ofEmails: isEmailEventType(type) },
    withEmails,
    workspaceTypes: readable.length === workspaceTypes.length ? null : readable,
    emailId: query.email_id ?? null,
    shown: mailShownTo(ctx.actor),
  };
  const sources = { db: ctx.db, emailEvents };
  const end = await endOfEventLook(sources, span, lookedAtMax);
  const ids = await pageOfEventIds(sources, end === null ? span : upTo(span, end));
  const isCounted = page.after === null && end === null;
  const total = isCounted ? await countEvents(sources, span, EXACT_TOTAL_MAX + 1) : null;
  const keys = ids.map((eventId) => ({ workspaceId: ctx.workspaceId, eventId }));
  const rows: EventRow[] = [...(await emailEvents.load(ctx.db, keys)), ...(await listWorkspaceEvents(ctx.db, keys))];
  const byId = new Map(rows.map((row) => [row.eventId, row]));
  const events = ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ id, envelope: envelopeOf(row) }];
  });
  return { events, total, goOnAfter: end };
}

/** The part of a span up to this event, and with it. */
const upTo = (span: EventSpan, end: string): EventSpan =>
  span.ascending ? { ...span, untilId: idAfter(end) } : { ...span, fromId: end };

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
