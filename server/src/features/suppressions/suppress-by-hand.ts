import type { AuditLog } from '#features/audit';
import { inTransaction, onCommit } from '#platform/db/database.ts';
import { AppError, invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { addSuppressions } from './add-suppression.ts';
import type { SuppressionRow } from './list-queries.ts';
import { hashInLog } from './hash-in-log.ts';
import { getSuppression, readIdentity } from './suppression-record.ts';

/** The reasons that a person may give: bounces and complaints are for providers to report. */
export type GivenReason = 'manual' | 'unsubscribe';

export interface Given {
  email: string;
  note?: string | null;
}

/** Suppresses one address because somebody says so; `added` is false when it was suppressed already. */
export async function suppressByHand(
  ctx: Ctx,
  given: Given & { reason?: GivenReason; expires_at?: string | null },
  audit: AuditLog,
): Promise<{ row: SuppressionRow; added: boolean }> {
  const identity = readIdentity(given.email);
  if ('reason' in identity) throw invalid('email', `email must be an email address. ${identity.reason}`);
  const expiresAt = given.expires_at == null ? undefined : new Date(given.expires_at);
  if (expiresAt !== undefined && expiresAt <= ctx.clock.now()) {
    throw unacceptable('expires_at', 'expires_at must be in the future');
  }
  const reason = given.reason ?? 'manual';
  const result = await inTransaction(ctx.db, async (tx) => {
    const [added] = await addSuppressions(tx, [
      { workspaceId: ctx.workspaceId, ...identity, reason, ...noteOf(given), ...(expiresAt && { expiresAt }) },
    ]);
    return { row: await getSuppression({ ...ctx, db: tx }, identity.identity), added: added === true };
  });
  if (result.added) {
    const { id, email } = result.row;
    const address_hash = hashInLog(ctx.secrets, email);
    onCommit(ctx.db, () =>
      audit.record(ctx, {
        action: 'suppression.added',
        targetType: 'suppression',
        targetId: id,
        details: { reason, address_hash },
      }),
    );
  }
  return result;
}

/**
 * Suppresses many addresses at once, all of them or, when one is no address, none. `added` and `existing` count
 * addresses: one that is given twice counts once.
 */
export async function suppressBatch(
  ctx: Ctx,
  batch: { emails: readonly (string | Given)[]; reason?: GivenReason; note?: string | null },
  audit: AuditLog,
): Promise<{ added: number; existing: number }> {
  const reason = batch.reason ?? 'manual';
  const faults: { param: string; sentence: string }[] = [];
  const wanted = new Map<string, Given>();
  for (const [index, one] of batch.emails.entries()) {
    const given = typeof one === 'string' ? { email: one } : one;
    const param = typeof one === 'string' ? `emails[${index}]` : `emails[${index}].email`;
    const identity = readIdentity(given.email);
    if ('reason' in identity) faults.push({ param, sentence: `${param} must be an email address. ${identity.reason}` });
    else if (!wanted.has(identity.identity)) wanted.set(identity.identity, given);
  }
  const [first] = faults;
  if (first !== undefined) {
    const details = faults.length === 1 ? {} : { details: faults.slice(0, 100).map((fault) => fault.sentence) };
    throw new AppError('validation_error', first.sentence, { param: first.param, ...details });
  }
  const added = await addSuppressions(
    ctx.db,
    [...wanted].map(([identity, given]) => ({
      workspaceId: ctx.workspaceId,
      identity,
      reason,
      ...noteOf({ ...(batch.note !== undefined && { note: batch.note }), ...given }),
    })),
  );
  const count = added.filter(Boolean).length;
  const details = { reason, added: count, existing: wanted.size - count };
  onCommit(ctx.db, () =>
    audit.record(ctx, { action: 'suppression.batch_added', targetType: 'suppressions', targetId: 'batch', details }),
  );
  return { added: count, existing: wanted.size - count };
}

const noteOf = ({ note }: { note?: string | null }): { note?: string } => (note == null ? {} : { note });
