import { acceptSend } from '#features/outbox';
import { reach } from '#platform/fault-points.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { type Ctx, systemActor } from '#platform/http/context.ts';
import { missedWindow } from '#platform/work/due-service.ts';
import { type DueEmail, lockDueEmail } from '../queries/due.ts';
import { markNotSent, markProcessing } from '../queries/moves.ts';
import { deleteFiles, loadFiles } from '../queries/one.ts';
import { note } from '../reading/read-scheduled.ts';
import type { ScheduledEmail } from '../scheduled-email.ts';
import type { ScheduledWiring } from '../wiring.ts';
import { dueSend, IsPaused } from './due-send.ts';
import { publishFailed } from './scheduled-events.ts';

/** Why an email cannot be sent now, though it could when it was scheduled. */
class CannotBeSent extends Error {
  readonly row: ScheduledEmail;
  readonly fault: Fault;

  constructor(row: ScheduledEmail, fault: Fault) {
    super(fault.message);
    this.row = row;
    this.fault = fault;
  }
}

interface Fault {
  code: string;
  message: string;
}

/**
 * Queues the emails of one whose time has come, in the transaction that takes it from `scheduled`: of any number of
 * processes one does it, and one that is killed has either done both or neither. True: it was started, or has failed.
 * False: another process has it, it is not due any more, or its workspace is paused.
 */
export async function startDue(wiring: ScheduledWiring, due: DueEmail): Promise<boolean> {
  let seen: ScheduledEmail | undefined;
  try {
    const isStarted = await inTransaction(wiring.db, async (tx) => {
      const row = await lockDueEmail(tx, due);
      if (row === undefined) return false;
      seen = row;
      const missed = missedWindow(row.lateSeconds, row.maxDelaySeconds ?? undefined);
      if (missed !== undefined) throw new CannotBeSent(row, missed);
      await accept(wiring, tx, row);
      await reach('scheduled.start.before-commit');
      return true;
    });
    await reach('scheduled.start.after-commit');
    return isStarted;
  } catch (error) {
    if (error instanceof CannotBeSent) return failDue(wiring, error);
    if (error instanceof IsPaused) return false;
    // First the work so far was undone: the failure is recorded in a transaction of its own.
    const fault = seen !== undefined && error instanceof AppError ? faultOf(error) : undefined;
    if (seen === undefined || fault === undefined) throw error;
    return failDue(wiring, new CannotBeSent(seen, fault));
  }
}

async function accept(wiring: ScheduledWiring, tx: Db, row: ScheduledEmail): Promise<void> {
  const ctx = ctxOf(wiring, row, tx);
  const files = await loadFiles(tx, row.workspaceId, row.id);
  const send = await dueSend(ctx, wiring, row, files);
  const { jobId } = await acceptSend(ctx, {
    ...send,
    sandbox: send.sandbox || row.isTest,
    apiKey: row.apiKeyId === null ? null : { id: row.apiKeyId },
  });
  const started = await markProcessing(tx, row, jobId);
  if (started === undefined) throw new Error('a scheduled email was held and could not be started');
  // The send has its own copy now.
  await deleteFiles(tx, row.workspaceId, row.id);
  note(ctx, wiring, { row: started, action: 'send_started' });
}

function ctxOf(wiring: ScheduledWiring, row: ScheduledEmail, db: Db): Ctx {
  const { clock, log, settings, secrets } = wiring;
  const { workspaceId, requestId } = row;
  const of = { workspaceId, db, clock, log, settings, secrets, requestId: requestId ?? '' };
  // Test keys may send drafts of templates.
  return { ...of, actor: { ...systemActor, mode: row.isTest ? 'test' : 'live' }, ip: '' };
}

/** Undefined: not for good, such as a lost database, which comes back. */
function faultOf(error: AppError): Fault | undefined {
  const { message } = error;
  if (error.name === 'validation_error') return { code: error.extras.param ?? error.name, message };
  if (error.name === 'permission_error') return { code: 'limit_reached', message };
  return undefined;
}

async function failDue(wiring: ScheduledWiring, { row, fault }: CannotBeSent): Promise<boolean> {
  return inTransaction(wiring.db, async (tx) => {
    const failed = await markNotSent(tx, row, fault);
    // It was changed since it was read, and may be all right now.
    if (failed === undefined) return false;
    await deleteFiles(tx, row.workspaceId, row.id);
    await publishFailed(tx, [{ ...failed, sendId: null, fault }]);
    note(ctxOf(wiring, row, tx), wiring, {
      row: failed,
      action: 'failed',
      details: { error: fault.message, code: fault.code },
    });
    return true;
  });
}
