import { permitManagersOfActive } from '#features/workspaces';
import { invalid } from '#platform/errors/app-error.ts';
import { actorShownTo } from '#platform/http/context.ts';
import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readTimedPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { isUuid } from '#platform/ids.ts';
import type { AuditLog } from './audit-log.ts';
import { countDone, type DoneRow, pageOfDone, type TargetFilter } from './queries.ts';
import { AuditQuery, Done } from './schemas.ts';

const view = (row: DoneRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { type: row.actorType, id: row.actorId, email: row.actorEmail, ip: row.ip },
  action: row.action,
  target: { type: row.targetType, id: row.targetId },
  details: row.details ?? {},
});

/** `webhook:<id>`, or the id alone where it is a UUID, which no two records share. */
function readTarget(text: string): TargetFilter {
  if (isUuid(text.toLowerCase())) return { type: null, id: text.toLowerCase() };
  const [, type, id] = /^([a-z_]{1,50}):(.{1,200})$/.exec(text) ?? [];
  if (type === undefined || id === undefined) {
    throw invalid('target', 'target must be the id of a record, or its type and id, such as webhook:<id>');
  }
  return { type, id };
}

const instant = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

export const auditRoutes = (audit: AuditLog): Route[] => [
  route({
    method: 'GET',
    path: '/audit',
    id: 'list_audit_entries',
    tag: 'Audit',
    summary: 'Read what was done in the active workspace',
    description:
      'All changes that people and keys made to records, together with the security log, newest first. People ' +
      'must be owners or admins. A key that is limited to some domains or newsletters reads what it did itself. A changed record has `changes` in `details`: each changed field with its value `before` and `after`. ' +
      'A change made in another process can take 100 ms to appear. With `actor` or `action` a page ends after 10,000 ' +
      'entries that were looked at, even when it is short or empty: continue while `has_more` is true.',
    access: { scope: 'audit:read' },
    // Of people it takes more than to read everything else.
    permit: permitManagersOfActive,
    query: AuditQuery,
    response: listEnvelope(Done),
    handler: async (ctx, { query, request }) => {
      const { workspaceId } = ctx;
      const page = readTimedPage(query);
      const filter = {
        onlyBy: actorShownTo(ctx.actor),
        actor: query.actor ?? null,
        action: query.action ?? null,
        target: query.target === undefined ? null : readTarget(query.target),
        since: instant(query.since),
        until: instant(query.until),
      };
      await audit.flush();
      const { rows, ...goOn } = await pageOfDone(ctx.db, workspaceId, filter, page);
      const isCounted = page.after === null && goOn.goOnAfter === null;
      const total = isCounted ? await countDone(ctx.db, workspaceId, filter, EXACT_TOTAL_MAX + 1) : null;
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      const timeOf = (index: number) => rows[index]?.atText ?? '';
      return answerPage(page, rows.map(view), { total, url: request.url, totalIsEstimate, timeOf, ...goOn });
    },
  }),
];
