import { queue } from '#features/outbox';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { DatabaseClock } from '#platform/db/database-clock.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { systemActor } from '#platform/http/context.ts';
import { Moment } from '#platform/moments.ts';
import { LaterTries } from '#platform/work/later-tries.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import type { Newsletter } from '../../newsletter.ts';
import { selectNewsletter } from '../../queries.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import type { Issue } from '../issue.ts';
import { publishIssueFailed } from './issue-events.ts';
import type { IssuesCtx } from '../issues-ctx.ts';
import { type DueIssue, listDueIssues, lockDueIssue, markDueFailed } from './move-queries.ts';
import { noteAuditEntries } from './note-audit-entries.ts';
import { startSending } from './send-issue.ts';

/** An issue starts at most this late, plus the time that starting takes. */
const EVERY_MS = 500;
const AT_ONCE = 20;

/** Why an issue cannot be sent now, though it could when it was scheduled. */
class CannotBeSent extends Error {
  readonly issue: Issue;
  readonly newsletter: Newsletter;
  readonly refusal: AppError;

  constructor(issue: Issue, newsletter: Newsletter, refusal: AppError) {
    super(refusal.message);
    this.issue = issue;
    this.newsletter = newsletter;
    this.refusal = refusal;
  }
}

export interface DueService extends Loop {
  /** Starts the issues that are due now. Returns how many were started or have failed. */
  runOnce(): Promise<number>;
  moments: { round: Moment<number> };
}

/**
 * Sends scheduled issues when their time has come by the clock of the database, never earlier. They wait while that
 * clock is not believed, after a step forward. Each is sent once,
 * however many processes look: the move is conditional and the row is locked. An issue that was due while no process
 * ran is sent as soon as one runs, however late. An issue that is no longer fit to be sent fails, with the reason. An
 * issue of a paused workspace stays scheduled until the workspace is resumed, and every issue while sending is held.
 */
export function createDueService(wiring: NewslettersWiring): DueService {
  const tries = new LaterTries(wiring.clock);
  const moments = { round: new Moment<number>() };
  const databaseClock = new DatabaseClock({ ...wiring, holds: 'scheduled issues' });

  const settle = async (due: DueIssue): Promise<boolean> => {
    if (!tries.mayTry(due.id)) return false;
    try {
      const isSettled = await sendDue(wiring, due);
      tries.settled(due.id);
      return isSettled;
    } catch (error) {
      tries.failed(due.id);
      wiring.log.error({ err: error, issueId: due.id }, 'a scheduled issue could not be started; it is tried again');
      return false;
    }
  };

  const runOnce = async (goOn: () => boolean = () => true): Promise<number> => {
    const { until } = await databaseClock.look();
    const isHeld = (await queue.hold.find(wiring.db)) !== undefined;
    const due = isHeld ? [] : await listDueIssues(wiring.db, { limit: AT_ONCE + tries.waiting, until });
    let settled = 0;
    for (const issue of due) {
      if (!goOn()) break;
      if (await settle(issue)) settled += 1;
    }
    if (due.length === 0) tries.forgetAll();
    moments.round.occur(settled);
    return settled;
  };

  const service = loop({
    name: 'scheduled issues',
    everyMs: EVERY_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'scheduled issues cannot be looked for; trying again',
    round: runOnce,
  });
  return { ...service, runOnce: () => runOnce(), moments };
}

/** True: the issue was started or has failed. False: another process has it, or it is not due any more. */
async function sendDue(wiring: NewslettersWiring, due: DueIssue): Promise<boolean> {
  try {
    return await inTransaction(wiring.db, async (tx) => {
      const issue = await lockDueIssue(tx, due);
      const newsletter = issue && (await selectNewsletter(tx, due.workspaceId, due.newsletterId));
      if (issue === undefined || newsletter === undefined) return false;
      const by = issue.sentBy ?? { type: 'system', id: null, email: null, mode: 'live' };
      try {
        const { auditEntries } = await startSending(ctxOf(wiring, due.workspaceId, tx), wiring, newsletter, issue, by);
        noteAuditEntries(tx, wiring, { issue, auditEntries });
        return true;
      } catch (error) {
        // First undo the work so far: the failure is recorded in a transaction of its own.
        if (error instanceof AppError && isFinal(error)) throw new CannotBeSent(issue, newsletter, error);
        throw error;
      }
    });
  } catch (error) {
    if (error instanceof CannotBeSent) return failDue(wiring, error);
    // The workspace was paused at this moment: the issue waits, like the other issues of it.
    if (error instanceof AppError && error.name === 'permission_error') return false;
    throw error;
  }
}

const ctxOf = ({ clock, settings, secrets }: NewslettersWiring, workspaceId: string, tx: Db): IssuesCtx => ({
  db: tx,
  workspaceId,
  actor: systemActor,
  ip: '',
  clock,
  settings,
  secrets,
});

/** The faults that only a person can remedy. */
const isFinal = (error: AppError): boolean => error.name === 'validation_error' || error.name === 'not_found_error';

async function failDue(wiring: NewslettersWiring, { issue, newsletter, refusal }: CannotBeSent): Promise<boolean> {
  const error = { code: refusal.extras.param ?? refusal.name, message: refusal.message };
  return inTransaction(wiring.db, async (tx) => {
    const failed = await markDueFailed(tx, issue, error);
    if (failed === undefined) return false;
    await publishIssueFailed(tx, newsletter, failed, error, 0);
    const auditEntry = { action: 'failed', details: { error: error.message, code: error.code } };
    noteAuditEntries(tx, wiring, { issue: failed, auditEntries: [auditEntry] });
    return true;
  });
}
