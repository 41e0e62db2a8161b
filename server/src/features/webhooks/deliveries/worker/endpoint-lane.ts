import { reach } from '#platform/fault-points.ts';
import { WakeableSleep } from '#platform/work/wakeable-sleep.ts';
import { openSecrets } from '../../endpoint-secret.ts';
import { ensureBodies } from '../../events/event-bodies.ts';
import { ATTEMPT_SECONDS, type AttemptOutcome, sendAttempt } from '../../send-attempt.ts';
import type { Starts } from './endpoint-starts.ts';
import type { HeldLease } from './held-lease.ts';
import { asksToStop, discarded, judgeAttempt } from './judge-attempt.ts';
import type { AttemptEnd, DeliveryPorts } from '../ports.ts';
import { type DueDelivery, findServedEndpoint, pageOfDue, type ServedEndpoint } from '../queries/due-deliveries.ts';
import { giveLeaseBack } from '../queries/leases.ts';
import type { AttemptRecord } from '../queries/record-attempts.ts';
import { Recorder } from './recorder.ts';
import { AT_ONCE_FIRST, SendWindow, type SharedRoom } from './send-window.ts';

const PAGE = 100;
/** Of received mail, whose bodies are large: 8 of 1 MB at most. */
const PAGE_OF_MAIL = 8;

/** No new attempts while so many are not on record: after a crash each of them is made again. */
export const UNRECORDED_MAX = 100;
/** How often new deliveries are looked for beside attempts that take long: doubled while there are none. */
const LOOK_FIRST_MS = 50;
const LOOK_MAX_MS = 1_000;
/** A new address and new secrets count after so long, although older pages are still being sent. */
const REFRESH_MS = 1_000;
/** For what is not on record when the lane ends; the lease is longer. */
const FLUSH_MS = 3_000;

interface Prepared {
  delivery: DueDelivery;
  body: string;
}

/** Why a lane ends before its work is done. */
type End = 'no endpoint' | 'lease lost' | 'process ends' | 'others wait';

/**
 * Serves one endpoint for as long as it has something due: pages of deliveries, 5 to 50 attempts at once by how it
 * answers (`send-window.ts`; the limit of all processes, since one at a time serves it), results in batches. It ends
 * early when the endpoint is deleted or disabled, when its lease is lost, and when others wait and its turn is over. No
 * attempt begins unless it will be over before the lease is.
 */
export class EndpointLane {
  readonly lease: HeldLease;
  readonly startedAtMs: number;
  readonly #ports: DeliveryPorts;
  readonly #wasFailing: boolean;
  readonly #onRecorded: (records: readonly AttemptRecord[]) => void;
  readonly #abort = new AbortController();
  readonly #sleep: WakeableSleep;
  readonly #inHand = new Set<string>();
  readonly #flying = new Set<Promise<void>>();
  readonly #attemptMs: number;
  readonly #window = new SendWindow();
  readonly #room: SharedRoom;
  readonly #starts: Starts;
  #ready: Prepared[] = [];
  #recorder: Recorder | undefined;
  #endpoint: ServedEndpoint | undefined;
  #knownAtMs = 0;
  #secrets: readonly string[] = [];
  #end: End | undefined;

  constructor(
    ports: DeliveryPorts,
    taken: { lease: HeldLease; isFailing: boolean; room: SharedRoom; starts: Starts },
    onRecorded: (records: readonly AttemptRecord[]) => void,
  ) {
    this.#onRecorded = onRecorded;
    this.#ports = ports;
    this.#sleep = new WakeableSleep(ports.clock);
    this.lease = taken.lease;
    this.#wasFailing = taken.isFailing;
    this.#room = taken.room;
    this.#starts = taken.starts;
    this.startedAtMs = ports.clock.monotonicMs();
    this.#attemptMs = (ports.attemptSeconds ?? ATTEMPT_SECONDS) * 1_000;
  }

  /** Whether its endpoint has been failing; from the first moment on, since the next look counts those that are. */
  get failing(): boolean {
    return this.#recorder?.failing ?? this.#wasFailing;
  }

