import { emailRecords } from '#features/outbox';
import { addSuppressions, type NewSuppression, noteSoftBounces, type SuppressionReason } from '#features/suppressions';
import type { Db } from '#platform/db/database.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';
import { identityTold } from '../identity-told.ts';
import { bounceKindOf } from './bounce-kind.ts';

type Suppressing = NewSuppression & { workspaceId: string };

/**
 * Suppresses what the events of a round say must not be mailed again: a permanent bounce or a complaint at once, an
 * address that bounced five times for the time being since its last delivery. `events` are those that were not known
 * before; repeats would be counted twice. Returns them, those that added a suppression with `suppressed: true` in their
 * bounce.
 */
export async function suppressBounced(tx: Db, events: readonly ProviderEvent[]): Promise<ProviderEvent[]> {
  const certain = events.flatMap((event) => suppressionOf(event, certainReasonOf(event)));
  const worn = await wornOutBy(tx, events);
  const asked = [...certain, ...worn];
  const added = await addSuppressions(
    tx,
    asked.map((one) => one.suppression),
  );
  const adding = new Set(asked.filter((_, index) => added[index] === true).map((one) => one.event.id));
  return events.map((event) => (adding.has(event.id) ? told(event) : event));
}

/** The last bounce of each address that has now bounced too often. */
async function wornOutBy(
  tx: Db,
  events: readonly ProviderEvent[],
): Promise<{ event: ProviderEvent; suppression: Suppressing }[]> {
  const addresses = new Map<string, Address>();
  for (const event of events) {
    const isBounce = bounceKindOf(event) === 'soft';
    const identity = isBounce || event.type === 'delivery' ? identityTold(event.recipient) : null;
    if (identity === null) continue;
    const key = `${event.workspaceId} ${identity}`;
    const address = addresses.get(key) ?? {
      workspaceId: event.workspaceId,
      identity,
      bounces: [],
      deliveredAt: null,
    };
    if (isBounce) address.bounces.push(event);
    else if (address.deliveredAt === null || address.deliveredAt < event.at) address.deliveredAt = event.at;
    addresses.set(key, address);
  }
  const bounced = [...addresses.values()].filter(({ bounces }) => bounces.length > 0);
  for (const { workspaceId, identity, deliveredAt } of await emailRecords.newestDeliveries(tx, bounced)) {
    const address = addresses.get(`${workspaceId} ${identity}`);
    if (address && (address.deliveredAt === null || address.deliveredAt < deliveredAt))
      address.deliveredAt = deliveredAt;
  }
  const news = [...addresses.values()].map(({ bounces, ...one }) => ({ ...one, bouncedAt: bounces.map((e) => e.at) }));
  const worn = await noteSoftBounces(tx, news);
  return worn.flatMap(({ workspaceId, identity }) => {
    const bounces = addresses.get(`${workspaceId} ${identity}`)?.bounces ?? [];
    const last = bounces.reduce<ProviderEvent | undefined>(
      (a, b) => (a === undefined || a.at < b.at ? b : a),
      undefined,
    );
    return last === undefined ? [] : suppressionOf(last, 'soft_bounce');
  });
}

interface Address {
  workspaceId: string;
  identity: string;
  bounces: ProviderEvent[];
  deliveredAt: Date | null;
}

function certainReasonOf(event: ProviderEvent): SuppressionReason | null {
  if (event.type === 'complaint') return 'complaint';
  return bounceKindOf(event) === 'hard' ? 'hard_bounce' : null;
}

function suppressionOf(
  event: ProviderEvent,
  reason: SuppressionReason | null,
): { event: ProviderEvent; suppression: Suppressing }[] {
  const identity = identityTold(event.recipient);
  if (reason === null || identity === null) return [];
  return [{ event, suppression: { workspaceId: event.workspaceId, identity, reason, sourceEmailId: event.emailId } }];
}

function told(event: ProviderEvent): ProviderEvent {
  const bounce = event.payload['bounce'];
  if (typeof bounce !== 'object' || bounce === null) return event;
  return { ...event, payload: { ...event.payload, bounce: { ...bounce, suppressed: true } } };
}
