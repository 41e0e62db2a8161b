/**
 * Helpers that the tests of this feature share: a database, workspaces with queued mail, and a provider that
 * records.
 */
import { sql } from 'kysely';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { systemClock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import type { EmailProvider, Gate, OutgoingMessage, Verdict } from '#providers/email-provider.ts';
import { until } from '../../../test/harness/until.ts';
export { aWorkspace } from '../../../test/harness/builders.ts';
import { acceptSend } from './accept/accept-send.ts';
import { type AcceptedSend, type ComposedContent, plainContent, type SendReceipt } from './accept/accepted-send.ts';
import { createContentStore } from './compose/content-store.ts';
import { LANES, type Lane } from './lane.ts';
import { insertSends } from './accept/queries/accept-sends.ts';
import { Sweeper } from './worker/sweeper.ts';
import { Worker, type WorkerOptions } from './worker/worker.ts';

const silent = createLog({ level: 'silent' });

export interface Call {
  message: OutgoingMessage;
  atMs: number;
}

/** Keeps every message, and gives the answers that a test sets; without one, `accepted`. */
export class RecordingProvider implements EmailProvider {
  readonly name = 'recording';
  capacity = 64;
  readonly calls: Call[] = [];
  readonly called = new Moment<Call>();
  answer: (message: OutgoingMessage) => Verdict | Promise<Verdict> = () => accepted;

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  async send(message: OutgoingMessage, { gate }: { gate?: Gate } = {}): Promise<Verdict> {
    if (gate !== undefined && ((await gate.mayBegin()) === null || !(await gate.isOnRecord()))) return notBegun;
    const call = { message, atMs: performance.now() };
    this.calls.push(call);
    this.called.occur(call);
    return this.answer(message);
  }

  /** Resolves when this many messages have arrived in all. */
  async received(count: number): Promise<Call[]> {
    while (this.calls.length < count) await this.called.next();
    return this.calls;
  }
}

const notBegun: Verdict = { kind: 'not-begun', response: 'withdrawn' };
const accepted: Verdict = { kind: 'accepted', providerMessageId: 'provider-id', response: '250 ok' };

const settings = { ratePerSecond: 100_000, leaseSeconds: 60, stopSeconds: 7 };

export function aWorker(db: Db, provider: EmailProvider, options: Partial<WorkerOptions> = {}): Worker {
  return new Worker({
    db,
    log: silent,
    clock: systemClock,
    providers: { live: provider, sandbox: provider },
    contents: createContentStore({ db, tracking: null }),
    loadDkimKey: async () => null,
    random: () => 0.5,
    ...settings,
    ...options,
  });
}

export const aSweeper = (db: Db, unconfirmedSeconds = 600): Sweeper =>
  new Sweeper({ db, log: silent, clock: systemClock, unconfirmedSeconds, leaseSeconds: settings.leaseSeconds });

export const aContent = (content: Partial<ComposedContent> = {}): ComposedContent =>
  plainContent({
    from: parseMailbox('Acme <hello@acme.test>'),
    domain: { domain: 'acme.test', domainId: null },
    subject: 'Your receipt',
    html: '<p>Thank you</p>',
    text: 'Thank you',
    ...content,
  });

export const aSend = (to: readonly string[], send: Partial<AcceptedSend> = {}): AcceptedSend => ({
  source: 'api',
  lane: 'transactional',
  content: aContent(),
  recipients: to.map(parseMailbox),
  expiresAt: null,
  sandbox: false,
  apiKey: null,
  takes: [],
  ...send,
});

export const accept = (db: Db, workspaceId: string, send: AcceptedSend): Promise<SendReceipt> =>
  acceptSend({ db, workspaceId }, send);

/** The system as the actor, for verbs that record their actor. */
export const aCtx = (db: Db, workspaceId: string) => ({
  db,
  workspaceId,
  actor: systemActor,
  ip: '',
  clock: systemClock,
});

export const people = (count: number, name = 'person'): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}@example.com`);

/** Queues emails in any lane, also in the one that `acceptSend` does not use. */
export async function queued(db: Db, workspaceId: string, lane: Lane, to: readonly string[]): Promise<string[]> {
  const send = aSend(to, { source: lane === 'system' ? 'system' : 'api' });
  const emailIds = to.map(() => newId());
  const given = {
    workspaceId,
    jobId: newId(),
    contentId: newId(),
    send,
    lane: LANES[lane],
    emailIds,
    eventIds: to.map(() => newId()),
    addresses: send.recipients,
    variantIds: [],
  };
  await insertSends(db, [given], []);
  return emailIds;
}

export interface EmailState {
  status: string;
  error: string | null;
  attempts: number;
  turn: number;
  cost: number;
  waitSeconds: number | null;
  hasLease: boolean;
  handedOff: boolean;
  providerMessageId: string | null;
  events: { type: string; recipient: string; data: unknown }[];
  records: string[];
}

/** Everything that the database has about an email. */
export async function stateOf(db: Db, workspaceId: string, id: string): Promise<EmailState> {
  const { rows } = await sql<Omit<EmailState, 'events' | 'records'>>`
    select status, error, attempts, turn, cost, lease_token is not null as "hasLease", handoff_at is not null as "handedOff",
           provider_message_id as "providerMessageId",
           (extract(epoch from not_before) - extract(epoch from clock_timestamp()))::double precision as "waitSeconds"
      from emails where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
  const events = await sql<EmailState['events'][number]>`
    select type, recipient, event_data as data from email_events
     where workspace_id = ${workspaceId} and email_id = ${id} order by at, id`.execute(db);
  const records = await sql<{ outcome: string }>`
    select outcome from email_attempts where workspace_id = ${workspaceId} and email_id = ${id} order by ended_at, id`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no such email');
  return { ...row, events: events.rows, records: records.rows.map((record) => record.outcome) };
}

/**
 * A worker that looks only when the test asks. Its clock advances only by the waits of the worker: on a busy machine
 * no slot is missed, and each email gets a known slot.
 */
export function aSteppedWorker(db: Db, provider: EmailProvider, options: Partial<WorkerOptions> = {}) {
  let nowMs = 0;
  const worker = aWorker(db, provider, { ...options, clock: { ...systemClock, monotonicMs: () => nowMs } });
  const step = async (): Promise<void> => {
    nowMs += await worker.runOnce();
    await until('the end of what was claimed', async () => {
      const { rows } = await sql`select from emails where status = 'sending' limit 1`.execute(db);
      return rows.length === 0 ? true : undefined;
    });
  };
  return {
    /** Looks once, and waits until the emails that it claimed are settled. */
    step,
    /** Looks again until the condition holds. */
    until: (what: string, isSo: () => boolean): Promise<true> =>
      until(what, async () => {
        if (isSo()) return true;
        await step();
        return undefined;
      }),
  };
}

/** Runs one worker until `count` outcomes are written, then stops it. */
export async function deliver(worker: Worker, count: number): Promise<void> {
  let written = 0;
  await worker.start();
  try {
    while (written < count) written += await worker.settler.settled.next();
  } finally {
    await worker.stop();
  }
}
