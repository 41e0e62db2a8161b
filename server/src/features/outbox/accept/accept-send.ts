import { type Db, onCommit } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import { newId } from '#platform/ids.ts';
import type { AcceptedSend, SendReceipt } from './accepted-send.ts';
import { LANES } from '../lane.ts';
import { storeSend } from './gather-sends.ts';
import { announceQueued } from '../worker/queue-signal.ts';

/** What accepting needs of its caller's ctx. */
interface Accepting {
  readonly workspaceId: string;
  readonly db: Db;
}

/**
 * Takes responsibility for a send: one statement, one commit (shared with sends that came at the same time), any number of recipients. When it returns outside a
 * transaction, the emails are on stable storage; inside one (Idempotency-Key, batch), when that has ended. A
 * reservation without room raises its own SQLSTATE, which goes to the caller untouched, and nothing is stored.
 * Running it twice makes two sends.
 */
export async function acceptSend(ctx: Accepting, send: AcceptedSend): Promise<SendReceipt> {
  const { grouped } = send;
  const addresses = grouped === undefined ? send.recipients : [...grouped.to, ...grouped.cc, ...grouped.bcc];
  const [first] = addresses;
  if (first === undefined) throw new Error('a send without recipients was accepted');
  const jobId = newId();
  const emailIds = grouped === undefined ? addresses.map(() => newId()) : [newId()];

  await reach('outbox.accept.before-statement');
  const given = {
    workspaceId: ctx.workspaceId,
    jobId,
    contentId: newId(),
    send,
    lane: LANES[send.lane],
    emailIds,
    eventIds: addresses.map(() => newId()),
    addresses,
  };
  const statuses = await storeSend(ctx.db, given);
  onCommit(ctx.db, announceQueued);
  await reach('outbox.accept.after-commit');

  const emails = emailIds.map((id, index) => ({
    id,
    recipient: (grouped === undefined ? addresses[index] : first)?.identity ?? first.identity,
    status: statuses[index] ?? 'queued',
  }));
  return {
    jobId,
    total: emails.length,
    suppressed: emails.filter((email) => email.status === 'suppressed').length,
    emails,
  };
}
