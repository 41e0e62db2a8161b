import { AppError } from '#platform/errors/app-error.ts';

/** Not by id: the token is a secret and does not belong into a message or a log. */
export const noSuchInvite = (): AppError =>
  new AppError('not_found_error', 'This invitation is not valid: it was used, revoked, has expired, or never was.');
