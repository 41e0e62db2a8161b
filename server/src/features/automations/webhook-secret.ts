import { createHmac } from 'node:crypto';
import { derivedSecret, maskedSecret, maySeeSecret } from '#features/webhooks';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Ctx } from '#platform/http/context.ts';

/** Signs the calls of one automation. It follows from the master secret, so nothing is stored. */
export function webhookSecret(secrets: Secrets, { workspaceId, id }: { workspaceId: string; id: string }): string {
  const key = secrets.key('automation webhook');
  return derivedSecret(createHmac('sha256', key).update(`${workspaceId} ${id}`).digest());
}

/** The same, as this caller may see it. */
export function shownSecret(
  { secrets, actor }: Pick<Ctx, 'secrets' | 'actor'>,
  of: { workspaceId: string; id: string },
) {
  const secret = webhookSecret(secrets, of);
  return maySeeSecret(actor) ? secret : maskedSecret(secret);
}
