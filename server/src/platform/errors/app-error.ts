import type { ErrorName } from './error-table.ts';

/** The fields of an error besides its name and message. */
export interface Extras {
  /** The input field at fault, as the caller wrote it (`emails[3].to[0]`). */
  param?: string;
  /** One sentence per failing field when there are several. */
  details?: string[];
  /** Well-formed but not acceptable: a validation_error answers 422 instead of 400. */
  unacceptable?: boolean;
  retryAfterSeconds?: number;
  resetAt?: Date;
  /** Not logged although its status is 5xx: nothing has failed. */
  expected?: true;
  /** For the log only; never shown. */
  internal?: string;
  cause?: unknown;
}

/** A failure we expected. `message` may be shown to anyone; `extras.internal` is for the log only. */
export class AppError extends Error {
  override readonly name: ErrorName;
  readonly extras: Extras;

  constructor(name: ErrorName, message: string, extras: Extras = {}) {
    super(message, { cause: extras.cause });
    this.name = name;
    this.extras = extras;
  }
}

/** 400: cannot be parsed, wrong type, missing, bad format. */
export const invalid = (param: string, message: string): AppError =>
  new AppError('validation_error', message, { param });

/** 422: understood, but not acceptable. */
export const unacceptable = (param: string, message: string): AppError =>
  new AppError('validation_error', message, { param, unacceptable: true });

/** 404. Another workspace's id gives exactly this too, so that ids reveal nothing. */
export const notFound = (what: string, id: string): AppError =>
  new AppError('not_found_error', `No ${what} with id ${id.length > 64 ? `${id.slice(0, 64)}…` : id}.`);

export const conflict = (message: string, param?: string): AppError =>
  new AppError('conflict_error', message, param === undefined ? {} : { param });

export const forbidden = (message: string, param?: string): AppError =>
  new AppError('permission_error', message, param === undefined ? {} : { param });

export const unauthenticated = (message: string, internal?: string): AppError =>
  new AppError('authentication_error', message, internal === undefined ? {} : { internal });

export const rateLimited = (message: string, when: { retryAfterSeconds: number; resetAt: Date }): AppError =>
  new AppError('rate_limit_error', message, when);

export const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('service_unavailable_error', message, { cause, retryAfterSeconds: 1 });

/** 503 at a bound of ours. It is not logged: whoever floods us would fill the log. */
export const busy = (message: string, retryAfterSeconds = 1): AppError =>
  new AppError('service_unavailable_error', message, { retryAfterSeconds, expected: true });
