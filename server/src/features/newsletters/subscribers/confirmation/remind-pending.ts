import type { Ctx } from '#platform/http/context.ts';
import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import { selectNewsletter } from '../../queries.ts';
import type { Newsletter } from '../../newsletter.ts';
import { askPeople, type AskWiring } from './ask-people.ts';
import { requireConfirmationSender } from './confirmation-mail.ts';
import {
  claimReminder,
  countToRemind,
  endReminder,
  listToRemind,
  noteReminded,
  postponeReminder,
  startReminder,
} from './remind-queries.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

/** When nobody can be asked for the moment, a reminder is looked at again after this. */
const REST_SECONDS = 60;

/**
 * Asks for a reminder to the pending subscribers who were asked at most once, and not within these days. The reminders
 * leave a few in each second (`sendReminders`). Returns how many people there are. Throws 409 while confirmations rest,
 * 422 (param `from_email`) without a sender, 403 while the workspace is paused.
 */
export async function remindPending(
  ctx: SubscribersCtx & Pick<Ctx, 'ip'>,
  newsletter: Newsletter,
  { olderThanDays }: { olderThanDays: number },
): Promise<{ count: number; isEstimate: boolean }> {
  if (newsletter.confirmationsPausedAt !== null) {
    throw conflict('Confirmation emails of this newsletter rest, because sign-ups came unusually fast.');
  }
  await requireConfirmationSender(ctx, newsletter);
  const before = new Date(ctx.clock.now().getTime() - olderThanDays * 86_400_000);
  const of = { workspaceId: ctx.workspaceId, newsletterId: newsletter.id };
  const found = await countToRemind(ctx.db, of, before);
  if (found.count > 0) {
    await inTransaction(ctx.db, async (tx) => {
      await startReminder(tx, { ...of, before, sandbox: ctx.actor.mode === 'test' });
      const target = { targetType: 'newsletter', targetId: newsletter.id };
      const details = { count: found.count, older_than_days: olderThanDays };
      await recordSecurityEvent(tx, ctx, { action: 'newsletter.pending_reminded', ...target, details });
    });
  }
  return found;
}

/**
 * Sends the next reminders of one newsletter: one newsletter in each second, however many wait and however many
 * processes there are. False: nobody waits, or this second is used up.
 */
export async function sendReminders(wiring: AskWiring): Promise<boolean> {
  const { db } = wiring;
  const reminder = await claimReminder(db);
  if (reminder === undefined) return false;
  const newsletter = await selectNewsletter(db, reminder.workspaceId, reminder.newsletterId);
  if (newsletter === undefined) return true; // its reminder goes with it
  const outcome = await askPeople(wiring, {
    newsletter,
    sandbox: reminder.sandbox,
    next: (limit) => listToRemind(db, reminder, limit),
    asked: (person) => noteReminded(db, reminder, person),
  });
  if (outcome.do === 'rest') await postponeReminder(db, reminder, REST_SECONDS);
  if (outcome.do === 'end') await endReminder(db, reminder);
  return true;
}
