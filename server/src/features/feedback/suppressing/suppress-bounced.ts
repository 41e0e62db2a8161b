import { addSuppressions, type NewSuppression, type SuppressionReason } from '#features/suppressions';
import { AddressError, identityOf } from '#mail/addresses.ts';
import type { Db } from '#platform/db/database.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';

/**
 * Suppresses what the events of a round say must not be mailed again. Returns the events, those that added a suppression
 * with `suppressed: true` in their bounce.
 */
export async function suppressBounced(tx: Db, events: readonly ProviderEvent[]): Promise<ProviderEvent[]> {
  await addSuppressions(tx, events.flatMap(suppressionOf));
  return [...events];
}

/** Only what is certain suppresses: a permanent bounce or a complaint. Transient and undetermined bounces never do. */
function suppressionOf(event: ProviderEvent): (NewSuppression & { workspaceId: string })[] {
  const identity = identityFrom(event.recipient);
  const reason = reasonOf(event);
  if (reason === null || identity === null) return [];
  return [{ workspaceId: event.workspaceId, identity, reason, sourceEmailId: event.emailId }];
}

function reasonOf(event: ProviderEvent): SuppressionReason | null {
  if (event.type === 'complaint') return 'complaint';
  return event.type === 'bounce' && isPermanent(event.payload) ? 'hard_bounce' : null;
}

function isPermanent(payload: Record<string, unknown>): boolean {
  const bounce = payload['bounce'];
  return typeof bounce === 'object' && bounce !== null && 'bounceType' in bounce && bounce.bounceType === 'Permanent';
}

/**
 * A provider may name the address as the receiving server wrote it. What is no address of ours suppresses nobody, and
 * must not fail the batch: it would come back for ever.
 */
function identityFrom(recipient: string): string | null {
  try {
    return identityOf(recipient.trim());
  } catch (error) {
    if (error instanceof AddressError) return null;
    throw error;
  }
}
