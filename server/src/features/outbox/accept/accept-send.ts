import { beforeCommit, type Db, inOneStatement, inTransaction, onCommit } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import { newId } from '#platform/ids.ts';
import { refusalOf, takeUsage } from '#platform/usage/take-usage.ts';
import type { Take } from '#platform/usage/take.ts';
import { LANES } from '../lane.ts';
import { queueSignal } from '../worker/queue-signal.ts';
import type { AcceptedSend, SendReceipt } from './accepted-send.ts';
import { gatherSend, mayShare } from './gather-sends.ts';
import {
  countRejected,
  type InsertedSend,
  insertSends,
  type SendToInsert,
  suppressedAddresses,
  withoutKey,
} from './queries/accept-sends.ts';

/** The dependencies of accepting in its caller's ctx. */
export interface Accepting {
  readonly workspaceId: string;
  readonly db: Db;
}

/**
 * Takes responsibility for a send: one statement and one commit, shared with sends that come at the same time, any
 * number of recipients. When it returns outside a transaction, the emails are on stable storage; inside one
 * (Idempotency-Key), when that has ended. A take without room throws its refusal and nothing is stored. Running it
 * twice makes two sends.
 */
export async function acceptSend(ctx: Accepting, send: AcceptedSend): Promise<SendReceipt> {
  const given = toInsert(ctx.workspaceId, send);
  await reach('outbox.accept.before-statement');
  const inserted = await store(ctx.db, given);
  if ('refusedBy' in inserted) throw refusalOf(send.takes, inserted.refusedBy);
  onCommit(ctx.db, queueSignal.tell);
  await reach('outbox.accept.after-commit');
  return receiptOf(given, inserted, await leftOutOf(ctx, [given]));
}

/**
 * Accepts many sends in the caller's transaction with one statement. Each becomes a receipt, or the refusal of a take
 * that found no room after those before it.
 */
export async function acceptSends(ctx: Accepting, sends: readonly AcceptedSend[]): Promise<(SendReceipt | Error)[]> {
  const given = sends.map((send) => toInsert(ctx.workspaceId, send));
  const takes = sends.map((send) => send.takes);
  await reach('outbox.accept.before-statement');
  const inserted = await insertSends(ctx.db, given, takes);
  onCommit(ctx.db, queueSignal.tell);
  const leftOut = await leftOutOf(ctx, given);
  return given.map((one, index) => {
    const result = inserted[index];
    if (result === undefined) throw new Error('a send was given and nothing was said of it');
    return 'refusedBy' in result ? refusalOf(one.send.takes, result.refusedBy) : receiptOf(one, result, leftOut);
  });
}

/**
 * Places in limits are taken at the end of a transaction: the row of a key is what all its sends wait for, so it is
 * not held over the round trips (Idempotency-Key) or the megabytes that come before.
 */
async function store(db: Db, given: SendToInsert): Promise<InsertedSend> {
  if (!db.isTransaction && mayShare(given)) return withoutKey(await gatherSend(db, given));
  const { takes } = given.send;
  if (takes.length === 0 && given.send.variants === undefined)
    return inOneStatement(db, (own) => insertOne(own, given));
  return inTransaction(db, async (tx) => {
    const inserted = await insertOne(tx, given);
    beforeCommit(tx, async () => void (await takeUsage(tx, await withoutSuppressed(tx, given, inserted))));
    return inserted;
  });
}

/** The takes of a send that is stored: its suppressed recipients take no place in caps and quotas. */
async function withoutSuppressed(tx: Db, given: SendToInsert, inserted: InsertedSend): Promise<readonly Take[]> {
  const { workspaceId, emailIds, send } = given;
  if ('refusedBy' in inserted || !send.takes.some((take) => take.ofRecipients)) return send.takes;
  // Of a grouped message only the events say which of its addresses are suppressed.
  const left =
    send.grouped === undefined ? inserted.suppressed.size : await countRejected(tx, workspaceId, emailIds[0] ?? '');
  return send.takes.map((take) => (take.ofRecipients ? { ...take, count: take.count - left } : take));
}

async function insertOne(db: Db, given: SendToInsert): Promise<InsertedSend> {
  const [inserted] = await insertSends(db, [given], []);
  if (inserted === undefined) throw new Error('a send was given and nothing was said of it');
  return inserted;
}

/** A send with the ids that it and its emails will have. */
export function toInsert(workspaceId: string, send: AcceptedSend): SendToInsert {
  const { grouped } = send;
  const addresses = grouped === undefined ? send.recipients : [...grouped.to, ...grouped.cc, ...grouped.bcc];
  if (addresses.length === 0) throw new Error('a send without recipients was accepted');
  return {
    workspaceId,
    jobId: newId(),
    contentId: newId(),
    send,
    lane: LANES[send.lane],
    emailIds: grouped === undefined ? addresses.map(() => newId()) : [newId()],
    eventIds: addresses.map(() => newId()),
    variantIds: send.variants?.map(() => newId()) ?? [],
    addresses,
  };
}

type LeftOut = ReadonlyMap<string, readonly string[]>;

/** Outside a transaction the emails are committed, and nothing that fails may make them look refused. */
async function leftOutOf({ db, workspaceId }: Accepting, sends: readonly SendToInsert[]): Promise<LeftOut> {
  if (!db.isTransaction) return new Map();
  const groups = sends.filter(({ send }) => send.grouped !== undefined);
  return suppressedAddresses(
    db,
    workspaceId,
    groups.flatMap(({ emailIds }) => emailIds),
  );
}

function receiptOf(
  given: SendToInsert,
  inserted: Exclude<InsertedSend, { refusedBy: number }>,
  leftOut: LeftOut,
): SendReceipt {
  const { suppressed, used } = inserted;
  return {
    jobId: given.jobId,
    total: given.emailIds.length,
    suppressed: suppressed.size,
    emails: given.emailIds.map((id, index) => ({
      id,
      // A grouped message is known by the first of its addresses.
      recipient: given.addresses[index]?.identity ?? '',
      status: suppressed.has(index) ? 'suppressed' : 'queued',
      leftOut: leftOut.get(id) ?? [],
    })),
    used,
  };
}
