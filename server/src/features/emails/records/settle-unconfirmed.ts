import { type EmailStatus, emailRecords, shownStatus } from '#features/outbox';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { requireEmail } from './get-email.ts';

/** A person decides about an email whose outcome is unknown: once more, though it may arrive twice. */
export async function sendAgain(ctx: Ctx, id: string) {
  const email = await requireEmail(ctx, id);
  if (!(await emailRecords.sendUnconfirmedAgain(ctx, email.id))) throw notUnconfirmed(email.status);
  return { success: true as const, id: email.id, status: 'queued' as const };
}

/** Or never again. */
export async function treatAsSent(ctx: Ctx, id: string) {
  const email = await requireEmail(ctx, id);
  if (!(await emailRecords.treatUnconfirmedAsSent(ctx, email.id))) throw notUnconfirmed(email.status);
  return { success: true as const, id: email.id, status: 'sent' as const };
}

const notUnconfirmed = (status: EmailStatus) =>
  conflict(`Only an unconfirmed email can be settled by hand; this one is ${shownStatus(status)}.`);
