import type { Clock } from '#platform/clock.ts';
import { sqlStateOf } from '#platform/db/database-errors.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import type { EmailProvider, Gate, OutgoingMessage, Verdict } from '../email-provider.ts';
import { createQuotaGuard } from './quota-guard.ts';
import { type InsertEvents, insertCaptures } from './queries.ts';
import { simulateOutcome } from './simulate-outcome.ts';

// One commit serves what came while the last one was under way. Bounded so that a statement stays small: 4 MiB is
// some hundred usual emails, or one with large attachments.
const BATCH_MESSAGES = 200;
const BATCH_BYTES = 4 * 1024 * 1024;
const STATEMENTS_AT_ONCE = 2;

interface Waiting {
  message: OutgoingMessage;
  settle(verdict: Verdict): void;
}

/** Nothing leaves the machine: every message is kept in the database, and its fate is simulated. */
export function createCaptureProvider(options: {
  db: Db;
  log: Log;
  insertEvents: InsertEvents;
  clock: Clock;
  /** Of a workspace: beyond it, the oldest captured mail goes. 0: unlimited. */
  quotaBytes?: number;
}): EmailProvider {
  const { clock } = options;
  const guard = createQuotaGuard({ ...options, quotaBytes: options.quotaBytes ?? 0 });
  const waiting = new Set<Waiting>();
  const storing = new Set<Promise<void>>();
  let running = false;

  const pump = (): void => {
    while (waiting.size > 0 && storing.size < STATEMENTS_AT_ONCE) {
      const batch = takeBatch(waiting);
      // The messages are answered before the quota is looked at, and the next batch comes behind it.
      const work = store({ ...options, clock }, batch)
        .then(() => guard.stored(batch.map(({ message }) => message)))
        .finally(() => {
          storing.delete(work);
          pump();
        });
      storing.add(work);
    }
  };

  const keep = (message: OutgoingMessage, deadlineMs: number): Promise<Verdict> =>
    new Promise((resolve) => {
      wait(waiting, { message, resolve }, { clock, deadlineMs });
      pump();
    });

  return {
    name: 'capture',
    capacity: BATCH_MESSAGES * STATEMENTS_AT_ONCE,
    start() {
      running = true;
      return Promise.resolve();
    },
    async stop() {
      running = false;
      const left = [...waiting];
      waiting.clear();
      for (const one of left) one.settle(temporary('the provider is stopped'));
      while (storing.size > 0) await Promise.all(storing);
    },
    async send(message, { deadlineMs, gate }) {
      if (!running) return temporary('the provider is stopped');
      if (deadlineMs <= 0) return temporary('the deadline passed before the hand-off began');
      const leftMs = gate === undefined ? deadlineMs : await leftOf(gate, clock);
      if (leftMs <= 0) return { kind: 'not-begun', response: 'the message was withdrawn before it began' };
      if (!running) return temporary('the provider is stopped');
      return keep(message, leftMs);
    },
  };
}

function wait(
  waiting: Set<Waiting>,
  { message, resolve }: { message: OutgoingMessage; resolve(verdict: Verdict): void },
  { clock, deadlineMs }: { clock: Clock; deadlineMs: number },
): void {
  const one: Waiting = {
    message,
    settle: (verdict) => {
      timer.cancel();
      resolve(verdict);
    },
  };
  const timer = clock.timer(deadlineMs, () => {
    // A statement under way may still commit.
    const notBegun = waiting.delete(one);
    resolve(notBegun ? temporary('the database was busy') : { kind: 'unknown', response: 'no answer in time' });
  });
  waiting.add(one);
}

/**
 * The milliseconds that are left once the gate is open; 0: it stays shut. Nothing lies between the beginning and the
 * message here, so the record comes with the beginning.
 */
async function leftOf(gate: Gate, clock: Clock): Promise<number> {
  const untilMs = await gate.mayBegin();
  if (untilMs === null || clock.monotonicMs() >= untilMs || !(await gate.isOnRecord())) return 0;
  return Math.max(1, untilMs - clock.monotonicMs());
}

interface StorePorts {
  db: Db;
  log: Log;
  insertEvents: InsertEvents;
  clock: Clock;
}

async function store(ports: StorePorts, batch: Waiting[]): Promise<void> {
  try {
    const captures = batch.map(({ message }) => captureOf(message, ports.clock.now()));
    await insertCaptures(ports.db, ports.insertEvents, captures);
    for (const one of batch) one.settle(ACCEPTED);
  } catch (error) {
    const verdict = verdictOf(error);
    // One message that cannot be stored must not take its neighbours with it.
    if (verdict.kind === 'refused' && batch.length > 1) {
      for (const one of batch) await store(ports, [one]);
      return;
    }
    ports.log.warn({ err: error, emails: batch.length, verdict: verdict.kind }, 'messages could not be captured');
    for (const one of batch) one.settle(verdict);
  }
}

const ACCEPTED: Verdict = { kind: 'accepted', providerMessageId: null, response: '250 kept' };

const temporary = (response: string): Verdict => ({ kind: 'temporary', response, code: null, throttled: false });

const captureOf = (message: OutgoingMessage, now: Date) => ({
  message,
  id: newId(),
  capturedAt: now,
  events: message.envelope.to.flatMap((recipient) => simulateOutcome(recipient, now)),
});

function takeBatch(waiting: Set<Waiting>): Waiting[] {
  const batch: Waiting[] = [];
  let bytes = 0;
  for (const one of waiting) {
    if (batch.length >= BATCH_MESSAGES || (batch.length > 0 && bytes + one.message.mime.length > BATCH_BYTES)) break;
    bytes += one.message.mime.length;
    batch.push(one);
    waiting.delete(one);
  }
  return batch;
}

/**
 * An error that PostgreSQL answered means that the statement was rolled back, one met while connecting that it never
 * ran; anything else leaves open whether it was committed. Classes 22 and 23 are about the data: the text cannot be
 * stored, the workspace is gone.
 */
function verdictOf(error: unknown): Verdict {
  const response = error instanceof Error ? error.message : String(error);
  const state = sqlStateOf(error);
  if (state !== undefined && /^2[23]/.test(state)) return { kind: 'refused', response, code: null };
  if (state !== undefined || NEVER_RAN.test(response)) return temporary(response);
  return { kind: 'unknown', response };
}

const NEVER_RAN = /ECONNREFUSED|ENOENT|timeout exceeded when trying to connect|Cannot use a pool after/;
