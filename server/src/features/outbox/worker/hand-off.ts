import type { Mailbox } from '#mail/addresses/addresses.ts';
import type { DkimKey } from '#mail/dkim.ts';
import { mailboxOf, type StoredMailbox } from '#mail/addresses/stored-mailbox.ts';
import type { Clock, Timer } from '#platform/clock.ts';
import { reach } from '#platform/fault-points.ts';
import type { Answer, EmailProvider, Gate, OutgoingMessage, Verdict } from '#providers/email-provider.ts';
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
  /** Where the provider knows the domain. Left out, or null: anywhere. */
  regionOf?: ((workspaceId: string, domain: string) => Promise<string | null>) | undefined;
  /** The address for bounces of this email (RFC 5321 MAIL FROM). Left out: the address in From. */
  returnPath?: ((email: { workspaceId: string; emailId: string }) => string) | undefined;
}

/** How one hand-off ended before or at the provider. */
export type HandOffEnd =
  | { kind: 'answered'; verdict: Answer; tookMs: number; answerMs: number }
  /** The finished message breaks the rules of mail. This is our mistake, and it is never sent. */
  | { kind: 'unfit'; reason: string }
  /** The process is ending, too little of the lease was left, or it must not leave any more. */
  | { kind: 'not-begun' };

// After this long without an answer the provider is taken not to have accepted the message.
const ANSWER_MAX_MS = 30_000;
// An email that has not begun after this long goes back to the queue.
const WAIT_MAX_MS = 30_000;
// This much of the lease must be left after the deadline, to write the outcome.
const LEASE_MARGIN_MS = 5_000;
// A provider that does not answer by its deadline is broken. A longer wait would outlive the lease.
const GRACE_MS = 500;

/** The engine's words in one hand-off. */
export interface Turn {
  /** Resolves to true when its slot has come and it may still leave. */
  mayBegin(): Promise<boolean>;
  /** Commits that it has begun; false: it must not leave any more. */
  recordBegun(): Promise<boolean>;
  /** It is with the provider, and waits. Until it begins it can be taken back at any time. */
  waits(takeBack: () => void): void;
  begins(): void;
}

/**
 * Hands one claimed email over: composes, signs and inspects it, and calls the provider. The provider asks for the slot
 * once it has a connection, and for the record before the message. From then on the outcome counts, whatever happens.
 */
export async function handOff(
  ports: HandOffPorts,
  email: ClaimedEmail,
  lease: { readonly endsAt: number },
  turn: Turn,
): Promise<HandOffEnd> {
  const recipient = await ports.contents.recipientOf(email);
  return ports.contents.use(email, async (send) => {
    const composed = await composeMessage(ports, email, send, recipient);
    if (composed instanceof UnfitContent) return { kind: 'unfit', reason: composed.message };
    const { message, problems } = composed;
    if (problems.length > 0) return { kind: 'unfit', reason: `message refused before sending: ${problems.join('; ')}` };
    const provider = email.sandbox ? ports.providers.sandbox : ports.providers.live;
    return callProvider(provider, message, { clock: ports.clock, lease, turn });
  });
}

/** One call of a provider, and how far it came. */
interface Call {
  readonly clock: Clock;
  readonly lease: { readonly endsAt: number };
  readonly turn: Turn;
  /** When the transaction began, and when it was on record. */
  begunMs: number | undefined;
  onRecordMs: number | undefined;
  /** The engine does not wait for it any more: it must not begin. */
  isOver: boolean;
  /** Our own failure at the gate. */
  failure: { error: unknown } | undefined;
  /** Answers instead of a provider that does not. */
  timer: Timer | undefined;
  giveUp(verdict: Verdict): void;
}

async function callProvider(
  provider: EmailProvider,
  message: OutgoingMessage,
  ports: Pick<Call, 'clock' | 'lease' | 'turn'>,
): Promise<HandOffEnd> {
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<Verdict>();
  const call: Call = {
    ...ports,
    begunMs: undefined,
    onRecordMs: undefined,
    isOver: false,
    failure: undefined,
    timer: undefined,
    giveUp,
  };
  const { clock, turn } = ports;
  turn.waits(() => {
    call.isOver = true;
    giveUp(NOT_BEGUN);
  });
  try {
    const calling = provider.send(message, { deadlineMs: WAIT_MAX_MS, gate: gateOf(call) });
    const verdict = await Promise.race([calling, givenUp]);
    if (call.failure !== undefined) throw call.failure.error;
    await reach('outbox.hand-off.after-provider');
    if (verdict.kind === 'not-begun') return { kind: 'not-begun' };
    const nowMs = clock.monotonicMs();
    const { begunMs = nowMs, onRecordMs = nowMs } = call;
    return { kind: 'answered', verdict, tookMs: nowMs - begunMs, answerMs: nowMs - onRecordMs };
  } catch (error) {
    if (call.failure !== undefined) throw error;
    return { kind: 'answered', verdict: failed(error), tookMs: 0, answerMs: 0 };
  } finally {
    call.isOver = true;
    call.timer?.cancel();
  }
}

/**
 * A failure of ours closes the gate, also for a transaction that begins anew, and is told once the provider has
 * answered. Beside one that is on record already it says nothing: that message may have left, and its outcome counts.
 */
function gateOf(call: Call): Gate {
  const orFail = async <T>(ask: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      if (call.failure !== undefined) return otherwise;
      const answer = await ask();
      return call.failure === undefined ? answer : otherwise;
    } catch (error) {
      if (call.onRecordMs === undefined) call.failure ??= { error };
      return otherwise;
    }
  };
  return { mayBegin: () => orFail(() => begin(call), null), isOnRecord: () => orFail(() => record(call), false) };
}

/** Returns the moment by which the answer must be there; null: it must not begin. */
async function begin(call: Call): Promise<number | null> {
  const { clock, lease, turn } = call;
  if (call.isOver || !(await turn.mayBegin())) return null;
  await reach('outbox.hand-off.before-provider');
  // No wait lies between this look at the clock and the first byte: a process that was suspended does not begin late.
  const nowMs = clock.monotonicMs();
  const left = lease.endsAt - nowMs;
  const deadlineMs = Math.floor(Math.min(ANSWER_MAX_MS, left - Math.min(LEASE_MARGIN_MS, left / 4)));
  if (deadlineMs < 100 || call.isOver) return null;
  turn.begins();
  call.begunMs = nowMs;
  call.timer?.cancel();
  call.timer = clock.timer(deadlineMs + GRACE_MS, () =>
    call.giveUp({ kind: 'unknown', response: 'The provider did not answer in time.' }),
  );
  return nowMs + deadlineMs;
}

async function record(call: Call): Promise<boolean> {
  await reach('outbox.hand-off.before-record');
  if (!(await call.turn.recordBegun())) return false;
  call.onRecordMs = call.clock.monotonicMs();
  await reach('outbox.hand-off.during-provider');
  return true;
}

const NOT_BEGUN: Verdict = { kind: 'not-begun', response: 'the engine did not wait for it' };

/** The provider promises to answer in time and never to reject. A broken one must not stop the engine. */
const failed = (error: unknown): Answer => ({
  kind: 'unknown',
  response: `The provider failed: ${error instanceof Error ? error.message : String(error)}`,
});

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
    region: (email.sandbox ? null : await ports.regionOf?.(email.workspaceId, send.fromDomain)) ?? undefined,
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
