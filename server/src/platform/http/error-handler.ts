import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { dropRest } from './body/drop-rest.ts';
import { asAppError, errorAnswer, statusOf } from './error-envelope.ts';
import { unknownHeader, warningsOf } from './fields/unknown-fields.ts';
import { HttpError } from './http-error.ts';
import { answerFailurePage, pageFor } from './page.ts';
import { hintOf, pathOf, pathsMeant, routesElsewhere } from './path-meant.ts';
import type { AppPorts } from './ports.ts';
import type { Route } from './route.ts';

/** The one exit of every failure: logged once when it is ours, answered in the one envelope. */
export function installErrors(app: FastifyInstance, routes: readonly Route[], ports: AppPorts): void {
  const docsUrl = `${ports.settings.publicUrl}/docs`;
  app.setErrorHandler(async (thrown, request, reply) => {
    dropRest(request, reply, ports.clock);
    const error = asAppError(await explained(fromFastify(thrown, request) ?? thrown, request, reply));
    const status = error instanceof HttpError ? error.status : statusOf(error);
    if (status >= 500 && error.extras.expected !== true) {
      ports.log.error(
        {
          err: error.cause ?? error,
          requestId: request.id,
          route: request.routeOptions.url,
          internal: error.extras.internal,
        },
        'request failed',
      );
    }
    const page = pageFor(request.is404 ? ports.pageOfNothing : request.routeOptions.config.served?.route.page, request);
    if (page !== undefined) return answerFailurePage(page, { error, status }, request, reply);
    const answer = errorAnswer(error, request.id, docsUrl, status);
    return reply
      .code(answer.status)
      .headers({ ...answer.headers, ...unknownHeader(request) })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ ...answer.body, ...warningsFor(request) }));
  });
  const meantBy = pathsMeant(app);
  const elsewhere = routesElsewhere(routes);
  const nothing = (request: FastifyRequest): never => {
    const meant = elsewhere(request) ?? meantBy(pathOf(request));
    throw new AppError('not_found_error', `There is nothing at this path.${hintOf(meant)}`);
  };
  // Before its body is read: what was sent to nowhere does not matter.
  app.addHook('onRequest', async (request) => {
    if (request.is404 || lacksItsEnd(request)) nothing(request);
  });
  app.setNotFoundHandler(nothing);
}

/** Ignored fields may be why the request was refused: a field that was meant has another name. */
function warningsFor(request: FastifyRequest): { warnings?: string[] } {
  const body = request.routeOptions.config.served?.route.body;
  return body !== undefined && 'json' in body && body.warns === true ? warningsOf(request) : {};
}

/** `/v1/send/` would be the job without an id of `/v1/send/:jobId`. */
const lacksItsEnd = (request: FastifyRequest): boolean =>
  pathOf(request).endsWith('/') && /\/:\w+$/.test(request.routeOptions.url ?? '');

/** The route's own answer to its failure. When that fails too (the limits cannot be read), the first failure counts. */
async function explained(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  try {
    return (await request.routeOptions.config.served?.explain(error, request, reply)) ?? error;
  } catch {
    return error;
  }
}

/** Fastify's own refusals in our words. */
function fromFastify(thrown: unknown, request: FastifyRequest): AppError | undefined {
  if (thrown instanceof AppError || typeof thrown !== 'object' || thrown === null || !('code' in thrown))
    return undefined;
  switch (thrown.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new HttpError(413, 'The body is too large.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new HttpError(415, 'The content type must be application/json in UTF-8.');
    case 'ECONNRESET':
      // The caller went away in the middle of the body: nobody reads this, and it is no failure of ours to log.
      return request.raw.complete ? undefined : new AppError('validation_error', 'The body is not complete.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new AppError('validation_error', 'The body is not complete.');
    default:
      return undefined;
  }
}
