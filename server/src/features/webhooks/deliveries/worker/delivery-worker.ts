import type { Timer } from '#platform/clock.ts';
import type { Listener } from '#platform/db/listener.ts';
import type { Service } from '#platform/lifecycle.ts';
import { Moment } from '#platform/moments.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { EndpointLane } from './endpoint-lane.ts';
import { EndpointStarts } from './endpoint-starts.ts';
import { SharedRoom } from './send-window.ts';
import { HeldLease, leaseSecondsFor } from './held-lease.ts';
import { ATTEMPT_SECONDS } from '../../send-attempt.ts';
import type { DeliveryPorts } from '../ports.ts';
import { deleteOrphans } from '../queries/due-deliveries.ts';
import { type EndpointKey, type Lease, renewLeases, type TakenLease, takeLeases } from '../queries/leases.ts';
import type { AttemptRecord } from '../queries/record-attempts.ts';
import { endpointStopped, STOP_CHANNEL } from './stop-deliveries.ts';

/** Endpoints served at the same time by one process: five requests each, and more of those that answer well. */
const LANES_MAX = 100;
/** Their requests beyond the first five: 20 KB each at most. */
const EXTRA_REQUESTS_MAX = 400;
/** Of the endpoints for those that are failing, so that a hundred dead ones leave room for those that work. */
const FAILING_LANES_MAX = 75;
/** Endpoints stepped over in one look. */
const STEPS_MAX = 500;
const IDLE_MS = 250;
const RETRY_MS = { first: 500, most: 2_000 };
const RENEW_MS = 1_000;
/** While others wait, an endpoint is given back after so long. */
const TURN_MS = 15_000;
const ORPHANS_PAGE = 1_000;
/** A process that ends has ten seconds for everything. */
const FINISH_MS = 6_000;

/**
 * Looks for endpoints with something due, takes their leases and serves each in a lane of its own, so that none waits
 * for another's receiver. Any number of processes may run one; what they share is the leases.
 */
export class DeliveryWorker implements Service {
  readonly name = 'webhook deliveries';
  /** Occurs when a look found nothing and nothing is being served. */
  readonly idle = new Moment();
  /** Occurs with attempts that are on record. */
  readonly recorded = new Moment<readonly AttemptRecord[]>();
  /** Occurs when an endpoint was given back. */
  readonly laneEnded = new Moment<Lease>();
  readonly #ports: DeliveryPorts;
  readonly #leaseSeconds: number;
  readonly #lanes = new Map<EndpointLane, Promise<void>>();
  readonly #loop: Loop;
  readonly #room = new SharedRoom(EXTRA_REQUESTS_MAX);
  readonly #starts: EndpointStarts;
  #after: EndpointKey | undefined;
  #othersWait = false;
  #isStarted = false;
  #renewal: Timer | undefined;
  #renewing: Promise<void> | undefined;
  #off: (() => void) | undefined;

