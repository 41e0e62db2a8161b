import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.ts';
import { RememberedStart } from '#platform/work/remembered-start.ts';
import type { OfBothKinds } from '../queries/due-deliveries.ts';
import type { EndpointKey, KnownEndpoint, Look } from '../queries/leases.ts';

/** Two index probes for each of them in every look. */
const ENDPOINTS_MAX = 100;

export type Starts = OfBothKinds<RememberedStart>;

/** Where the waiting deliveries of the endpoints begin that this process has served last. */
export class EndpointStarts {
  readonly #clock: Clock;
  readonly #endpoints = new LRUCache<string, { key: EndpointKey; starts: Starts }>({ max: ENDPOINTS_MAX });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** For an endpoint that is served now. */
  of({ workspaceId, webhookId }: EndpointKey): Starts {
    const known = this.#endpoints.get(webhookId);
    if (known !== undefined) return known.starts;
    const starts = { live: new RememberedStart(this.#clock), replayed: new RememberedStart(this.#clock) };
    this.#endpoints.set(webhookId, { key: { workspaceId, webhookId }, starts });
    return starts;
  }

  known(): KnownEndpoint[] {
    return [...this.#endpoints.values()].map(({ key, starts }) => ({
      ...key,
      live: starts.live.from,
      replayed: starts.replayed.from,
    }));
  }

  /** A look that knew these endpoints has seen their deliveries up to these times. */
  seen(known: readonly KnownEndpoint[], seenUpTo: Look['seenUpTo']): void {
    const fromOf = new Map(known.map((one) => [one.webhookId, one]));
    for (const { webhookId, live, replayed } of seenUpTo) {
      const from = fromOf.get(webhookId);
      const starts = this.#endpoints.peek(webhookId)?.starts;
      if (from === undefined || starts === undefined) continue;
      starts.live.seenUpTo(live, from.live);
      starts.replayed.seenUpTo(replayed, from.replayed);
    }
  }
}
