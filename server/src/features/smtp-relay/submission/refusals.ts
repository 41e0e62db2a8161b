import { AppError } from '#platform/errors/app-error.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';

/** The refusal of a sender's domain as a reply. An error of another kind is passed on, and answered 451. */
export function refusalOfSender(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  // The workspace rests, and the mail may come again; everything else is about the domain.
  const isPaused = error.name === 'permission_error' && error.extras.param === undefined;
  return isPaused ? new SmtpReply(451, error.message, '4.7.1') : new SmtpReply(550, error.message, '5.7.1');
}

/** The refusal of an acceptance as a reply. */
export function refusalOfAccept(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  // A cap or a quota: it says when it resets, and the client tries again.
  if (error.name === 'permission_error') return new SmtpReply(452, error.message, '4.3.1');
  if (error.name === 'validation_error') return new SmtpReply(554, error.message, '5.6.0');
  if (error.name !== 'conflict_error') return error;
  return error.extras.retryAfterSeconds === undefined
    ? new SmtpReply(554, 'X-Idempotency-Key was used with another sender, subject or recipient', '5.6.0')
    : new SmtpReply(451, 'This message is being taken on another connection; try again', '4.3.0');
}
