import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { permitManagersOfActive } from '../workspace-access.ts';
import { countSecurityEvents, pageSecurityEvents, type SecurityEventRow } from './queries.ts';
import { SecurityEvent, SecurityLogQuery } from './schemas.ts';

const eventView = (row: SecurityEventRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { type: row.actorType, id: row.actorId, email: row.actorEmail, ip: row.ip },
  action: row.action,
  target: { type: row.targetType, id: row.targetId },
  details: row.details,
});

export const securityLogRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/security-log',
    id: 'list_security_events',
    tag: 'Audit',
    summary: 'Read the security log of the active workspace',
    description:
      'Sign-ins, and changes of keys, members, domains and other settings, newest first. For owners and admins. Each entry was ' +
      'committed together with the change that it records, and cannot be edited.',
    access: 'user',
    permit: permitManagersOfActive,
    query: SecurityLogQuery,
    response: listEnvelope(SecurityEvent),
    handler: async (ctx, { query, request }) => {
      const { workspaceId } = ctx;
      const page = readPage(query);
      const action = query.action ?? null;
      const rows = await pageSecurityEvents(ctx.db, workspaceId, { ...page, action });
      const total =
        page.after === null ? await countSecurityEvents(ctx.db, workspaceId, action, EXACT_TOTAL_MAX + 1) : null;
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      return answerPage(page, rows.map(eventView), { total, url: request.url, totalIsEstimate });
    },
  }),
];
