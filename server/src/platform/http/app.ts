import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { settleClientIp } from './client-ip.ts';
import { allowEveryOrigin, answerPreflights } from './cors.ts';
import { type Actor, publicActor } from './context.ts';
import { errorAnswer } from './error-envelope.ts';
import { installErrors } from './error-handler.ts';
import { parseForm } from './body/form-body.ts';
import { HttpError } from './http-error.ts';
import { registerOpenApi, securityOf } from './openapi/openapi.ts';
import { type AppPorts, TIMEOUTS } from './ports.ts';
import { requestIdFor } from './request-id.ts';
import { parseMultipart } from './body/multipart-body.ts';
import type { FormTypes, Route } from './route.ts';
import { serveRoute } from './serve/serve-route.ts';
import { STREAM_BYTES_MAX } from './body/streamed-body.ts';
import { parseStrictJson } from './body/strict-json.ts';

const BODY_BYTES_MAX = 1_048_576;
const JSON_TYPE = 'application/json; charset=utf-8';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART_TYPE = 'multipart/form-data';
const HEADERS_MAX = 256;
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'];

/** The HTTP application: every route of `routes` with what all of them have around them. Listens to nothing yet. */
export async function createApp(routes: readonly Route[], ports: AppPorts): Promise<FastifyInstance> {
  const docsUrl = `${ports.settings.publicUrl}/docs`;
  const timeouts = { ...TIMEOUTS, ...ports.timeouts };
  const app: FastifyInstance = fastify({
    logger: false,
    requestIdHeader: false,
    genReqId: (request) => requestIdFor(request.headers['x-request-id']),
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: ports.settings.trustProxy.length > 0 ? [...ports.settings.trustProxy] : false,
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
    // While the process ends, what comes on a connection that is open already is still served, and closes it.
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
  });
  app.decorateRequest('actor', null as unknown as Actor); // set by every route's onRequest before anything reads it
  app.setValidatorCompiler(() => () => true); // serve-route checks: order and messages are ours
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  readJsonBodies(app);
  readFormBodies(app);
  readRawBodies(app);
  app.addHook('onRequest', async (request) => {
    settleClientIp(request);
    refuseStrange(request);
  });
  answerExpectations(app, docsUrl);
  installErrors(app, ports);
  watchAnswers(app, ports);
  await registerOpenApi(app);
  const methodsAt: MethodsAt = new Map();
  registerRoutes(
    app,
    routes.filter((one) => one.stream === undefined),
    ports,
    methodsAt,
  );
  await app.register(async (within) => {
    passBodiesOn(within);
    registerRoutes(
      within,
      routes.filter((one) => one.stream !== undefined),
      ports,
      methodsAt,
    );
  });
  const readByAll = new Set(routes.filter(({ cors }) => cors === true).map(({ path }) => path));
  for (const url of readByAll) {
    const methods = methodsAt.get(url) ?? new Set();
    answerPreflights(app, url, [...methods]);
    methods.add('OPTIONS');
  }
  refuseOtherMethods(app, methodsAt);
  return app;
}

type MethodsAt = Map<string, Set<string>>;

function registerRoutes(app: FastifyInstance, routes: readonly Route[], ports: AppPorts, methodsAt: MethodsAt): void {
  for (const route of routes) {
    const served = serveRoute(route, ports);
    const limit = route.bodyBytesMax ?? (route.stream === undefined ? BODY_BYTES_MAX : STREAM_BYTES_MAX);
    const bytesOf = route.raw ?? route.stream?.types;
    [route.path, ...(route.aliases ?? [])].forEach((url, index) => {
      const methods = methodsAt.get(url) ?? new Set();
      methodsAt.set(url, methods.add(route.method));
      app.route({
        method: route.method,
        url,
        bodyLimit: limit,
        schema: {
          hide: (route.page !== undefined && route.page.when === undefined) || route.hidden === true,
          operationId:
            index === 0
              ? route.id
              : `${route.id}_at_${url
                  .split('/')
                  .filter((part) => part !== '' && !part.startsWith(':'))
                  .join('_')
                  .replaceAll('-', '_')}`,
          tags: [route.tag],
          summary: index === 0 ? route.summary : `${route.summary} (the same as ${route.path})`,
          security: securityOf(route.access),
          ...(route.description === undefined ? {} : { description: route.description }),
          ...(route.params === undefined ? {} : { params: route.params }),
          ...(route.query === undefined ? {} : { querystring: route.query }),
          ...(route.body === undefined ? {} : { body: route.body }),
          ...(formTypesOf(route)?.json === true ? { consumes: ['application/json', FORM_TYPE] } : {}),
          ...(bytesOf === undefined ? {} : { body: { type: 'string' }, consumes: [...bytesOf] }),
          response: { [route.status ?? 200]: route.response, ...route.otherResponses },
        },
        config: { served },
        onRequest: async (request) => {
          refuseBeforeReading(request, limit);
          await served.authorize(request);
        },
        handler: (request, reply) => served.handle(request, reply),
      });
    });
  }
}

