import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, notFound, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid, newId } from '#platform/ids.ts';
import { missingLists } from '../lists/queries.ts';
import { declareProperties } from '../properties/declare-properties.ts';
import { requireLists } from '../segments/change-segments.ts';
import { countForASecond } from '../segments/contacts-of-segment.ts';
import { writtenFilter } from '../segments/filter.ts';
import { conditionOf, openFilter } from '../segments/read-segment.ts';
import { type Action, type BulkJob, undoUntil } from './bulk-job.ts';
import { beginUndo, countOpenJobs, findJob, insertJob, lockJob } from './job-queries.ts';
import { faultInSet } from './read-action.ts';

const OPEN_MAX = 10;

export async function getBulkJob(ctx: Pick<Ctx, 'db' | 'workspaceId'>, id: string): Promise<BulkJob> {
  const job = isUuid(id) ? await findJob(ctx.db, ctx.workspaceId, id) : undefined;
  if (job === undefined) throw notFound('bulk job', id);
  return job;
}

/**
 * Queues an action on all contacts that meet a filter, once `readNewJob` has read both. Throws 422 for a filter or an
 * action that does not fit the workspace, and 409 while too many jobs wait. The count is known at once when a second is
 * enough for it.
 */
export async function createBulkJob(ctx: Ctx, given: { filter: unknown; action: Action }): Promise<BulkJob> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const { action } = given;
    await judgeAction(inside, action);
    const open = await openFilter(inside, given.filter);
    await requireLists(inside, open.filter);
    if ((await countOpenJobs(tx, ctx.workspaceId)) >= OPEN_MAX) {
      throw conflict(`At most ${OPEN_MAX} bulk jobs of a workspace wait at a time. Wait until one has ended.`);
    }
    const counted = await countForASecond(inside, conditionOf(open));
    const id = newId();
    const filter = writtenFilter(open.filter);
    const count = counted.complete ? counted.count : null;
    const { workspaceId, actor, clock } = ctx;
    await insertJob(tx, { workspaceId, id, filter, action, count, mode: actor.mode, createdAt: clock.now() });
    await noteJob(inside, id, 'started', { type: action.type, count });
    return getBulkJob(inside, id);
  });
}

/** Judges the parts of an action that only the database knows: its list, and the types of the properties it sets. */
async function judgeAction(ctx: Ctx, { list_id, set }: Action): Promise<void> {
  if (list_id !== undefined && (await missingLists(ctx.db, ctx.workspaceId, [list_id])).size > 0) {
    throw unacceptable('action.list_id', 'action.list_id names a list that is not there');
  }
  if (set === undefined) return;
  const [fault] = await declareProperties(ctx, [set.properties ?? {}]);
  if (fault != null) throw faultInSet(fault);
}

/** Throws 409 while the job is at work, when it was undone, and when its time to be undone is over. */
export async function undoBulkJob(ctx: Ctx, id: string): Promise<BulkJob> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const job = isUuid(id) ? await lockJob(tx, ctx.workspaceId, id) : undefined;
    if (job === undefined) throw notFound('bulk job', id);
    const until = undoUntil(job);
    if (until === null) throw conflict(`A bulk job that is ${job.status} cannot be undone.`);
    if (until <= ctx.clock.now()) throw conflict('A bulk job can be undone for 24 hours after its end.');
    await beginUndo(tx, ctx.workspaceId, id);
    await noteJob(inside, id, 'undone', { type: job.action.type });
    return getBulkJob(inside, id);
  });
}

const noteJob = (ctx: Ctx, id: string, action: string, details: Record<string, unknown>): Promise<void> =>
  recordSecurityEvent(ctx.db, ctx, {
    action: `contact_bulk.${action}`,
    targetType: 'contact_bulk_job',
    targetId: id,
    details,
  });
