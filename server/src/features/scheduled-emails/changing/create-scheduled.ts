import { takesOfKey } from '#features/api-keys';
import {
  type FilledSend,
  requireNewsletter,
  requireSenderDomain,
  type SchedulePlace,
  type TimedSend,
} from '#features/emails';
import { holdTemplates } from '#features/templates';
import { beforeCommit, type Db, inTransaction } from '#platform/db/database.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { takeUsage } from '#platform/usage/take-usage.ts';
import { insertFiles, insertScheduledEmail } from '../queries/one.ts';
import type { Done } from '../reading/read-scheduled.ts';
import { readScheduleTime } from '../schedule-time.ts';
import { pinnedInput, searchedText, storedOf } from '../stored-send.ts';
import type { ScheduledWiring } from '../wiring.ts';

/**
 * Keeps an email until its time comes. Whatever would refuse it now refuses it now, except what only the day of
 * sending knows: suppressions, the caps of the domain and the quota of the workspace.
 */
export async function createScheduled(
  ctx: Ctx,
  wiring: ScheduledWiring,
  read: TimedSend,
  { param, batch, isLimited }: SchedulePlace,
): Promise<Done> {
  const { schedule } = read;
  const asked = { param, text: schedule.scheduledFor, timezone: schedule.timezone };
  const time = await readScheduleTime(ctx.db, ctx.workspaceId, asked);
  requireBefore(read.expiresAt, time.scheduledFor);
  const domain = await requireSenderDomain(ctx, read.from.domain);
  await requireNewsletter(ctx, read.newsletterId, wiring);
  return inTransaction(ctx.db, async (tx) => {
    await requireTemplate(tx, ctx.workspaceId, read.template);
    const row = await insertScheduledEmail(tx, {
      ...time,
      ...storedOf(pinnedInput(schedule.input, read.template)),
      workspaceId: ctx.workspaceId,
      id: newId(),
      maxDelaySeconds: schedule.maxDelaySeconds ?? null,
      fromDomain: domain.domain,
      newsletterId: read.newsletterId,
      search: searchedText(read),
      isTest: ctx.actor.mode === 'test',
      createdBy: { type: ctx.actor.type, id: ctx.actor.id },
      apiKeyId: ctx.actor.apiKey?.id ?? null,
      requestId: ctx.requestId,
      batch: batch ?? null,
    });
    await insertFiles(tx, row.workspaceId, row.id, read.attachments);
    // At the end: all sends of a key wait for its row.
    if (isLimited) beforeCommit(tx, async () => void (await takeUsage(tx, takesOfKey(ctx.actor, ctx.clock.now()))));
    return { row, action: 'created', details: { scheduled_for: row.scheduledFor.toISOString() } };
  });
}

/** 422 for a template that was removed since it was read. It stays until the transaction ends: then it has a user. */
export async function requireTemplate(tx: Db, workspaceId: string, template: FilledSend['template']): Promise<void> {
  if (template === null || (await holdTemplates(tx, workspaceId, [template.id])).length > 0) return;
  throw unacceptable('templateId', `There is no template ${template.id} in this workspace.`);
}

/** 422 for a deadline that would have passed. */
export function requireBefore(expiresAt: Date | null, scheduledFor: Date): void {
  if (expiresAt !== null && expiresAt <= scheduledFor) {
    throw unacceptable('expiresAt', 'expiresAt is not after the time of sending: the email would never be sent.');
  }
}