  get #pageSize(): number {
    return this.#endpoint?.forwardsDomainId == null ? PAGE : PAGE_OF_MAIL;
  }

  get #readyLow(): number {
    return this.#pageSize / 2;
  }

  /** Begins nothing more; what is under way is answered. */
  finish(why: 'process ends' | 'others wait'): void {
    this.#end ??= why;
    this.#sleep.wake();
  }

  /** Begins nothing more, and gives up what is not answered. Only a deleted or disabled endpoint has it on record. */
  stop(why: 'no endpoint' | 'lease lost' | 'process ends'): void {
    this.#end = why;
    this.#abort.abort();
    this.#sleep.wake();
  }

  /** Resolves when the endpoint is given back. Never rejects: what fails is tried again by whoever serves it next. */
  async run(): Promise<void> {
    const { db, log } = this.#ports;
    const { key } = this.lease;
    try {
      this.#recorder = await this.#open();
      if (this.#recorder !== undefined) await this.#serve(this.#recorder);
    } catch (error) {
      log.warn({ err: error, webhook: key.webhookId }, 'an endpoint could not be served; trying again');
    }
    this.#end ??= 'others wait';
    await Promise.all(this.#flying);
    try {
      await this.#recorder?.flush(FLUSH_MS);
      if (this.#inHand.size > 0) this.#forgetStarts();
      await giveLeaseBack(db, key);
    } catch (error) {
      log.warn({ err: error, webhook: key.webhookId }, 'an endpoint could not be given back; its lease runs out');
    }
  }

  async #open(): Promise<Recorder | undefined> {
    const { db, log, clock } = this.#ports;
    if (!(await this.#loadEndpoint())) return undefined;
    return new Recorder({
      db,
      log,
      lease: this.lease.key,
      wasFailing: this.#endpoint?.failingSince !== null,
      clock,
      onWritten: (records) => {
        for (const record of records) this.#inHand.delete(record.deliveryId);
        this.#onRecorded(records);
        this.#sleep.wake();
      },
    });
  }

  /** With every page: a new address and new secrets count from the next attempt on. False: there is nobody to serve. */
  async #loadEndpoint(): Promise<boolean> {
    const { db, secrets, clock } = this.#ports;
    const { workspaceId, webhookId } = this.lease.key;
    const row = await findServedEndpoint(db, workspaceId, webhookId);
    this.#endpoint = row;
    this.#knownAtMs = clock.monotonicMs();
    if (row === undefined) {
      this.stop('no endpoint');
      return false;
    }
    this.#secrets = openSecrets(secrets, row, clock.now());
    return true;
  }

  async #serve(recorder: Recorder): Promise<void> {
    const { clock } = this.#ports;
    let pauseMs = LOOK_FIRST_MS;
    let lookAtMs = 0;
    while (this.#end === undefined) {
      this.#launch(recorder);
      const nowMs = clock.monotonicMs();
      if (this.#inHand.size === 0 || (this.#ready.length < this.#readyLow && nowMs >= lookAtMs)) {
        const found = await this.#load(recorder);
        if (found === 0 && this.#inHand.size === 0) return;
        pauseMs = found > 0 ? LOOK_FIRST_MS : Math.min(LOOK_MAX_MS, pauseMs * 2);
        lookAtMs = found === this.#pageSize ? 0 : nowMs + pauseMs;
        if (found > 0) continue;
      }
      if (nowMs - this.#knownAtMs >= REFRESH_MS && !(await this.#loadEndpoint())) return;
      await this.#sleep.sleep(this.#ready.length < this.#readyLow ? Math.max(1, lookAtMs - nowMs) : REFRESH_MS);
    }
  }

  /** Adds a page to what is ready. Returns how many there were. */
  async #load(recorder: Recorder): Promise<number> {
    const { db, clock, emailEvents } = this.#ports;
    const { workspaceId, webhookId } = this.lease.key;
    if (!(await this.#loadEndpoint())) return 0;
    const { live, replayed } = this.#starts;
    const from = { live: live.from, replayed: replayed.from };
    const asked = { limit: this.#pageSize, except: [...this.#inHand], from };
    const { due: page, seenUpTo } = await pageOfDue(db, { workspaceId, webhookId }, asked);
    live.seenUpTo(seenUpTo.live, from.live);
    replayed.seenUpTo(seenUpTo.replayed, from.replayed);
    if (page.length === 0) return 0;
    const bodies = await ensureBodies(
      { db, emailEvents },
      page.map(({ eventId }) => ({ workspaceId, eventId })),
    );
    for (const delivery of page) {
      this.#inHand.add(delivery.id);
      const body = bodies.get(`${workspaceId} ${delivery.eventId}`);
      if (body === undefined) this.#note(recorder, discarded(delivery, clock.now()), 'discarded');
      else this.#ready.push({ delivery, body });
      this.#launch(recorder);
    }
    return page.length;
  }

  /** Deliveries that are behind the starts wait for whoever serves the endpoint next. */
  #forgetStarts(): void {
    this.#starts.live.forget();
    this.#starts.replayed.forget();
  }

  #launch(recorder: Recorder): void {
    while (this.#end === undefined && this.#flying.size < this.#window.size && recorder.waiting < UNRECORDED_MAX) {
      if (this.#ready.length === 0 || !this.lease.hasTimeFor(this.#attemptMs, this.#ports.clock.monotonicMs())) return;
      const isExtra = this.#flying.size >= AT_ONCE_FIRST;
      if (isExtra && !this.#room.take()) return;
      const next = this.#ready.shift();
      if (next === undefined) return;
      const flight = this.#deliver(next, recorder).finally(() => {
        this.#flying.delete(flight);
        if (isExtra) this.#room.giveBack();
        if (this.#ready.length < this.#readyLow) this.#sleep.wake();
        this.#launch(recorder);
      });
      this.#flying.add(flight);
    }
  }

  async #deliver(prepared: Prepared, recorder: Recorder): Promise<void> {
    const { clock } = this.#ports;
    await reach('webhooks.attempt.before');
    // The last look before the request: nothing waits in between.
    const endpoint = this.#endpoint;
    const may = this.#end === undefined && this.lease.hasTimeFor(this.#attemptMs, clock.monotonicMs());
    if (!may || endpoint === undefined) {
      this.#inHand.delete(prepared.delivery.id);
      this.#forgetStarts();
      return;
    }
    const startedAt = clock.now();
    const outcome = await this.#attempt(prepared, endpoint.url, startedAt);
    await reach('webhooks.attempt.after');
    const givenUp = this.#abort.signal.aborted && outcome.status === null;
    if (givenUp && this.#end !== 'no endpoint') return;
    this.#window.heard({ succeeded: outcome.error === null, tookMs: outcome.tookMs });
    await this.#settle(prepared.delivery, { url: endpoint.url, startedAt, outcome }, recorder);
  }

  #attempt({ delivery, body }: Prepared, url: string, now: Date): Promise<AttemptOutcome> {
    return sendAttempt({
      safeFetch: this.#ports.safeFetch,
      webhookId: this.lease.key.webhookId,
      url,
      secrets: this.#secrets,
      body,
      eventId: delivery.eventId,
      eventType: delivery.eventType,
      deliveryId: delivery.id,
      attempt: delivery.attempt + 1,
      now,
      signal: this.#abort.signal,
      timeoutMs: this.#attemptMs,
    });
  }

  async #settle(
    delivery: DueDelivery,
    made: { url: string; startedAt: Date; outcome: AttemptOutcome },
    recorder: Recorder,
  ): Promise<void> {
    const { retrySeconds, random } = this.#ports;
    const givenUp = this.#abort.signal.aborted && made.outcome.status === null;
    const outcome = givenUp
      ? { ...made.outcome, error: 'The endpoint was disabled before the receiver answered.' }
      : made.outcome;
    const record = judgeAttempt(delivery, { ...made, outcome }, retrySeconds, random());
    const retried = outcome.blocked ? 'blocked' : record.status === 'failed' ? 'given_up' : 'failed';
    this.#note(recorder, record, record.status === 'succeeded' ? 'succeeded' : retried);
    if (asksToStop(outcome)) await this.#gone(made.url, recorder);
  }

  #note(recorder: Recorder, record: AttemptRecord, end: AttemptEnd): void {
    recorder.add(record);
    this.#ports.counted(end);
  }

  /** The answer that says so is on record before the endpoint is disabled. */
  async #gone(url: string, recorder: Recorder): Promise<void> {
    const { log, disable } = this.#ports;
    const { workspaceId, webhookId: id } = this.lease.key;
    if (this.#end === 'no endpoint') return;
    this.#end = 'no endpoint';
    try {
      await recorder.flush(FLUSH_MS);
      const forwardsDomainId = this.#endpoint?.forwardsDomainId ?? null;
      await disable({ workspaceId, id, url, failingSince: null, forwardsDomainId }, 'The receiver answered 410 Gone.');
    } catch (error) {
      log.warn(
        { err: error, webhook: id },
        'an endpoint that is gone could not be disabled; its next answer will do it',
      );
    }
    this.stop('no endpoint');
  }
}