  constructor(ports: DeliveryPorts, listener?: Listener) {
    this.#ports = ports;
    this.#starts = new EndpointStarts(ports.clock);
    this.#leaseSeconds = leaseSecondsFor(ports.attemptSeconds ?? ATTEMPT_SECONDS);
    this.#loop = loop({
      name: this.name,
      clock: ports.clock,
      log: ports.log,
      failure: 'due webhooks cannot be read; trying again',
      everyMs: IDLE_MS,
      beginsAtOnce: true,
      retryMs: RETRY_MS,
      round: () => this.runOnce(),
      waitMs: (ms) => ms,
    });
    listener?.on(STOP_CHANNEL, (webhookId) => {
      if (webhookId !== undefined) this.#stopLanesOf(webhookId);
      else this.#renewSoon(); // what was missed meanwhile is unknown
    });
  }

  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#off = endpointStopped.hear((webhookId) => this.#stopLanesOf(webhookId));
    this.#renewal = this.#ports.clock.interval(RENEW_MS, () => this.#renewSoon());
    await this.#loop.start();
  }

  /** Begins nothing new, waits for answers (6 s at most), records them, gives the endpoints back. */
  async stop(): Promise<void> {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    this.#finishLanes();
    await this.#loop.stop();
    this.#finishLanes(); // those that the last look has brought
    const late = this.#ports.clock.timer(FINISH_MS, () => {
      for (const lane of this.#lanes.keys()) lane.stop('process ends');
    });
    await Promise.all(this.#lanes.values());
    late.cancel();
    this.#renewal?.cancel();
    this.#off?.();
    await this.#renewing;
  }

  #finishLanes(): void {
    for (const lane of this.#lanes.keys()) lane.finish('process ends');
  }

  /** One look: takes endpoints and begins to serve them. Returns how long to wait before the next. */
  async runOnce(): Promise<number> {
    const { db, clock } = this.#ports;
    const room = LANES_MAX - this.#lanes.size;
    const askedAtMs = clock.monotonicMs();
    const known = this.#starts.known();
    const look = await takeLeases(db, {
      known,
      after: this.#after,
      room,
      failingRoom: Math.min(room, Math.max(0, FAILING_LANES_MAX - this.#failing().length)),
      steps: STEPS_MAX,
      leaseSeconds: this.#leaseSeconds,
    });
    this.#starts.seen(known, look.seenUpTo);
    this.#after = look.next;
    this.#othersWait = look.othersWait;
    for (const taken of look.taken) this.#serve(taken, askedAtMs);
    for (const { workspaceId, webhookId } of look.orphans)
      await deleteOrphans(db, workspaceId, webhookId, ORPHANS_PAGE);
    if (look.othersWait) this.#endTurns(askedAtMs);
    if (look.taken.length === 0 && this.#lanes.size === 0) this.idle.occur();
    return look.next !== undefined || look.orphans.length > 0 ? 0 : IDLE_MS;
  }

  #serve({ isFailing, ...key }: TakenLease, askedAtMs: number): void {
    const lease = new HeldLease(key, askedAtMs, this.#leaseSeconds);
    const starts = this.#starts.of(key);
    const lane = new EndpointLane(this.#ports, { lease, isFailing, room: this.#room, starts }, (records) =>
      this.recorded.occur(records),
    );
    const running = lane.run().then(() => {
      this.#lanes.delete(lane);
      if (this.#othersWait) this.#loop.wake();
      this.laneEnded.occur(key);
    });
    this.#lanes.set(lane, running);
  }

  #failing(): EndpointLane[] {
    return [...this.#lanes.keys()].filter((lane) => lane.failing);
  }

  /** The endpoints whose time is over, and failing ones beyond their share. */
  #endTurns(nowMs: number): void {
    for (const lane of this.#lanes.keys()) if (nowMs - lane.startedAtMs >= TURN_MS) lane.finish('others wait');
    for (const lane of this.#failing().slice(FAILING_LANES_MAX)) lane.finish('others wait');
  }

  #stopLanesOf(webhookId: string): void {
    for (const lane of this.#lanes.keys()) if (lane.lease.key.webhookId === webhookId) lane.stop('no endpoint');
  }

  #renewSoon(): void {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
  }

  /** Also how a process that heard nothing learns that an endpoint is gone: only those of enabled ones are renewed. */
  async #renew(): Promise<void> {
    const { db, clock, log } = this.#ports;
    const lanes = [...this.#lanes.keys()];
    if (lanes.length === 0) return;
    const askedAtMs = clock.monotonicMs();
    try {
      const tokens = lanes.map((lane) => lane.lease.key.token);
      const ours = await renewLeases(db, tokens, this.#leaseSeconds);
      for (const lane of lanes) {
        if (ours.has(lane.lease.key.token)) lane.lease.renewed(askedAtMs);
        else lane.stop(lane.lease.hasTimeFor(0, clock.monotonicMs()) ? 'no endpoint' : 'lease lost');
      }
    } catch (error) {
      log.warn({ err: error, endpoints: lanes.length }, 'leases of endpoints could not be renewed');
    }
  }
}
