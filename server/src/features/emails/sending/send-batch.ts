import type { SenderDomain } from '#features/domains';
import { acceptSends, createBatch } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { AppError, invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { ReadFields } from '#platform/http/fields/read-fields.ts';
import { newId } from '#platform/ids.ts';
import { acceptedEmail } from './accepted-email.ts';
import { fillSend, type FilledSend } from './fill-send.ts';
import { requireNewsletter, type SendingPorts } from './newsletter-permission.ts';
import { atPlace, readBatchItem } from './read-batch.ts';
import { isScheduled, type SchedulePorts } from './later/schedule.ts';
import { scheduledAnswer } from './later/schedule-email.ts';
import { LIMITS } from './schemas.ts';
import { sendAnswer } from './send-answer.ts';
import { requireSenderDomain } from './sender-permission.ts';

export type BatchMode = 'strict' | 'permissive';

/** The result of an item. */
type Result = { index: number } & (
  | ReturnType<typeof sendAnswer>
  | ReturnType<typeof scheduledAnswer>
  | { error: AppError }
);

type Item = { index: number } & ({ read: FilledSend; domain: SenderDomain } | { error: AppError });

const DETAILS_MAX = 20;

/**
 * Accepts many sends in one transaction. `strict`: one bad item refuses all. `permissive`: the good ones are accepted
 * and the others reported; when none is good, the whole is refused as in `strict`, because nothing was done.
 */
export async function sendBatch(
  ctx: Ctx,
  items: readonly ReadFields[],
  mode: BatchMode,
  ports: SendingPorts & SchedulePorts,
) {
  const read: Item[] = [];
  for (const [index, item] of items.entries()) read.push(await readItem(ctx, item, index, ports));
  const recipients = read.reduce((sum, item) => sum + ('read' in item ? item.read.to.length : 0), 0);
  if (recipients > LIMITS.recipients) {
    throw invalid('emails', `The items of emails must have at most ${LIMITS.recipients} addresses in to together`);
  }
  if (mode === 'strict' || read.every((item) => 'error' in item)) refuseIfAnyIsBad(read);

  const batchId = newId();
  const results = await inTransaction(ctx.db, async (db) => {
    const inside = { ...ctx, db };
    await createBatch(inside, { id: batchId, apiKeyId: ctx.actor.apiKey?.id ?? null });
    const accepted = await acceptItems(inside, read, batchId, ports);
    if (mode === 'strict' || accepted.every((result) => 'error' in result)) refuseIfAnyIsBad(accepted);
    return accepted;
  });

  const rejected = results.filter((result) => 'error' in result).length;
  return {
    success: true as const,
    batchId,
    accepted: results.length - rejected,
    rejected,
    results: results.map((result) =>
      'error' in result ? { index: result.index, error: shownError(result.error) } : result,
    ),
  };
}

/** The shape, the rules and the sender of one item; whatever is wrong becomes its error, without the item's place. */
async function readItem(ctx: Ctx, item: ReadFields, index: number, ports: SendingPorts): Promise<Item> {
  try {
    const read = await fillSend(ctx, await readBatchItem(item, ctx.clock.now()));
    const domain = await requireSenderDomain(ctx, read.from.domain);
    await requireNewsletter(ctx, read.newsletterId, ports);
    return { index, read, domain };
  } catch (error) {
    if (error instanceof AppError) return { index, error };
    throw error;
  }
}

/** All good items with one statement; those that find no room in a cap after those before them become errors. */
async function acceptItems(ctx: Ctx, given: readonly Item[], batchId: string, ports: SchedulePorts): Promise<Result[]> {
  const { items, scheduled } = await scheduleItems(ctx, given, batchId, ports);
  const good = items.filter((item) => 'read' in item).filter(({ index }) => !scheduled.has(index));
  const sends = good.map(({ index, read, domain }) =>
    acceptedEmail(ctx, read, domain, { source: 'batch', batch: { id: batchId, index } }),
  );
  const outcomes = await acceptSends(ctx, sends);
  const byIndex = new Map(good.map(({ index }, place) => [index, outcomes[place]]));
  return items.map((item) => {
    if ('error' in item) return item;
    const { index } = item;
    const later = scheduled.get(index);
    if (later !== undefined) return { index, ...later };
    const outcome = byIndex.get(index);
    if (outcome instanceof AppError) return { index, error: outcome };
    if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error('an item has no outcome');
    return { index, ...sendAnswer(outcome) };
  });
}

/** Schedules the items that are to leave later; one with a time that cannot be becomes an error. */
async function scheduleItems(ctx: Ctx, items: readonly Item[], batchId: string, ports: SchedulePorts) {
  const scheduled = new Map<number, ReturnType<typeof scheduledAnswer>>();
  const judged: Item[] = [];
  for (const item of items) {
    if ('error' in item || !isScheduled(item.read)) {
      judged.push(item);
      continue;
    }
    const { index, read } = item;
    try {
      const place = { param: 'scheduledFor', batch: { id: batchId, index }, isLimited: false };
      scheduled.set(index, scheduledAnswer(await ports.schedule(ctx, read, place)));
      judged.push(item);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      judged.push({ index, error });
    }
  }
  return { items: judged, scheduled };
}

function refuseIfAnyIsBad(items: readonly object[]): void {
  const bad = items.flatMap((item) => ('error' in item ? [item as { index: number; error: AppError }] : [])); // narrowed by `in`
  if (bad.length === 0) return;
  const placed = bad.map(({ index, error }) => atPlace(error, index));
  // Unreadable items weigh most, then forbidden ones, then unacceptable ones.
  const weight = (error: AppError): number =>
    error.name !== 'validation_error' ? 1 : error.extras.unacceptable === true ? 2 : 0;
  const [worst] = placed.toSorted((a, b) => weight(a) - weight(b));
  if (worst === undefined) return;
  const details = placed.flatMap((error) => error.extras.details ?? [error.message]);
  throw new AppError(worst.name, worst.message, {
    ...worst.extras,
    ...(worst.name === 'validation_error' && details.length > 1 ? { details: details.slice(0, DETAILS_MAX) } : {}),
  });
}

function shownError(error: AppError) {
  const { param, details } = error.extras;
  return {
    name: error.name,
    message: error.message,
    ...(param === undefined ? {} : { param }),
    ...(details === undefined ? {} : { details }),
  };
}
