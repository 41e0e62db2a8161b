import { AppError } from '#platform/errors/app-error.ts';
import { systemActor } from '#platform/http/context.ts';
import { selectNewsletter } from '../../../queries.ts';
import type { NewslettersWiring } from '../../../wiring.ts';
import { requireConfirmationSender } from '../../confirmation/confirmation-mail.ts';
import { resendConfirmation } from '../../confirmation/resend-confirmation.ts';
import {
  claimConfirmations,
  type ConfirmingImport,
  endConfirmations,
  listToAsk,
  noteAsked,
  postponeConfirmations,
} from './confirmation-queries.ts';

/** Of what this instance may send: confirmation emails go before everything else, and a file has a million of them. */
const SHARE = 1 / 6;
/** Sending or confirmations rest: looked at again after this. */
const REST_SECONDS = 60;

type AskWiring = Pick<NewslettersWiring, 'db' | 'clock' | 'settings' | 'secrets'>;

/**
 * Asks some of the people whom imports have left pending to confirm: a sixth of the send rate in each second, whatever
 * waits and however many processes there are. False: nobody waits, or this second is used up.
 */
export async function askImported(wiring: AskWiring): Promise<boolean> {
  const given = await claimConfirmations(wiring.db);
  if (given === undefined) return false;
  const newsletter = await selectNewsletter(wiring.db, given.workspaceId, given.newsletterId);
  if (newsletter === undefined) return true; // the import goes with it
  const ctx = {
    ...wiring,
    workspaceId: given.workspaceId,
    actor: systemActor,
  };
  if (newsletter.confirmationsPausedAt !== null) {
    await postponeConfirmations(wiring.db, given, REST_SECONDS);
    return true;
  }
  try {
    await requireConfirmationSender(ctx, newsletter);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Paused sending goes on some day; a newsletter without a sender has to be changed first.
    if (error.name === 'permission_error') await postponeConfirmations(wiring.db, given, REST_SECONDS);
    else await endConfirmations(wiring.db, given, error.message);
    return true;
  }
  const ids = await listToAsk(wiring.db, given, Math.max(1, Math.floor(wiring.settings.sendRate * SHARE)));
  for (const id of ids) {
    const sent = await ask(() => resendConfirmation(ctx, newsletter, { id }, { via: 'public' }));
    await noteAsked(wiring.db, given, id, sent);
  }
  if (ids.length === 0) await endConfirmations(wiring.db, given satisfies ConfirmingImport, null);
  return true;
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
