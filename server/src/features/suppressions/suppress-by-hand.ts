import type { AuditLog } from '#features/audit';
import { inTransaction, onCommit } from '#platform/db/database.ts';
import { invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { eachItem, readEach } from '#platform/http/fields/read-meaning.ts';
import { addSuppressions } from './add-suppression.ts';
import type { SuppressionRow } from './list-queries.ts';
import { hashInLog } from './hash-in-log.ts';
import type { AddSuppressionBody, BatchBody } from './schemas.ts';
import { getSuppression, type Identity, readIdentity } from './suppression-record.ts';

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
  const identity = requireIdentity('email', given.email);
  const expiresAt = given.expires_at == null ? undefined : readExpiry(given.expires_at, ctx.clock.now());
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
  const wanted = new Map<string, Given>();
  for (const [index, one] of batch.emails.entries()) {
    const identity = readBatchItem(one, index);
    if (!wanted.has(identity.identity)) wanted.set(identity.identity, typeof one === 'string' ? { email: one } : one);
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

function requireIdentity(param: string, email: string): Identity {
  const identity = readIdentity(email);
  if ('reason' in identity) throw invalid(param, `${param} must be an email address. ${identity.reason}`);
  return identity;
}

const readBatchItem = (one: string | Given, index: number): Identity =>
  typeof one === 'string'
    ? requireIdentity(`emails[${index}]`, one)
    : requireIdentity(`emails[${index}].email`, one.email);

function readExpiry(text: string, now: Date): Date {
  const expiresAt = new Date(text);
  if (expiresAt <= now) throw unacceptable('expires_at', 'expires_at must be in the future');
  return expiresAt;
}

/** A batch has up to 1,000 addresses. */
const FAULTS_LISTED_MAX = 100;

export const readSuppression = readEach<typeof AddSuppressionBody>({
  email: (email) => requireIdentity('email', email),
  expires_at: readExpiry,
});
export const readSuppressions = readEach<typeof BatchBody>({
  emails: eachItem(readBatchItem, FAULTS_LISTED_MAX),
});
