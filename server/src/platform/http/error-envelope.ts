import { AppError } from '../errors/app-error.ts';
import { ERROR_TABLE } from '../errors/error-table.ts';
import { isDatabaseUnavailable, isTransientConflict } from '../db/database-errors.ts';

export interface ErrorAnswer {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

/** The envelope of every answer that is not 2xx (docs/errors.md). */
export function errorAnswer(
  error: AppError,
  requestId: string,
  docsUrl: string,
  status: number = statusOf(error),
): ErrorAnswer {
  const { param, details, retryAfterSeconds, resetAt } = error.extras;
  const limited = error.name === 'rate_limit_error';
  return {
    status,
    body: {
      statusCode: status,
      name: error.name,
      message: error.message,
      ...(param === undefined ? {} : { param }),
      ...(details === undefined ? {} : { details }),
      ...(limited ? { retryAfter: retryAfterSeconds ?? 1, resetAt: resetAt?.toISOString() ?? null } : {}),
      requestId,
      documentation: `${docsUrl}/errors#${error.name}`,
    },
    headers: {
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}), // RFC 9110 §11.6.1
    },
  };
}

export const statusOf = (error: AppError): number =>
  error.name === 'validation_error' && error.extras.unacceptable === true ? 422 : ERROR_TABLE[error.name].http;

/** Anything thrown, as an error we can answer. An unexpected error is internal_error and shows nothing. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) {
    return new AppError(
      'service_unavailable_error',
      'The database cannot be reached just now. Try again; with an Idempotency-Key nothing is done twice.',
      {
        cause: error,
        retryAfterSeconds: 1,
      },
    );
  }
  if (isTransientConflict(error)) {
    return new AppError(
      'service_unavailable_error',
      'Too much happened at once in one place, and this request was undone. Try again.',
      { cause: error, retryAfterSeconds: 1 },
    );
  }
  return new AppError('internal_error', 'Something went wrong on our side. Give the request id when you report it.', {
    cause: error,
  });
}
