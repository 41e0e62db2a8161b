import { randomUUID } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { isDatabaseUnavailable } from '#platform/db/database-errors.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { reach } from '#platform/fault-points.ts';
import type { Log } from '#platform/log.ts';
import { countMatching } from '../segments/member-queries.ts';
import { conditionOf, openFilter } from '../segments/read-segment.ts';
import { applyAction } from './apply-action.ts';
import type { BulkJob } from './bulk-job.ts';
import { insertChanges, takeChanges } from './change-queries.ts';
import {
  advanceJob,
  claimJob,
  endJob,
  giveBackJob,
  type Held,
  holdJob,
  noteCount,
  noteUndone,
  pageOfMatching,
} from './job-queries.ts';
import { tellOfAction } from './tell-of-action.ts';
import { undoChanges } from './undo-changes.ts';

export interface BulkWiring {
  db: Db;
  clock: Clock;
  log: Log;
  secrets: Secrets;
}

/** A process that was killed keeps its job so long; each page renews it. */
const LEASE_SECONDS = 15;
/** After this a job lets the others go first. */
const TURN_MS = 5_000;
/** Contacts that a page changes, and those that it looks at: a tenth of a second with filters on mail. */
const PAGE = 1_000;
const LOOK = 10_000;
const COUNTED_AT_ONCE = 50_000;

/**
 * Works on the job that has waited longest: for five seconds, or to its end. False: none waits. Each page is one
 * transaction with its changes and the new position, so that a process that dies leaves a page boundary.
 */
export async function runBulkJob(wiring: BulkWiring, goOn: () => boolean = () => true): Promise<boolean> {
  const { db, clock } = wiring;
  const token = randomUUID();
  const claimed = await claimJob(db, token, LEASE_SECONDS);
  if (claimed === undefined) return false;
  const held: Held = { ...claimed, token };
  const untilMs = clock.monotonicMs() + TURN_MS;
  try {
    let step: Step = 'more';
    while (step === 'more' && goOn() && clock.monotonicMs() < untilMs) {
      await reach('contacts.bulk-before-page');
      step = await inTransaction(db, (tx) => takeStep({ ...wiring, db: tx }, held));
      await reach('contacts.bulk-after-page');
    }
    if (step === 'more') await giveBackJob(db, held);
  } catch (error) {
    // A failure of the database ends nothing: the process that takes the lease next goes on.
    if (isDatabaseUnavailable(error)) throw error;
    const isExpected = error instanceof AppError;
    if (!isExpected) wiring.log.error({ err: error, jobId: held.id }, 'a bulk action on contacts failed');
    const sentence = isExpected ? error.message : 'Something went wrong on our side.';
    await endJob(db, held, { status: 'failed', error: sentence, at: clock.now() });
  }
  return true;
}

type Step = 'more' | 'end';

async function takeStep(wiring: BulkWiring, held: Held): Promise<Step> {
  const job = await holdJob(wiring.db, held, LEASE_SECONDS);
  if (job === undefined) return 'end';
  if (job.status === 'undoing') return undoPage(wiring, held, job);
  return takePage(wiring, held, job);
}

async function takePage(wiring: BulkWiring, held: Held, job: BulkJob): Promise<Step> {
  const { db, clock, secrets } = wiring;
  const { workspaceId } = held;
  const at = clock.now();
  // As of the beginning: what "the last 30 days" are does not move while the job runs.
  const asked = { db, workspaceId, clock: { ...clock, now: () => job.createdAt } };
  const condition = conditionOf(await openFilter(asked, job.filter));
  if (job.count === null) await countAll(wiring, held, condition);
  const { atId: after, lastId: last } = job;
  if (last === null || after === last) {
    await endJob(db, held, { status: 'completed', error: null, at });
    return 'end';
  }
  const page = { after, last, limit: PAGE, look: LOOK };
  const { ids, end } = await pageOfMatching(db, workspaceId, condition, page);
  const changes = ids.length === 0 ? [] : await applyAction({ db, workspaceId, secrets, at }, job.action, ids);
  if (changes.length > 0) await insertChanges(db, held, changes, at);
  await tellOfAction(db, job, changes);
  await advanceJob(db, held, { atId: end, processed: ids.length, changed: changes.length });
  return 'more';
}

async function countAll({ db }: BulkWiring, held: Held, condition: Parameters<typeof countMatching>[2]): Promise<void> {
  let [count, after]: [number, string | null] = [0, null];
  for (let lookedAt = COUNTED_AT_ONCE; lookedAt === COUNTED_AT_ONCE; ) {
    const part = await countMatching(db, held.workspaceId, condition, { after, look: COUNTED_AT_ONCE });
    count += part.found;
    after = part.last;
    lookedAt = part.lookedAt;
  }
  await noteCount(db, held, count);
}

async function undoPage({ db, clock, secrets }: BulkWiring, held: Held, job: BulkJob): Promise<Step> {
  const at = clock.now();
  const changes = await takeChanges(db, held, PAGE);
  if (changes.length === 0) {
    await endJob(db, held, { status: 'undone', error: null, at });
    return 'end';
  }
  const undone = await undoChanges({ db, workspaceId: held.workspaceId, secrets, at }, job.action, changes);
  await noteUndone(db, held, undone);
  return 'more';
}
