import type { Static } from 'typebox';
import type { Db } from '#platform/db/database.ts';
import { forbidden } from '#platform/errors/app-error.ts';
import { actorShownTo, type Ctx } from '#platform/http/context.ts';
import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { listWrongLogins, pageOfSessions, type SessionFilter } from './queries.ts';
import { RelaySession, SessionsQuery, WrongLogins } from './schemas.ts';
import type { SessionEntry } from './session-entry.ts';
import type { RelaySessionLog } from './session-log.ts';

const TAG = 'SMTP relay';
const WRONG_LOGINS_SHOWN = 100;

interface SessionRoutesWiring {
  sessionLog: Pick<RelaySessionLog, 'flush'>;
  findHomeWorkspaceId(db: Db): Promise<string>;
}

export const sessionRoutes = ({ sessionLog, findHomeWorkspaceId }: SessionRoutesWiring): Route[] => [
  route({
    method: 'GET',
    path: '/v1/relay/sessions',
    id: 'list_relay_sessions',
    tag: TAG,
    summary: 'List sessions of the SMTP relay',
    description:
      'Sessions of the last seven days that signed in, or were refused to, newest first, with the ' +
      'reason of each refusal. Of a busy workspace a part is kept: 25 new sessions a second, and as many that were ' +
      'refused. A sign-in with a key that does not exist belongs to no workspace and is not listed. A page ends after ' +
      '10,000 sessions that were looked at, even when it is short or empty: continue while `has_more` is true.',
    access: { scope: 'logs:read' },
    unlogged: true,
    query: SessionsQuery,
    response: listEnvelope(RelaySession),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      await sessionLog.flush();
      const { rows, goOnAfter } = await pageOfSessions(ctx.db, ctx.workspaceId, filterOf(ctx, query), page);
      return answerPage(page, rows.map(sessionView), { total: null, url: request.url, goOnAfter });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/relay/wrong-logins',
    id: 'list_relay_wrong_logins',
    tag: TAG,
    summary: 'List addresses that signed in to the SMTP relay with wrong keys',
    description:
      'The 100 that tried last, in seven days, without the keys that they tried. Only for the workspace of the first ' +
      'start, with full access.',
    access: { scope: '*' },
    response: WrongLogins,
    async handler(ctx) {
      if (ctx.workspaceId !== (await findHomeWorkspaceId(ctx.db))) {
        throw forbidden('Only the workspace of the operator may look at wrong sign-ins.');
      }
      const rows = await listWrongLogins(ctx.db, WRONG_LOGINS_SHOWN);
      return {
        data: rows.map(({ address, attempts, firstAt, lastAt }) => ({
          ip: address,
          attempts,
          first_at: firstAt.toISOString(),
          last_at: lastAt.toISOString(),
        })),
      };
    },
  }),
];

function filterOf({ actor }: Ctx, query: Static<typeof SessionsQuery>): SessionFilter {
  const only = actorShownTo(actor);
  return {
    outcome: query.outcome ?? null,
    since: query.since === undefined ? null : new Date(query.since),
    apiKeyIds: only === null ? null : [only],
  };
}

const sessionView = (session: SessionEntry) => ({
  id: session.id,
  outcome: session.refused > 0 ? ('refused' as const) : ('accepted' as const),
  started_at: session.startedAt.toISOString(),
  ended_at: session.endedAt?.toISOString() ?? null,
  ip: session.ip,
  tls: session.tls,
  client_name: session.clientName,
  api_key: { id: session.apiKeyId, name: session.apiKeyName },
  accepted: session.accepted,
  refused: session.refused,
  refusals: session.refusals,
  job_ids: session.jobIds,
});
