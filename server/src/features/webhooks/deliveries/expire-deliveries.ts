import { recordSecurityEvent } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import type { Log } from '#platform/log.ts';
import { withoutQuery } from '../webhook.ts';
import { expirePage, type ExpiryPlace } from './queries/retention.ts';

const PAGE = 1_000;

/**
 * After 29 days a delivery becomes `failed` with the error `expired`, a day before it is deleted: only a disabled
 * endpoint, or one with a very long backlog, leaves anything for so long. Each page of an endpoint stands in the
 * security log of its workspace, in the log, and as its latest failure. Deliveries are looked at once, in the order of
 * their age, from `place` on. Returns how many expired and where the next call goes on.
 */
export async function expireDeliveries(
  { db, log, clock }: { db: Db; log: Log; clock: Clock },
  place: ExpiryPlace | null,
  goOn: () => boolean = () => true,
): Promise<{ expired: number; place: ExpiryPlace | null }> {
  let expired = 0;
  let after = place;
  for (let looked = PAGE; looked === PAGE && goOn(); ) {
    const page = await inTransaction(db, async (tx) => {
      const found = await expirePage(tx, after, PAGE);
      for (const { workspaceId, webhookId, url, deliveries } of found.endpoints) {
        await recordSecurityEvent(
          tx,
          { actor: systemActor, ip: null, clock, workspaceId },
          {
            action: 'webhook.deliveries_expired',
            targetType: 'webhook',
            targetId: webhookId,
            details: { url: withoutQuery(url), deliveries },
          },
        );
      }
      return found;
    });
    for (const { webhookId, deliveries } of page.endpoints) {
      log.warn({ webhook: webhookId, deliveries }, 'deliveries expired: nobody took them for 29 days');
      expired += deliveries;
    }
    looked = page.looked;
    after = page.last ?? after;
  }
  return { expired, place: after };
}
