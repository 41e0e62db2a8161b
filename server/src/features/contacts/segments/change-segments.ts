import { isDeepStrictEqual } from 'node:util';
import { recordSecurityEvent } from '#features/workspaces';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { conflict, notFound, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid, newId } from '#platform/ids.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import { missingLists } from '../lists/queries.ts';
import { listAllTypes } from '../properties/property-queries.ts';
import { conditionsOf, type Group, segmentsIn, writtenFilter } from './filter.ts';
import { judgeLinks } from './judge-links.ts';
import {
  countSegments,
  deleteSegment,
  findSegment,
  insertSegment,
  listSegments,
  listUsers,
  lockSegment,
  lockSegments,
  updateSegment,
} from './queries.ts';
import { readFilter } from './read-filter.ts';
import { type Segment, SEGMENTS_MAX } from './segment.ts';

type Asking = Pick<Ctx, 'db' | 'workspaceId'>;

export async function getSegment(ctx: Asking, id: string): Promise<Segment> {
  return found(isUuid(id) ? await findSegment(ctx.db, ctx.workspaceId, id) : undefined, id);
}

function found(segment: Segment | undefined, id: string): Segment {
  if (segment === undefined) throw notFound('segment', id);
  return segment;
}

/** Throws 422 for a filter that cannot be stored, and 409 when the workspace has as many segments as it may. */
export async function createSegment(ctx: Ctx, input: { name: string; filter: unknown }): Promise<Segment> {
  const { workspaceId } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    await lockSegments(tx, workspaceId);
    if ((await countSegments(tx, workspaceId, null)) >= SEGMENTS_MAX) {
      throw conflict(`A workspace has at most ${SEGMENTS_MAX} segments. Delete one first.`);
    }
    const id = newId();
    const filter = await judgeFilter({ ...ctx, db: tx }, input.filter, id);
    const now = ctx.clock.now();
    const { name } = input;
    const segment = { workspaceId, id, name, ...filter, createdAt: now, updatedAt: now };
    await insertSegment(tx, segment);
    await noteSegment(ctx, tx, segment, { action: 'created' });
    return segment;
  });
}

/** Changes what is given and nothing else. */
export async function changeSegment(
  ctx: Ctx,
  id: string,
  input: { name?: string; filter?: unknown },
): Promise<Segment> {
  return inTransaction(ctx.db, async (tx) => {
    await lockSegments(tx, ctx.workspaceId);
    const before = found(isUuid(id) ? await lockSegment(tx, ctx.workspaceId, id) : undefined, id);
    const filter = input.filter === undefined ? {} : await judgeFilter({ ...ctx, db: tx }, input.filter, id);
    const after: Segment = { ...before, ...filter, name: input.name ?? before.name };
    if (isDeepStrictEqual(after, before)) return before;
    const changed = { ...after, updatedAt: ctx.clock.now() };
    await updateSegment(tx, changed);
    const changes = changedFields<Segment>(before, after, ['name', 'filter']) ?? {};
    await noteSegment(ctx, tx, changed, { action: 'updated', details: { changes } });
    return changed;
  });
}

/** Throws 409 while another segment names it. */
export async function removeSegment(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockSegments(tx, ctx.workspaceId);
    const segment = found(isUuid(id) ? await lockSegment(tx, ctx.workspaceId, id) : undefined, id);
    const users = await listUsers(tx, ctx.workspaceId, id);
    if (users.length > 0) throw conflict(`These segments name it: ${users.join(', ')}. Change or delete them first.`);
    await deleteSegment(tx, ctx.workspaceId, id);
    await noteSegment(ctx, tx, segment, { action: 'deleted' });
  });
}

/** A filter that is to be stored under this id: read, with lists and segments that are there. */
async function judgeFilter(ctx: Asking, given: unknown, id: string): Promise<Pick<Segment, 'filter' | 'uses'>> {
  const types = await listAllTypes(ctx.db, ctx.workspaceId);
  const filter = readFilter(given, types);
  await requireLists(ctx, filter);
  const others = await listSegments(ctx.db, ctx.workspaceId);
  const filters = new Map(others.map((one) => [one.id, readFilter(one.filter, types)]));
  judgeLinks(id, filters.set(id, filter));
  return { filter: writtenFilter(filter), uses: segmentsIn(filter) };
}

/** 422 with the place of a list that is not there. */
export async function requireLists({ db, workspaceId }: Asking, filter: Group): Promise<void> {
  const named = conditionsOf(filter).flatMap(({ at, test }) => (test.kind === 'list' ? [{ at, id: test.id }] : []));
  if (named.length === 0) return;
  const missing = await missingLists(
    db,
    workspaceId,
    named.map(({ id }) => id),
  );
  const wrong = named.find(({ id }) => missing.has(id));
  if (wrong !== undefined) throw unacceptable(`${wrong.at}.field`, `${wrong.at}.field names a list that is not there`);
}

const noteSegment = (
  ctx: Ctx,
  tx: Db,
  { id, name }: Segment,
  { action, details = {} }: { action: string; details?: Record<string, unknown> },
): Promise<void> =>
  recordSecurityEvent(tx, ctx, {
    action: `contact_segment.${action}`,
    targetType: 'contact_segment',
    targetId: id,
    details: { name, ...details },
  });
