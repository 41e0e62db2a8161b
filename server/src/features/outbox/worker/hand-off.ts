import type { Mailbox } from '#mail/addresses/addresses.ts';
import type { DkimKey } from '#mail/dkim.ts';
import { mailboxOf, type StoredMailbox } from '#mail/addresses/stored-mailbox.ts';
import type { Clock, Timer } from '#platform/clock.ts';
import { reach } from '#platform/fault-points.ts';
import type { EmailProvider, OutgoingMessage, Verdict } from '#providers/email-provider.ts';
import type { ContentStore } from '../compose/content-store.ts';
import type { PersonalRecipient } from '../compose/personal-content.ts';
import type { PreparedSend } from '../compose/prepared-send.ts';
import type { ClaimedEmail } from './queries/claim-emails.ts';
import { UnfitContent } from '../compose/unfit-content.ts';
import { finishComposed, finishRaw } from './finish-email.ts';

export interface Providers {
  live: EmailProvider;
  /** The provider for test keys and sandbox sends: it keeps every message and sends none. */
  sandbox: EmailProvider;
}

export interface HandOffPorts {
  providers: Providers;
  contents: ContentStore;
  clock: Clock;
  loadDkimKey(workspaceId: string, domain: string): Promise<DkimKey | null>;
  /** The address for bounces of this email (RFC 5321 MAIL FROM). Left out: the address in From. */
  returnPath?: ((email: { workspaceId: string; emailId: string }) => string) | undefined;
}

/** How one hand-off ended before or at the provider. */
export type HandOffEnd =
  | { kind: 'answered'; verdict: Verdict; tookMs: number }
  /** The finished message breaks the rules of mail. This is our mistake, and it is never sent. */
  | { kind: 'unfit'; reason: string }
  /** The process is ending, or too little of the lease was left. */
  | { kind: 'not-begun' };

// After this long without an answer the provider is taken not to have accepted the message.
const ANSWER_MAX_MS = 30_000;
// This much of the lease must be left after the deadline, to write the outcome.
const LEASE_MARGIN_MS = 5_000;
// A provider that does not answer by its deadline is broken. A longer wait would outlive the lease.
const GRACE_MS = 500;

/**
 * Hands one claimed email over: composes, signs and inspects it, waits for its slot and calls the provider. `begin`
 * resolves to true when the slot has come, and to false when the hand-off must not begin. From then on the
 * outcome counts, whatever happens.
 */
export async function handOff(
  ports: HandOffPorts,
  email: ClaimedEmail,
  lease: { readonly endsAt: number },
  begin: () => Promise<boolean>,
): Promise<HandOffEnd> {
  const recipient = await ports.contents.recipientOf(email);
  return ports.contents.use(email, async (send) => {
    const composed = await composeMessage(ports, email, send, recipient);
    if (composed instanceof UnfitContent) return { kind: 'unfit', reason: composed.message };
    const { message, problems } = composed;
    if (problems.length > 0) return { kind: 'unfit', reason: `message refused before sending: ${problems.join('; ')}` };
    if (!(await begin())) return { kind: 'not-begun' };
    await reach('outbox.hand-off.before-provider');
    // No wait lies between this look at the clock and the call: a process that was suspended does not send late.
    const { clock } = ports;
    const started = clock.monotonicMs();
    const left = lease.endsAt - started;
    const deadlineMs = Math.floor(Math.min(ANSWER_MAX_MS, left - Math.min(LEASE_MARGIN_MS, left / 4)));
    if (deadlineMs < 100) return { kind: 'not-begun' };
    const provider = email.sandbox ? ports.providers.sandbox : ports.providers.live;
    const verdict = await answerOf(provider, message, { clock, deadlineMs });
    return { kind: 'answered', verdict, tookMs: clock.monotonicMs() - started };
  });
}

/** The provider promises to answer in time and never to reject. A broken one must not stop the engine. */
async function answerOf(
  provider: EmailProvider,
  message: OutgoingMessage,
  { clock, deadlineMs }: { clock: Clock; deadlineMs: number },
): Promise<Verdict> {
  let timer: Timer | undefined;
  const late = new Promise<Verdict>((resolve) => {
    const give = (): void => resolve({ kind: 'unknown', response: 'The provider did not answer in time.' });
    timer = clock.timer(deadlineMs + GRACE_MS, give);
  });
  try {
    const calling = provider.send(message, { deadlineMs });
    await reach('outbox.hand-off.during-provider');
    const verdict = await Promise.race([calling, late]);
    await reach('outbox.hand-off.after-provider');
    return verdict;
  } catch (error) {
    return {
      kind: 'unknown',
      response: `The provider failed: ${error instanceof Error ? error.message : String(error)}`,
    };
  } finally {
    timer?.cancel();
  }
}

async function composeMessage(
  ports: HandOffPorts,
  email: ClaimedEmail,
  send: PreparedSend,
  recipient: PersonalRecipient | undefined,
): Promise<{ message: OutgoingMessage; problems: string[] } | UnfitContent> {
  const { to, cc, bcc } = recipientsOf(email);
  // Captured mail is never delivered, so it needs no address for bounces.
  const returnPath = email.sandbox
    ? undefined
    : ports.returnPath?.({ workspaceId: email.workspaceId, emailId: email.id });
  const envelope = { from: returnPath ?? send.from.address, to: [...to, ...cc, ...bcc].map((one) => one.address) };
  const expected = { envelopeTo: envelope.to, from: send.from.address };
  const finished =
    send.kind === 'raw'
      ? await finishRaw(ports, email, send, expected)
      : await finishComposed(ports, email, send, { recipient, to, cc }, expected);
  if (finished instanceof UnfitContent) return finished;
  const { problems, ...finishedMessage } = finished;
  const message = {
    workspaceId: email.workspaceId,
    emailId: email.id,
    envelope,
    system: email.source === 'system',
    ...finishedMessage,
  };
  return { message, problems };
}

/** Suppressed members of a grouped message are left out of the envelope and the headers. */
function recipientsOf(email: ClaimedEmail): { to: Mailbox[]; cc: Mailbox[]; bcc: Mailbox[] } {
  if (email.grouped === null) {
    const only = mailboxOf({ address: email.recipientTyped ?? email.recipient, name: email.recipientName });
    return { to: [only], cc: [], bcc: [] };
  }
  const leftOut = new Set(email.leftOut ?? []);
  const stay = (list: StoredMailbox[]): Mailbox[] =>
    list.map(mailboxOf).filter((mailbox) => !leftOut.has(mailbox.identity));
  const to = stay(email.grouped.to);
  const cc = stay(email.grouped.cc);
  const bcc = stay(email.grouped.bcc);
  // A message needs a To. When all recipients in To are left out, the recipients in Cc take their place.
  return to.length === 0 ? { to: cc, cc: [], bcc } : { to, cc, bcc };
}
