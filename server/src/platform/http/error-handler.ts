import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { asAppError, errorAnswer, statusOf } from './error-envelope.ts';
import { HttpError } from './http-error.ts';
import type { AppPorts } from './ports.ts';

/** The one exit of every failure: logged once when it is ours, answered in the envelope of the specification. */
export function installErrors(app: FastifyInstance, ports: AppPorts): void {
  const docsUrl = `${ports.settings.publicUrl}/docs`;
  app.setErrorHandler((thrown, request, reply) => {
    const error = fromFastify(thrown) ?? asAppError(thrown);
    const status = error instanceof HttpError ? error.status : statusOf(error);
    if (status >= 500) {
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
    const answer = errorAnswer(error, request.id, docsUrl, status);
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(answer.body));
  });
  app.setNotFoundHandler(() => {
    throw new AppError('not_found_error', 'There is nothing at this path.');
  });
}

/** Fastify's own refusals in our words. */
function fromFastify(thrown: unknown): AppError | undefined {
  if (thrown instanceof AppError || typeof thrown !== 'object' || thrown === null || !('code' in thrown))
    return undefined;
  switch (thrown.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new HttpError(413, 'The body is too large.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new HttpError(415, 'The content type must be application/json in UTF-8.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new AppError('validation_error', 'The body is not complete.');
    default:
      return undefined;
  }
}
