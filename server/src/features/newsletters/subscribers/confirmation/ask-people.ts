import type { AskOutcome } from '#features/transfers';
import { AppError } from '#platform/errors/app-error.ts';
import { type Actor, systemActor } from '#platform/http/context.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import type { Newsletter } from '../../newsletter.ts';
import { requireConfirmationSender } from './confirmation-mail.ts';
import { resendConfirmation } from './resend-confirmation.ts';

/**
 * The share of the send rate that one import or one reminder may use in a second: a file has a million addresses, and
 * the emails that single people wait for come first.
 */
const SHARE = 1 / 6;

export type AskWiring = Pick<NewslettersWiring, 'db' | 'clock' | 'settings' | 'secrets'>;

export interface AskedPeople<Person extends { id: string }> {
  newsletter: Newsletter;
  /** The next people, at most `limit`; none: everybody was asked. */
  next(limit: number): Promise<readonly Person[]>;
  /**
   * Told once for all of them: the last one who was asked or passed over, and how many emails were sent. When the
   * process dies before that, `next` must pass over the ones who were asked: their own row says so.
   */
  asked(last: Person, sent: number): Promise<void>;
  /** Emails stay in the sandbox. */
  sandbox?: boolean;
}

/** Asks the next people of a newsletter to confirm: a sixth of the send rate in each call. Call it once a second. */
export async function askPeople<Person extends { id: string }>(
  wiring: AskWiring,
  given: AskedPeople<Person>,
): Promise<AskOutcome> {
  const { newsletter } = given;
  if (newsletter.confirmationsPausedAt !== null) return { do: 'rest' };
  const actor: Actor = given.sandbox === true ? { ...systemActor, mode: 'test' } : systemActor;
  const ctx = { ...wiring, workspaceId: newsletter.workspaceId, actor };
  try {
    await requireConfirmationSender(ctx, newsletter);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Sending that is paused goes on some day; a newsletter without a sender has to be changed first.
    return error.name === 'permission_error' ? { do: 'rest' } : { do: 'end', error: error.message };
  }
  const people = await given.next(Math.max(1, Math.floor(wiring.settings.sendRate * SHARE)));
  let last: Person | undefined;
  let sent = 0;
  try {
    for (const person of people) {
      if (await wasAsked(() => resendConfirmation(ctx, newsletter, person, { via: 'public' }))) sent += 1;
      last = person;
    }
  } finally {
    if (last !== undefined) await given.asked(last, sent);
  }
  return people.length === 0 ? { do: 'end', error: null } : { do: 'go on' };
}

/** False: the address has been sent enough, or its owner has confirmed, left or gone at that moment. */
async function wasAsked(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.name !== 'service_unavailable_error') return false;
    throw error;
  }
}
