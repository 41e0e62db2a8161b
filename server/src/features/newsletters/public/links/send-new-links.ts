import { AppError } from '#platform/errors/app-error.ts';
import { systemActor } from '#platform/http/context.ts';
import type { Service } from '#platform/lifecycle.ts';
import { BatchWriter } from '#platform/work/batch-writer.ts';
import { selectNewsletter } from '../../queries.ts';
import { resendConfirmation } from '../../subscribers/confirmation/resend-confirmation.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { listPendingOfAddress } from './pending-queries.ts';

/** An address is sent three confirmation emails an hour; the rest are rows whose newsletter can send none just now. */
const SIGN_UPS_MAX = 10;
/** The answer leaves first, also when other work holds the process up. */
const AFTER_MS = 50;
/** Addresses, one after the other: some minutes of work. The limits of callers refuse a flood before this. */
const WAITING_MAX = 1_000;
const STOP_MS = 2_000;

export interface NewLinks extends Service {
  /**
   * Sends a new link for each pending sign-up of the address, soon after the answer. Nobody can measure then how many
   * there are. The addresses that wait are in memory: when the process is killed, or 1,000 wait, the person asks again.
   */
  ask(email: string): void;
}

export function createNewLinks(
  wiring: Pick<NewslettersWiring, 'db' | 'clock' | 'log' | 'settings' | 'secrets'>,
): NewLinks {
  const { clock, log } = wiring;
  const lose = (emails: readonly string[], error: unknown): void =>
    log.error({ err: error, lost: emails.length }, 'new links to confirm could not be sent; their readers ask again');
  const writer = new BatchWriter<string>({
    clock,
    log,
    delayMs: AFTER_MS,
    batchMax: 1,
    retryMaxMs: 1_000,
    failure: 'new links to confirm wait; trying again',
    async write(emails) {
      for (const email of emails) await sendNewLinks(wiring, email);
    },
    judge: () => 'lost',
    lost: lose,
  });
  return {
    name: 'new links to confirm',
    ask(email) {
      if (writer.waiting < WAITING_MAX) writer.add(email);
      else lose([email], new Error('too many people wait'));
    },
    async start() {},
    async stop() {
      if (await writer.drain(STOP_MS)) return;
      const left = writer.clear();
      if (left.length > 0) lose(left, new Error('the process ended'));
    },
  };
}

/** The newest first, whatever newsletter it is for. */
async function sendNewLinks(wiring: Parameters<typeof createNewLinks>[0], email: string): Promise<void> {
  for (const row of await listPendingOfAddress(wiring.db, email, SIGN_UPS_MAX)) {
    const newsletter = await selectNewsletter(wiring.db, row.workspaceId, row.newsletterId);
    if (newsletter?.signupEnabled !== true) continue;
    const within = { ...wiring, workspaceId: row.workspaceId, actor: systemActor, ip: '' };
    // Too many emails, a paused workspace or no sender: the reader hears of none of them.
    await resendConfirmation(within, newsletter, row, { via: 'public' }).catch(ignoreRefusal);
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
