import { queue } from '#features/outbox';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { systemActor } from '#platform/http/context.ts';
import { type DueService, missedWindow } from '#platform/work/due-service.ts';
import type { Newsletter } from '../../newsletter.ts';
import { selectNewsletter } from '../../queries.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import type { Issue } from '../issue.ts';
import { publishIssueFailed } from './issue-events.ts';
import type { IssuesCtx } from '../issues-ctx.ts';
import { type DueIssue, listDueIssues, lockDueIssue, markDueFailed } from './move-queries.ts';
import { noteAuditEntries } from './note-audit-entries.ts';
import { startSending } from './send-issue.ts';

interface Fault {
  code: string;
  message: string;
}

/** Why an issue cannot be sent now, though it could when it was scheduled. */
class CannotBeSent extends Error {
  readonly issue: Issue;
  readonly newsletter: Newsletter;
  readonly fault: Fault;

  constructor(issue: Issue, newsletter: Newsletter, fault: Fault) {
    super(fault.message);
    this.issue = issue;
    this.newsletter = newsletter;
    this.fault = fault;
  }
}

/**
 * Sends scheduled issues when their time has come. Each is sent once, however many processes look: the move is
 * conditional and the row is locked. An issue that is no longer fit to be sent, or is a day late, fails with the
 * reason. An issue of a paused workspace stays scheduled until the workspace is resumed, and every issue while sending
 * is held.
 */
export const createDueService = (wiring: NewslettersWiring): DueService =>
  queue.dueService(wiring, {
    name: 'scheduled issues',
    list: (asked) => listDueIssues(wiring.db, asked),
    start: (due) => sendDue(wiring, due),
  });

/** True: the issue was started or has failed. False: another process has it, or it is not due any more. */
async function sendDue(wiring: NewslettersWiring, due: DueIssue): Promise<boolean> {
  try {
    return await inTransaction(wiring.db, async (tx) => {
      const issue = await lockDueIssue(tx, due);
      const newsletter = issue && (await selectNewsletter(tx, due.workspaceId, due.newsletterId));
      if (issue === undefined || newsletter === undefined) return false;
      const missed = missedWindow(issue.lateSeconds);
      if (missed !== undefined) throw new CannotBeSent(issue, newsletter, missed);
      const by = issue.sentBy ?? { type: 'system', id: null, email: null, mode: 'live' };
      try {
        const { auditEntries } = await startSending(ctxOf(wiring, due.workspaceId, tx), wiring, newsletter, issue, by);
        noteAuditEntries(tx, wiring, { issue, auditEntries });
        return true;
      } catch (error) {
        // First undo the work so far: the failure is recorded in a transaction of its own.
        if (error instanceof AppError && isFinal(error)) throw new CannotBeSent(issue, newsletter, faultOf(error));
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
  requestId: '',
  ip: '',
  clock,
  settings,
  secrets,
});

/** The faults that only a person can remedy. */
const isFinal = (error: AppError): boolean => error.name === 'validation_error' || error.name === 'not_found_error';

const faultOf = ({ name, message, extras }: AppError): Fault => ({ code: extras.param ?? name, message });

async function failDue(wiring: NewslettersWiring, { issue, newsletter, fault: error }: CannotBeSent): Promise<boolean> {
  return inTransaction(wiring.db, async (tx) => {
    const failed = await markDueFailed(tx, issue, error);
    if (failed === undefined) return false;
    await publishIssueFailed(tx, newsletter, failed, error, 0);
    const auditEntry = { action: 'failed', details: { error: error.message, code: error.code } };
    noteAuditEntries(tx, wiring, { issue: failed, auditEntries: [auditEntry] });
    return true;
  });
}
