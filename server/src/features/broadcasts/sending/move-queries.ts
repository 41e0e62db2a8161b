/**
 * The moves of a broadcast that has been let go: each says in its `where` which state it leads from, so that of any
 * number of processes that try it one does it.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SentBy } from '#platform/http/context.ts';
import type { Broadcast } from '../broadcast.ts';
import { columns } from '../queries.ts';

interface BroadcastKey {
  workspaceId: string;
  id: string;
}

interface Fault {
  code: string;
  message: string;
}

type Fragment = RawBuilder<unknown>;

/** One at a local time of its recipients has a time of its own, when somebody's local time comes. */
const isDue = (until: Fragment): Fragment => sql`(
  (b.starts_at is null and b.scheduled_for <= ${until}) or b.starts_at <= ${until})`;

/** Undefined: the broadcast is not (any more) as `where` says. */
async function move(tx: Db, workspaceId: string, set: Fragment, where: Fragment): Promise<Broadcast | undefined> {
  const { rows } = await sql<Broadcast>`
    update broadcasts b set ${set}, updated_at = now()
     where b.workspace_id = ${workspaceId} and ${where}
    returning ${columns}`.execute(tx);
  return rows[0];
}

const isBeingSent = (sendId: string): Fragment => sql`b.send_id = ${sendId} and b.status = 'sending'`;
const failedWith = ({ code, message }: Fault): Fragment =>
  sql`status = 'failed', failed_at = now(), error = ${message}, error_code = ${code}`;

/** From draft or scheduled. */
export const markSending = (
  tx: Db,
  { workspaceId, id }: BroadcastKey,
  started: {
    by: SentBy;
    sendId: string;
    total: number;
    templateVersion: number | null;
    finishBy: Date | null;
    recipientTimezone: boolean;
    variables: Record<string, unknown>;
  },
) =>
  move(
    tx,
    workspaceId,
    sql`status = 'sending', started_at = now(), awaits_finish = true, sent_by = ${JSON.stringify(started.by)}::jsonb,
        send_id = ${started.sendId}, total_recipients = ${started.total}, template_version = ${started.templateVersion}, finish_by = ${started.finishBy},
        recipient_timezone = ${started.recipientTimezone},
        sent_variables = ${JSON.stringify(started.variables)}::jsonb`,
    sql`b.id = ${id} and b.status in ('draft', 'scheduled')`,
  );

/** A page of its recipients was written. */
export const countPage = (tx: Db, workspaceId: string, sendId: string, passedOver: number) =>
  move(
    tx,
    workspaceId,
    sql`pages_completed = b.pages_completed + 1, skipped_unsubscribed = b.skipped_unsubscribed + ${passedOver}::integer`,
    sql`b.send_id = ${sendId}`,
  );

/** From sending to `sent`, when its send is released; undefined when it was cancelled or has failed before. */
export const markReleased = (tx: Db, workspaceId: string, sendId: string, total: number) =>
  move(tx, workspaceId, sql`status = 'sent', sent_at = now(), total_recipients = ${total}`, isBeingSent(sendId));

/** From sending, when its send cannot go on. */
export const markSendFailed = (tx: Db, workspaceId: string, sendId: string, fault: Fault) =>
  move(tx, workspaceId, failedWith(fault), isBeingSent(sendId));

/**
 * From scheduled, when what it needs is not there at its time; undefined when it was changed since it was read (it may
 * be all right now), or sent, or cancelled.
 */
export const markDueFailed = (
  tx: Db,
  { workspaceId, id, updatedAt }: BroadcastKey & { updatedAt: Date },
  fault: Fault,
) =>
  move(
    tx,
    workspaceId,
    failedWith(fault),
    sql`b.id = ${id} and b.status = 'scheduled' and ${isDue(sql`clock_timestamp()`)}
      and date_trunc('milliseconds', b.updated_at) = ${updatedAt}`,
  );

/** From the state it was seen in. */
export const markCancelled = (tx: Db, { workspaceId, id }: BroadcastKey, from: 'scheduled' | 'sending') =>
  move(tx, workspaceId, sql`status = 'cancelled', cancelled_at = now()`, sql`b.id = ${id} and b.status = ${from}`);

