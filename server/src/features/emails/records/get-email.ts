import { eventName, toldData } from '#features/webhooks';
import { maySeeMail } from '#features/workspaces';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { emailView } from './email-record.ts';
import { EVENTS_MAX, findEmail, listEvents, type OneEmailRow } from './queries/one-email.ts';

/** The email, or 404: not there, another workspace's, and mail that the caller is not shown. */
export async function requireEmail(ctx: Ctx, id: string): Promise<OneEmailRow> {
  const row = isUuid(id) ? await findEmail(ctx.db, ctx.workspaceId, id) : undefined;
  if (row === undefined || !maySeeMail(ctx.actor, row)) throw notFound('email', id);
  return row;
}

export async function getEmail(ctx: Ctx, id: string) {
  const row = await requireEmail(ctx, id);
  const events = await listEvents(ctx.db, ctx.workspaceId, row.id);
  return {
    ...emailView(row),
    events: events
      .slice(0, EVENTS_MAX)
      .map(({ data, ...event }) => ({ ...event, id: eventName(event.id), event_data: toldData(event.type, data) })),
    events_truncated: events.length > EVENTS_MAX,
  };
}
