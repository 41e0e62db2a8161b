import { type EmailStatus, emailRecords, shownStatus } from '#features/outbox';
import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { requireEmail } from './get-email.ts';

/** A person decides about an email whose outcome is unknown: once more, though it may arrive twice. */
export async function sendAgain(ctx: Ctx, id: string) {
  const email = await requireEmail(ctx, id);
  await settle(ctx, email, 'email.sent_again', emailRecords.sendUnconfirmedAgain);
  return { success: true as const, id: email.id, status: 'queued' as const };
}

/** Or never again. */
export async function treatAsSent(ctx: Ctx, id: string) {
  const email = await requireEmail(ctx, id);
  await settle(ctx, email, 'email.treated_as_sent', emailRecords.treatUnconfirmedAsSent);
  return { success: true as const, id: email.id, status: 'sent' as const };
}

/** With an entry of its own: nobody can tell later from the email that a person decided. */
async function settle(
  ctx: Ctx,
  { id, status }: { id: string; status: EmailStatus },
  action: string,
  verb: typeof emailRecords.sendUnconfirmedAgain,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (!(await verb({ ...ctx, db: tx }, id))) throw notUnconfirmed(status);
    await recordSecurityEvent(tx, ctx, { action, targetType: 'email', targetId: id });
  });
}

const notUnconfirmed = (status: EmailStatus) =>
  conflict(`Only an unconfirmed email can be settled by hand; this one is ${shownStatus(status)}.`);
