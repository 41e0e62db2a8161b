import { randomUUID } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { isDatabaseUnavailable } from '#platform/db/database-errors.ts';
import { reach } from '#platform/fault-points.ts';
import type { Log } from '#platform/log.ts';
import { targetOf, type TransferTargets } from '../transfer-target.ts';
import type { Import } from './import.ts';
import { importPage } from './import-page.ts';
import { deleteImport, findImport } from './import-queries.ts';
import {
  claimImport,
  deleteParts,
  endImport,
  endUndo,
  giveBackImport,
  holdImport,
  type Job,
  noteRemoved,
} from './job-queries.ts';
import { pagesOf } from './read-file.ts';

export interface ImportsWiring {
  db: Db;
  clock: Clock;
  log: Log;
  targets: TransferTargets;
  /** Of an import; a process that was killed keeps its imports as long. */
  leaseSeconds: number;
}

/** After this an import lets the others go first. */
const TURN_MS = 5_000;
const REMOVE_ROWS = 500;

/**
 * Works on the import that has waited longest: for five seconds, or to its end. False: none waits. A process that dies
 * leaves it where its last page ended, and it goes on there when the lease has run out.
 */
export async function runImport(wiring: ImportsWiring, goOn: () => boolean): Promise<boolean> {
  const { db } = wiring;
  const token = randomUUID();
  const claimed = await claimImport(db, token, wiring.leaseSeconds);
  if (claimed === undefined) return false;
  const job: Job = { ...claimed, token };
  const given = await findImport(db, job.workspaceId, job.id);
  if (given === undefined) return true;
  const untilMs = wiring.clock.monotonicMs() + TURN_MS;
  const mayGoOn = (): boolean => goOn() && wiring.clock.monotonicMs() < untilMs;
  try {
    await (given.status === 'undoing'
      ? undoPages(wiring, job, given, mayGoOn)
      : takePages(wiring, job, given, mayGoOn));
  } catch (error) {
    // A failure of the database ends nothing: whoever takes the lease next goes on.
    if (isDatabaseUnavailable(error) || given.status === 'undoing') throw error;
    wiring.log.error({ err: error, importId: given.id }, 'an import failed');
    await endImport(db, job, { status: 'failed', error: sentenceOf(error), confirmationsDue: false });
  }
  return true;
}

async function takePages(wiring: ImportsWiring, job: Job, given: Import, mayGoOn: () => boolean): Promise<void> {
  const { db, leaseSeconds, clock } = wiring;
  const target = targetOf(wiring.targets, given.targetType).imports;
  const list = await target.open(db, given);
  if (list === undefined) return deleteImport(db, given.workspaceId, given.id);
  for await (const page of oneAhead(pagesOf(db, { given, target }, clock.now()))) {
    await reach('transfers.import-before-page');
    if (!(await importPage({ db, leaseSeconds, now: clock.now() }, job, { given, list, page }))) return;
    await reach('transfers.import-after-page');
    if (!mayGoOn()) return giveBackImport(db, job);
  }
  const { sendConfirmation, dryRun } = given.options;
  await endImport(db, job, { status: 'completed', error: null, confirmationsDue: sendConfirmation && !dryRun });
  await deleteParts(db, job);
}

/** Reads the next while the one before is written: the file is text for us, and rows for the database. */
async function* oneAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const ask = (): Promise<IteratorResult<T>> => {
    const asked = source.next();
    asked.catch(() => undefined); // thrown below, when its turn has come
    return asked;
  };
  let next = ask();
  try {
    for (;;) {
      const one = await next;
      if (one.done === true) return;
      next = ask();
      yield one.value;
    }
  } finally {
    await source.return(undefined);
  }
}

async function undoPages(wiring: ImportsWiring, job: Job, given: Import, mayGoOn: () => boolean): Promise<void> {
  const { db, leaseSeconds } = wiring;
  const target = targetOf(wiring.targets, given.targetType).imports;
  for (;;) {
    const removed = await inTransaction(db, async (tx) => {
      if ((await holdImport(tx, job, leaseSeconds)) !== 'undoing') return undefined;
      const rows = await target.undoPage(tx, given, REMOVE_ROWS);
      if (rows > 0) await noteRemoved(tx, job, rows);
      return rows;
    });
    if (removed === undefined) return;
    if (removed === 0) return endUndo(db, job);
    if (!mayGoOn()) return giveBackImport(db, job);
  }
}

const sentenceOf = (error: unknown): string =>
  error instanceof Error && error.message.startsWith('The file ') ? error.message : 'Something went wrong on our side.';
