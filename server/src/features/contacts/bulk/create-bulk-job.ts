import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { AppError, conflict, invalid, notFound, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid, newId } from '#platform/ids.ts';
import { describe, NO_DESCRIPTION } from '../contact-input.ts';
import { missingLists } from '../lists/queries.ts';
import { declareProperties } from '../properties/declare-properties.ts';
import { checkProperties } from '../properties/property-types.ts';
import { requireLists } from '../segments/change-segments.ts';
import { countForASecond } from '../segments/contacts-of-segment.ts';
import { writtenFilter } from '../segments/filter.ts';
import { conditionOf, openFilter } from '../segments/read-segment.ts';
import { Action, BulkChange, type BulkJob, undoUntil } from './bulk-job.ts';
import { beginUndo, countOpenJobs, findJob, insertJob, lockJob } from './job-queries.ts';

const OPEN_MAX = 10;

export async function getBulkJob(ctx: Pick<Ctx, 'db' | 'workspaceId'>, id: string): Promise<BulkJob> {
  const job = isUuid(id) ? await findJob(ctx.db, ctx.workspaceId, id) : undefined;
  if (job === undefined) throw notFound('bulk job', id);
  return job;
}

/**
 * Queues an action on all contacts that meet a filter. Throws 422 for a filter or an action that makes no sense, and
 * 409 while too many jobs wait. The count is known at once when a second is enough for it.
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

async function judgeAction(ctx: Ctx, action: Action): Promise<void> {
  requireKnown(action, Action, 'action');
  const { type, list_id, set } = action;
  const needsList = type === 'add_to_list' || type === 'remove_from_list';
  if (needsList && list_id === undefined) throw invalid('action.list_id', 'action.list_id is required');
  if (!needsList && list_id !== undefined) throw unacceptable('action.list_id', `${type} takes no list_id`);
  if (list_id !== undefined && (await missingLists(ctx.db, ctx.workspaceId, [list_id])).size > 0) {
    throw unacceptable('action.list_id', 'action.list_id names a list that is not there');
  }
  const isUpdate = type === 'update';
  if (isUpdate && set === undefined) throw invalid('action.set', 'action.set is required');
  if (isUpdate !== (set !== undefined && Object.keys(set).length > 0)) {
    throw unacceptable('action.set', isUpdate ? 'action.set must have at least one field' : `${type} takes no set`);
  }
  if (set !== undefined) await judgeSet(ctx, set);
}

/**
 * An unknown field of an action is refused, as one of a filter is: without it the job would do something else to every
 * contact that meets the filter, or nothing.
 */
function requireKnown(given: object, { properties }: typeof Action | typeof BulkChange, at: string): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
  if (unknown === undefined) return;
  const param = `${at}.${unknown.slice(0, 64)}`;
  throw unacceptable(param, `${param} is unknown: this takes only ${Object.keys(properties).join(', ')}`);
}

/** The faults that the fields of a contact can have, in their place. */
async function judgeSet(ctx: Ctx, set: NonNullable<Action['set']>): Promise<void> {
  requireKnown(set, BulkChange, 'action.set');
  try {
    if (set.properties !== undefined) checkProperties(set.properties);
    describe(NO_DESCRIPTION, set);
    const [fault] = await declareProperties(ctx, [set.properties ?? {}]);
    if (fault != null) throw fault;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const refuse = error.extras.unacceptable === true ? unacceptable : invalid;
    throw refuse(`action.set.${error.extras.param ?? ''}`, `action.set: ${error.message}`);
  }
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
