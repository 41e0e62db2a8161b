import { maySeeMail } from '#features/workspaces';
import { onCommit } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { findScheduledEmail, listFileNames, lockScheduledEmail } from '../queries/one.ts';
import { type ScheduledEmail, whyClosed } from '../scheduled-email.ts';
import type { ScheduledWiring } from '../wiring.ts';
import { scheduledView } from './scheduled-view.ts';

export const TARGET_TYPE = 'scheduled_email';

/** A change that was made, in the transaction that makes it. */
export interface Done {
  row: ScheduledEmail;
  action: string;
  details?: Record<string, unknown>;
}

type Audited = Pick<ScheduledWiring, 'audit'>;

const requireShown = (ctx: Ctx, id: string, row: ScheduledEmail | undefined): ScheduledEmail => {
  if (row === undefined || !maySeeMail(ctx.actor, { source: 'scheduled', newsletterId: row.newsletterId })) {
    throw notFound('scheduled email', id);
  }
  return row;
};

/** The email, or 404: not there, another workspace's, and mail that the caller is not shown. */
export async function getScheduled(ctx: Ctx, id: string): Promise<ScheduledEmail> {
  return requireShown(ctx, id, isUuid(id) ? await findScheduledEmail(ctx.db, ctx.workspaceId, id) : undefined);
}

/** The same, held for a change; 409 once it has begun or ended. */
export async function lockOpen(ctx: Ctx, id: string): Promise<ScheduledEmail> {
  const row = requireShown(ctx, id, isUuid(id) ? await lockScheduledEmail(ctx.db, ctx.workspaceId, id) : undefined);
  if (row.status !== 'scheduled') throw conflict(whyClosed(row));
  return row;
}

/** The whole record. */
export async function readScheduled(ctx: Ctx, { audit }: Audited, row: ScheduledEmail) {
  const auditLog = await audit.read(row.workspaceId, TARGET_TYPE, row.id);
  return scheduledView(row, await listFileNames(ctx.db, row.workspaceId, row.id), auditLog);
}

/** Notes what was done once it is committed; what is rolled back was not. */
export function note(ctx: Ctx, { audit }: Audited, { row, action, details }: Done): void {
  const entry = { action, targetType: TARGET_TYPE, targetId: row.id, at: row.updatedAt };
  onCommit(ctx.db, () => audit.record(ctx, details === undefined ? entry : { ...entry, details }));
}

/** The record after a change, with the entry that is only stored once the change is committed. */
export async function noteAndRead(ctx: Ctx, wiring: Audited, done: Done) {
  const { row, action, details } = done;
  const before = await wiring.audit.read(row.workspaceId, TARGET_TYPE, row.id);
  note(ctx, wiring, done);
  const shown = details === undefined ? {} : { details: JSON.parse(JSON.stringify(details)) };
  const added = { at: row.updatedAt.toISOString(), action, ...shown };
  return scheduledView(row, await listFileNames(ctx.db, row.workspaceId, row.id), [...before, added]);
}
