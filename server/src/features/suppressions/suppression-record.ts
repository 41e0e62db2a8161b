import { AddressError, identityOf } from '#mail/addresses/addresses.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { findSuppression, type SuppressionRow } from './list-queries.ts';

/** As the API shows it. */
export const suppressionView = (row: SuppressionRow) => ({
  id: row.id,
  email: row.email,
  reason: row.reason,
  source_email_id: row.sourceEmailId,
  note: row.note,
  soft_bounce_count: row.softBounceCount,
  expires_at: row.expiresAt,
  created_at: row.createdAt,
});

/**
 * The suppression that a path names by its id or by its address, however that is written. A key that is neither, and
 * an expired entry, is not found.
 */
export async function getSuppression(ctx: Pick<Ctx, 'db' | 'workspaceId'>, name: string): Promise<SuppressionRow> {
  const by = nameOf(name);
  const row = by === null ? undefined : await findSuppression(ctx.db, ctx.workspaceId, by);
  if (row === undefined) throw notFound('suppression', name);
  return row;
}

function nameOf(name: string): { id: string } | { identity: string } | null {
  if (isUuid(name.toLowerCase())) return { id: name.toLowerCase() };
  const identity = readIdentity(name);
  return 'reason' in identity ? null : identity;
}

/** The form that an address is found by. */
export interface Identity {
  readonly identity: string;
}

/**
 * The identity of an address that somebody typed, or the sentence that says why it is none. The dot that ends a full
 * domain name (RFC 1034 §3.1) makes no other address, and no mail can be sent to one written so.
 */
export function readIdentity(text: string): Identity | { reason: string } {
  try {
    return { identity: identityOf(text.trim().replace(/\.$/, '')) };
  } catch (error) {
    if (error instanceof AddressError) return { reason: error.reason };
    throw error;
  }
}
