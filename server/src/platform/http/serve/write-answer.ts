import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_HEADERS, pageFor } from '../page.ts';
import { isNotModified } from '../record-version.ts';
import { mediaTypeOf, type Route } from '../route.ts';
import type { Outgoing } from './run-handler.ts';

/** Sends a good answer, with the headers of pages when the request is for a page. */
export const writeAnswer = (
  route: Route,
  sent: Outgoing,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply =>
  isNotModified(ifNoneMatch(route, request), sent.headers['etag'])
    ? reply.code(304).headers(sent.headers).send()
    : sendWhole(route, sent, request, reply);

const ifNoneMatch = ({ method }: Route, { headers }: FastifyRequest): string | undefined =>
  method === 'GET' ? headers['if-none-match'] : undefined;

const sendWhole = (route: Route, sent: Outgoing, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .code(sent.status)
    .type(mediaTypeOf(route.response) ?? 'application/json; charset=utf-8')
    .headers({ ...(pageFor(route.page, request) === undefined ? {} : PAGE_HEADERS), ...sent.headers })
    .send(sent.body);