/** Undefined: somebody else was first. */
export const markFinished = (tx: Db, { workspaceId, id }: BroadcastKey) =>
  move(tx, workspaceId, sql`finished_at = now(), awaits_finish = false`, sql`b.id = ${id} and b.awaits_finish`);

/** Refused emails of its send are tried again: it is not finished any more. */
export const reopen = (tx: Db, workspaceId: string, sendId: string) =>
  move(
    tx,
    workspaceId,
    sql`finished_at = null, awaits_finish = true`,
    sql`b.send_id = ${sendId} and (b.finished_at is not null or not b.awaits_finish)`,
  );

export async function findBroadcastOfSend(db: Db, workspaceId: string, sendId: string): Promise<Broadcast | undefined> {
  const { rows } = await sql<Broadcast>`
    select ${columns} from broadcasts b where b.workspace_id = ${workspaceId} and b.send_id = ${sendId}`.execute(db);
  return rows[0];
}

export async function listAwaitingFinish(
  db: Db,
  after: (BroadcastKey & { sendId: string | null }) | null,
  limit: number,
): Promise<(BroadcastKey & { sendId: string | null })[]> {
  const { rows } = await sql<BroadcastKey & { sendId: string | null }>`
    -- every workspace: one service looks for everybody
    select b.workspace_id as "workspaceId", b.id, b.send_id as "sendId" from broadcasts b
     where b.awaits_finish
       and (${after === null} or (b.workspace_id, b.id) > (${after?.workspaceId ?? null}::uuid, ${after?.id ?? null}::uuid))
     order by b.workspace_id, b.id limit ${limit}`.execute(db);
  return rows;
}

/** A look at one at a local time counts its audience, and most of them only find that it is too early. */
const LOOKS_MAX = 3;

/**
 * Scheduled broadcasts whose time has come, those that wait longest first; behind them a few at a local time that are
 * to be looked at, beside those that have `failed`. `until`: the time that has passed for certain, because the clock
 * of the database may have been set forward.
 */
export async function listDue(
  db: Db,
  { limit, until, failed }: { limit: number; until: Date; failed: number },
): Promise<BroadcastKey[]> {
  const passed = sql`least(statement_timestamp(), ${until})`;
  const { rows } = await sql<BroadcastKey>`
    -- every workspace: one service looks for everybody. A workspace that is paused keeps what it has scheduled.
    with by_time as materialized (
      select b.workspace_id, b.id, b.scheduled_for as at from broadcasts b
        join workspaces w on w.id = b.workspace_id and w.status = 'active'
       where b.status = 'scheduled' and b.starts_at is null and b.scheduled_for <= ${passed}
       order by b.scheduled_for limit ${limit}
    ), by_start as materialized (
      select b.workspace_id, b.id, b.starts_at as at from broadcasts b
        join workspaces w on w.id = b.workspace_id and w.status = 'active'
       where b.status = 'scheduled' and b.starts_at <= ${passed}
       order by b.starts_at limit ${LOOKS_MAX + failed}
    )
    select d.workspace_id as "workspaceId", d.id
      from (select 1 as place, * from by_time union all select 2, * from by_start) d
     order by d.place, d.at`.execute(db);
  return rows;
}

/** Lets the worker look later at one that is scheduled, unless it was changed since it was read. */
export async function postponeStart(
  tx: Db,
  { workspaceId, id, updatedAt }: BroadcastKey & { updatedAt: Date },
  startsAt: Date,
): Promise<void> {
  await sql`
    update broadcasts b set starts_at = ${startsAt}
     where b.workspace_id = ${workspaceId} and b.id = ${id} and b.status = 'scheduled'
       and date_trunc('milliseconds', b.updated_at) = ${updatedAt}`.execute(tx);
}

/** The broadcast, held, when it is still due and no other process has it, and by how much its time has passed. */
export async function lockDue(
  tx: Db,
  { workspaceId, id }: BroadcastKey,
): Promise<(Broadcast & { lateSeconds: number }) | undefined> {
  const { rows } = await sql<Broadcast & { lateSeconds: number }>`
    select ${columns}, extract(epoch from clock_timestamp() - b.scheduled_for)::double precision as "lateSeconds"
      from broadcasts b
     where b.workspace_id = ${workspaceId} and b.id = ${id} and b.status = 'scheduled'
       and ${isDue(sql`clock_timestamp()`)}
       for update skip locked`.execute(tx);
  return rows[0];
}
