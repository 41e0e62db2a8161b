import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import {
  fastify,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { readWholeBodies } from './body/body-parsers.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { settleClientIp } from './client-ip.ts';
import { type Actor, publicActor } from './context.ts';
import { allowEveryOrigin } from './cors.ts';
import { errorAnswer } from './error-envelope.ts';
import { installErrors } from './error-handler.ts';
import { HttpError } from './http-error.ts';
import { type AppPorts, IDLE_BOUNDS, TIMEOUTS } from './ports.ts';
import { registerRoutes } from './register-routes.ts';
import { requestIdFor } from './request-id.ts';
import { compressAnswer } from './serve/compress-answer.ts';
import type { Route } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body that was sent, for those who look at it afterwards. */
    answer: string | Buffer | null;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const HEADERS_MAX = 256;

/** The HTTP application: every route of `routes` with what all of them have around them. Listens to nothing yet. */
export async function createApp(routes: readonly Route[], ports: AppPorts): Promise<FastifyInstance> {
  const docsUrl = `${ports.settings.publicUrl}/docs`;
  const app: FastifyInstance = fastify(optionsOf(ports, docsUrl));
  app.decorateRequest('actor', null as unknown as Actor); // set by every route's onRequest before anything reads it
  app.decorateRequest('answer', null);
  app.setValidatorCompiler(() => () => true); // serve-route checks: order and messages are ours
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  readWholeBodies(app);
  boundIdle(app.server, ports.idleBounds ?? IDLE_BOUNDS);
  app.addHook('onRequest', async (request, reply) => {
    settleClientIp(request);
    refuseStrange(request);
    return ports.answerPage?.(request, reply);
  });
  answerExpectations(app, docsUrl);
  installErrors(app, routes, ports);
  watchAnswers(app, ports);
  app.decorate('documented', { routes, baseUrl: ports.settings.publicUrl });
  await registerRoutes(app, routes, ports);
  return app;
}

function optionsOf({ settings, timeouts: shorter }: AppPorts, docsUrl: string): FastifyHttpOptions<Server> {
  const timeouts = { ...TIMEOUTS, ...shorter };
  return {
    logger: false,
    requestIdHeader: false,
    genReqId: (request) => requestIdFor(request.headers['x-request-id']),
    trustProxy: settings.trustProxy.length > 0 ? [...settings.trustProxy] : false,
    // A slow or silent client holds a socket no longer than this (Node's own limits are minutes).
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    // Silence in both directions: a caller that does not read its answer. Longer than any answer takes to begin.
    connectionTimeout: timeouts.silenceMs,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      maxHeaderSize: 16_384,
      requireHostHeader: false, // refused in `refuseStrange`: Node's own answer has no body and no request id
    },
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 320 },
    // While the process ends, requests on a connection that is open already are still served, and close it.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, docsUrl),
    // A path that cannot be decoded names nothing.
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const nothing = new AppError('not_found_error', 'There is nothing at this path.');
      const { status, body } = errorAnswer(nothing, request.id, docsUrl);
      reply.header('content-type', JSON_TYPE);
      setCommonHeaders(request, reply);
      void reply.code(status).send(JSON.stringify(body));
    },
  };
}

/**
 * An idle connection is kept for two minutes, and anyone may open some. Where there are so many, those that wait for
 * nothing are closed: the process needs its open files for requests and for the database.
 */
function boundIdle(server: Server, { connections, step }: typeof IDLE_BOUNDS): void {
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open >= connections && open % step === 0) server.closeIdleConnections();
  });
}

/** The requests that Node would let pass or answer in words of its own. */
function refuseStrange(request: FastifyRequest): void {
  const { rawHeaders, httpVersion } = request.raw;
  if (rawHeaders.length / 2 > HEADERS_MAX) throw new HttpError(431, `There are more than ${HEADERS_MAX} headers.`);
  if (httpVersion === '1.1' && request.headers.host === undefined) {
    throw new HttpError(400, 'The Host header is missing.');
  }
}

/** `Expect` with anything but 100-continue (RFC 9110 §10.1.1). */
function answerExpectations(app: FastifyInstance, docsUrl: string): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const id = requestIdFor(request.headers['x-request-id']);
    const refusal = new HttpError(417, 'The only expectation we meet is 100-continue.');
    const body = JSON.stringify(errorAnswer(refusal, id, docsUrl, refusal.status).body);
    const headers = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), 'x-request-id': id };
    response.writeHead(refusal.status, { ...headers, connection: 'close' }).end(body);
  });
}

function watchAnswers(app: FastifyInstance, ports: AppPorts): void {
  app.addHook('onSend', async (request, reply, payload) => {
    setCommonHeaders(request, reply);
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) request.answer = payload;
    return compressAnswer(request, reply, payload);
  });
  app.addHook('onResponse', async (request, reply) => {
    // The pattern, not the URL: a query may hold a token.
    const route = request.routeOptions.url ?? 'none';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    ports.onAnswer?.({ method: request.method, route, status: reply.statusCode, ms });
    const served = request.routeOptions.config.served?.route;
    if (served !== undefined) {
      ports.onServed?.({ request, route: served, status: reply.statusCode, ms, answer: request.answer });
    }
    ports.log.debug(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms,
        workspaceId: (request.actor ?? publicActor).workspaceId,
      },
      'request',
    );
  });
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  if (request.routeOptions.config.served?.route.cors === true) allowEveryOrigin(reply);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  if (!reply.hasHeader('referrer-policy')) reply.header('referrer-policy', 'no-referrer');
  // Data is never a page: opened in a browser it may load nothing and be framed by nobody. Pages set their own.
  if (!reply.hasHeader('content-security-policy') && !String(reply.getHeader('content-type')).startsWith('text/html')) {
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  }
}