function refuseOtherMethods(app: FastifyInstance, methodsAt: MethodsAt): void {
  for (const [url, methods] of methodsAt) {
    const others = METHODS.filter((method) => !methods.has(method) && !(method === 'HEAD' && methods.has('GET')));
    const allow = [...methods].join(', ');
    app.route({
      method: others,
      url,
      schema: { hide: true },
      // Before the body is read: whatever it holds, the method is the answer.
      onRequest: async (request, reply) => {
        reply.header('allow', allow);
        throw new HttpError(405, `${request.method} is not available here; ${allow} is.`);
      },
      handler: unreachable,
    });
  }
}

/** What Node would let pass or answer in words of its own. */
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

const unreachable = (): never => {
  throw new Error('a hook has answered already');
};

/** Size and encoding are refused before the caller is even looked at. */
function refuseBeforeReading(request: FastifyRequest, limit: number): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) throw new HttpError(413, `The body is larger than ${limit} bytes.`);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new HttpError(415, 'Compressed bodies are not accepted.');
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/json/, { parseAs: 'buffer' }, (request, body, done) => {
    const type = (request.headers['content-type'] ?? '').toLowerCase();
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/.exec(type)?.[1] ?? 'utf-8';
    if (takesRaw(request).includes('application/json')) {
      done(null, body);
      return;
    }
    const isPlain = /^application\/json\s*(;|$)/.test(type) && (charset === 'utf-8' || charset === 'utf8');
    const form = takesForm(request);
    if (!isPlain || (form !== undefined && form.json !== true) || takesRaw(request).length > 0) {
      done(wrongType(request));
      return;
    }
    try {
      done(null, body.length === 0 ? undefined : parseStrictJson(Buffer.isBuffer(body) ? body : Buffer.from(body)));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** A route takes forms only when it says so: a form is what somebody else's page can make a browser send. */
function readFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const [, ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
    if (takesForm(request) === undefined || !parameters.every((one) => /^\s*charset\s*=\s*"?utf-?8"?\s*$/.test(one))) {
      throw wrongType(request);
    }
    return parseForm(body);
  });
}

/** Bytes of the types that a route asks for; everything else is refused as before. */
function readRawBodies(app: FastifyInstance): void {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const header = request.headers['content-type'] ?? '';
    const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (type === MULTIPART_TYPE && takesForm(request)?.multipart === true) return parseMultipart(header, body);
    // Bytes that do not say what they are may be what the route takes; it looks at them anyway.
    const isGood = takesRaw(request).includes(type) || (type === '' && takesRaw(request).length > 0);
    if (!isGood) throw wrongType(request);
    return body;
  });
}

/** Routes that read by themselves: only what the body says it is gets judged here. */
function passBodiesOn(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, _payload, done) => {
    const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
    const isGood = request.routeOptions.config.served?.streamed.includes(type.trim()) === true;
    const isUtf8 = parameters.every((one) => !/^\s*charset\s*=/.test(one) || /=\s*"?utf-?8"?\s*$/.test(one));
    done(isGood && isUtf8 ? null : wrongType(request));
  });
}

const takesRaw = (request: FastifyRequest): readonly string[] => request.routeOptions.config.served?.raw ?? [];

const takesForm = (request: FastifyRequest): FormTypes | undefined => request.routeOptions.config.served?.form;

const formTypesOf = ({ form }: Route): FormTypes | undefined => (form === true ? {} : form);

function wrongType(request: FastifyRequest): HttpError {
  const served = request.routeOptions.config.served;
  const raw = served !== undefined && served.streamed.length > 0 ? served.streamed : takesRaw(request);
  const form = takesForm(request);
  const ofForm = [
    ...(form === undefined || form.json === true ? ['application/json'] : []),
    ...(form === undefined ? [] : [FORM_TYPE]),
    ...(form?.multipart === true ? [MULTIPART_TYPE] : []),
  ];
  return new HttpError(415, `The content type must be ${(raw.length > 0 ? raw : ofForm).join(' or ')} in UTF-8.`);
}

function watchAnswers(app: FastifyInstance, ports: AppPorts): void {
  app.addHook('onSend', async (request, reply) => {
    setCommonHeaders(request, reply);
  });
  app.addHook('onResponse', async (request, reply) => {
    // The pattern, not the URL: a query may hold a token.
    const route = request.routeOptions.url ?? 'none';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    ports.onAnswer?.({ method: request.method, route, status: reply.statusCode, ms });
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
  if (request.routeOptions.config.served?.cors === true) allowEveryOrigin(reply);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  if (!reply.hasHeader('referrer-policy')) reply.header('referrer-policy', 'no-referrer');
  // Data is never a page: opened in a browser it may load nothing and be framed by nobody. Pages set their own.
  if (!reply.hasHeader('content-security-policy') && !String(reply.getHeader('content-type')).startsWith('text/html')) {
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  }
}
