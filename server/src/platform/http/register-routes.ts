import type { FastifyInstance, FastifyRequest } from 'fastify';
import { oneOf } from '../english.ts';
import { BodyBudget } from './body/body-budget.ts';
import { bytesMaxOf } from './body/body-definition.ts';
import { passBodiesOn } from './body/body-parsers.ts';
import { countAsItComes, holdBody, whileHandled } from './body/hold-body.ts';
import { answerPreflights } from './cors.ts';
import { HttpError } from './http-error.ts';
import { hintOf, routesElsewhere } from './path-meant.ts';
import type { AppPorts } from './ports.ts';
import { comparedRecord, type Route } from './route.ts';
import type { ReadRecord } from './serve/run-once.ts';
import { serveRoute } from './serve/serve-route.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'];

const MB = 1_048_576;

type MethodsAt = Map<string, Set<string>>;

/** Registers the routes, 405 for the other methods of their paths, and preflights where other sites may call. */
export async function registerRoutes(app: FastifyInstance, routes: readonly Route[], ports: AppPorts): Promise<void> {
  const methodsAt: MethodsAt = new Map();
  const bodyBytesMax = Math.max(0, ...routes.filter((one) => !isStreamed(one)).map(({ body }) => bytesMaxOf(body)));
  const budget = ports.bodyBudget ?? new BodyBudget({ bytesMax: ports.settings.bodyBudgetMb * MB, bodyBytesMax });
  const around = { ports, methodsAt, budget, read: recordReaders(routes) };
  for (const route of routes) if (!isStreamed(route)) registerRoute(app, route, around);
  // Routes with a streamed body have body parsers of their own.
  await app.register(async (within) => {
    passBodiesOn(within);
    for (const route of routes) if (isStreamed(route)) registerRoute(within, route, around);
  });
  const readByAll = new Set(routes.filter(({ cors }) => cors === true).map(({ path }) => path));
  for (const url of readByAll) {
    const methods = methodsAt.get(url) ?? new Set();
    answerPreflights(app, url, [...methods]);
    methods.add('OPTIONS');
  }
  refuseOtherMethods(app, methodsAt, routesElsewhere(routes));
}

const isStreamed = ({ body }: Route): boolean => body !== undefined && 'stream' in body;

interface Around {
  ports: AppPorts;
  methodsAt: MethodsAt;
  budget: BodyBudget;
  /** By path: the GET of a record that has a version. */
  read: ReadonlyMap<string, ReadRecord>;
}

function recordReaders(routes: readonly Route[]): Map<string, ReadRecord> {
  const readers = new Map<string, ReadRecord>();
  for (const { method, path, version, handler } of routes) {
    if (method !== 'GET' || version === undefined) continue;
    // The GET of a record reads nothing but its path; `version` stands on no other.
    const rest = { query: {}, body: null, prepared: undefined } as unknown as Parameters<Route['handler']>[1];
    readers.set(path, (ctx, params) => handler(ctx, { ...rest, params }));
  }
  return readers;
}

function readerOf(route: Route, read: Around['read']): ReadRecord | undefined {
  const found = read.get((comparedRecord(route) ?? route).path);
  const isComparable = found !== undefined && route.outsideTransaction !== true;
  if (route.changes !== undefined && !isComparable) throw new Error(`${route.id} cannot compare what it changes`);
  return found;
}

function registerRoute(app: FastifyInstance, route: Route, { ports, methodsAt, budget, read }: Around): void {
  const served = serveRoute(route, ports, readerOf(route, read));
  const limit = bytesMaxOf(route.body);
  [route.path, ...(route.aliases ?? [])].forEach((url) => {
    const methods = methodsAt.get(url) ?? new Set();
    methodsAt.set(url, methods.add(route.method));
    app.route({
      method: route.method,
      url,
      bodyLimit: limit,
      config: { served },
      onRequest: async (request, reply) => {
        refuseBeforeReading(request, limit);
        await served.authorize(request);
        // A streamed body is never held as a whole.
        if (!isStreamed(route)) holdBody(budget, request, reply);
      },
      preParsing: async (request, _reply, payload) => countAsItComes(request, payload),
      handler: (request, reply) => whileHandled(request, reply, () => served.handle(request, reply)),
    });
  });
}

function refuseOtherMethods(
  app: FastifyInstance,
  methodsAt: MethodsAt,
  elsewhere: ReturnType<typeof routesElsewhere>,
): void {
  for (const [url, methods] of methodsAt) {
    const others = METHODS.filter((method) => !methods.has(method) && !(method === 'HEAD' && methods.has('GET')));
    // A path with GET has HEAD too (RFC 9110 §9.3.2).
    const allow = [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    const methodsInWords = oneOf(methods);
    app.route({
      method: others,
      url,
      // Before the body is read: whatever it holds, the method is the answer.
      onRequest: async (request, reply) => {
        reply.header('allow', allow);
        const hint = hintOf(elsewhere(request));
        throw new HttpError(405, `${request.method} is not available here. Use ${methodsInWords}.${hint}`);
      },
      handler: unreachable,
    });
  }
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
