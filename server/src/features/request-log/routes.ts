import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { getRequest, listRequests } from './list-requests.ts';
import type { RequestLog } from './request-log.ts';
import { LoggedRequest, LoggedRequestSummary, RequestParams, RequestsQuery } from './schemas.ts';

const TAG = 'Requests';

export const requestLogRoutes = (requestLog: RequestLog): Route[] => [
  route({
    method: 'GET',
    path: '/v1/requests',
    id: 'list_requests',
    tag: TAG,
    summary: 'List requests to the API',
    description:
      'Requests of the last seven days, newest first: all of API keys, and of people those that change something or ' +
      'fail. A request of another process can take a moment to appear. Of a busy workspace a part is kept: 25 a second, ' +
      'and as many that failed. A page ends after 10,000 requests that were looked at, even when it is short or empty: ' +
      'continue while `has_more` is true.',
    access: { scope: 'logs:read' },
    unlogged: true,
    query: RequestsQuery,
    response: listEnvelope(LoggedRequestSummary),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      await requestLog.flush();
      const { requests, goOnAfter } = await listRequests(ctx, query, page);
      return answerPage(page, requests, { total: null, url: request.url, goOnAfter });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/requests/:id',
    id: 'get_request',
    tag: TAG,
    summary: 'Read a request to the API',
    description:
      'With both bodies, without secrets and without the texts of mail. `email_ids` and `request_id` of an email link ' +
      'both ways.',
    access: { scope: 'logs:read' },
    unlogged: true,
    params: RequestParams,
    response: LoggedRequest,
    errors: [404],
    handler: async (ctx, { params }) => {
      await requestLog.flush();
      return getRequest(ctx, params.id);
    },
  }),
];
