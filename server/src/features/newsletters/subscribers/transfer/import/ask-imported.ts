import type { AskingImport, AskOutcome } from '#features/transfers';
import { AppError } from '#platform/errors/app-error.ts';
import { systemActor } from '#platform/http/context.ts';
import { selectNewsletter } from '../../../queries.ts';
import type { NewslettersWiring } from '../../../wiring.ts';
import { requireConfirmationSender } from '../../confirmation/confirmation-mail.ts';
import { resendConfirmation } from '../../confirmation/resend-confirmation.ts';
import { listToAsk } from './ask-queries.ts';

/** Of what this instance may send: confirmation emails go before everything else, and a file has a million of them. */
const SHARE = 1 / 6;

export type AskWiring = Pick<NewslettersWiring, 'db' | 'clock' | 'settings' | 'secrets'>;

/** Asks the next people whom an import has left pending to confirm: a sixth of the send rate in each second. */
export async function askImported(
  wiring: AskWiring,
  given: AskingImport,
  asked: (subscriberId: string, wasSent: boolean) => Promise<void>,
): Promise<AskOutcome> {
  const newsletter = await selectNewsletter(wiring.db, given.workspaceId, given.targetId);
  if (newsletter === undefined) return { do: 'end', error: null };
  if (newsletter.confirmationsPausedAt !== null) return { do: 'rest' };
  const ctx = {
    ...wiring,
    workspaceId: given.workspaceId,
    actor: systemActor,
  };
  try {
    await requireConfirmationSender(ctx, newsletter);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Sending that is paused goes on some day; a newsletter without a sender has to be changed first.
    return error.name === 'permission_error' ? { do: 'rest' } : { do: 'end', error: error.message };
  }
  const ids = await listToAsk(wiring.db, given, Math.max(1, Math.floor(wiring.settings.sendRate * SHARE)));
  for (const id of ids)
    await asked(id, await ask(() => resendConfirmation(ctx, newsletter, { id }, { via: 'public' })));
  return ids.length === 0 ? { do: 'end', error: null } : { do: 'go on' };
}

/** False: their address has been sent enough, or they have confirmed, left or gone at that moment. */
async function ask(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.name !== 'service_unavailable_error') return false;
    throw error;
  }
}
