import type { Static } from 'typebox';
import { notFound } from '#platform/errors/app-error.ts';
import { actorShownTo, type Ctx } from '#platform/http/context.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import { isUuid } from '#platform/ids.ts';
import { mentionOf } from './mentions.ts';
import { findRequest, pageOfRequests, type RequestFilter, type RequestRow } from './queries.ts';
import type { RequestsQuery } from './schemas.ts';

export async function listRequests(ctx: Ctx, query: Static<typeof RequestsQuery>, page: PageRequest) {
  const { rows, goOnAfter } = await pageOfRequests(ctx.db, ctx.workspaceId, filterOf(ctx, query), page);
  return { requests: rows.map(summaryView), goOnAfter };
}

export async function getRequest(ctx: Ctx, id: string) {
  const row = isUuid(id) ? await findRequest(ctx.db, ctx.workspaceId, id, shownActors(ctx)) : undefined;
  if (row === undefined) throw notFound('request', id);
  return {
    ...summaryView(row),
    request_body: bodyOf(row.requestBody),
    response_body: bodyOf(row.responseBody),
    job_ids: row.jobIds,
    email_ids: row.emailIds,
    erased: row.isErased,
  };
}

function shownActors({ actor }: Ctx): readonly string[] | null {
  const only = actorShownTo(actor);
  return only === null ? null : [only];
}

const instant = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

function filterOf(ctx: Ctx, query: Static<typeof RequestsQuery>): RequestFilter {
  const { status } = query;
  const asked = query.api_key_id ?? query.user_id;
  const shown = shownActors(ctx);
  const among = asked === undefined ? shown : [asked].filter((id) => shown === null || shown.includes(id));
  const both = query.api_key_id !== undefined && query.user_id !== undefined && query.api_key_id !== query.user_id;
  return {
    statusFrom: status === undefined ? null : Number(status.replace('xx', '00')),
    statusTo: status === undefined ? null : Number(status.replace('xx', '99')),
    method: query.method ?? null,
    route: query.route ?? null,
    actorIds: both ? [] : among,
    requestId: query.request_id ?? null,
    mention: query.mentions === undefined ? null : mentionOf(query.mentions),
    path: query.q ?? null,
    since: instant(query.since),
    until: instant(query.until),
  };
}

const bodyOf = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

const summaryView = (row: RequestRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  request_id: row.requestId,
  method: row.method,
  route: row.route,
  path: row.path,
  query: row.query,
  status: row.status,
  error: row.error,
  duration_ms: row.durationMs,
  actor: { type: row.actorType, id: row.actorId, name: row.actorName },
  ip: row.ip,
  user_agent: row.userAgent,
});
