import { type Clock, endsWithin } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { isDatabaseUnavailable } from '#platform/db/database-errors.ts';
import { reach } from '#platform/fault-points.ts';
import { newId } from '#platform/ids.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import type { ContentStore } from '../compose/content-store.ts';
import { type HandOffPorts, handOff, type Turn } from './hand-off.ts';
import { LaneHeads } from './lane-heads.ts';
import { type HeldLease, type Lease, Leases } from './leases.ts';
import { givenBack, notReady, outcomeOf, paceEffectOf, refusedByUs } from './outcome.ts';
import { ProviderSpeed } from './provider-speed.ts';
import { createPace, MISSED_AFTER_MS, type Pace, type Slot } from './pace.ts';
import { CLAIM_MAX, type Claim, type ClaimedEmail, claimEmails } from './queries/claim-emails.ts';
import { chargeSlots, pausePace, stretchPace } from './queries/pace.ts';
import { queueSignal } from './queue-signal.ts';
import { QueueStart } from './queue-start.ts';
import { createBeginnings } from './record-begun.ts';
import { type Asked, askedNow, createSecondLook, isBelieved } from './second-look.ts';
import { createSettler, type Settler } from './settler.ts';

export interface WorkerOptions extends HandOffPorts {
  db: Db;
  log: Log;
  contents: ContentStore;
  ratePerSecond: number;
  leaseSeconds: number;
  /** How long a stop waits for the answers to what has begun. */
  stopSeconds: number;
  /** In [0, 1): spreads retries. */
  random?: () => number;
}

// At so many a second each connection has the time for a commit of its own for every email.
const UNHURRIED_PER_CONNECTION = 50;
// Emails for each connection of a fast provider, until its answers have shown how many it takes.
const FIRST_FOR_EACH = 3;
// Claimed this long before the slot, so that composing and signing do not make it late.
const EARLY_MS = 10;
const IN_HAND_MAX = 1_000;
const UNSETTLED_MAX = 2_000;
const IDLE_FIRST_MS = 20;
// NOTIFY may be lost: an email waits no longer than this for a worker to look.
const IDLE_MAX_MS = 500;
// A wait for slots that is longer is a pause, not the pace.
const PAUSED_MS = 2_000;
const RETRY_MS = { first: 100, most: 2_000 };
// To write the outcomes down once the last answer is there.
const WRITE_MS = 1_000;

/**
 * Takes slots, binds the next email to each when its moment comes, and hands it over. Slots are reserved ahead only
 * while something is due; emails are bound late, so what arrives now in a higher lane leaves next. A message whose slot
 * was missed by more than 50 ms (this process stood still, or no connection was free) waits for another one.
 *
 * It has as many emails in hand as the provider has connections, and as many more as answers came in the last moments:
 * a fast provider finds the next one ready, and behind one that stands still nothing waits.
 *
 * Any number of processes may run one; what they share is the pace row, the queue and the leases. Emails are settled
 * exactly by whoever holds their lease.
 */
export class Worker implements Service {
  readonly name = 'outbox worker';
  readonly settler: Settler;
  /** Occurs when a look at the queue found nothing due. */
  readonly idle = new Moment();
  readonly #options: WorkerOptions;
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #leases: Leases;
  readonly #heads: LaneHeads;
  readonly #start: QueueStart;
  readonly #lookAgain: (email: ClaimedEmail) => Promise<boolean>;
  readonly #loop: Loop;
  readonly #speed: ProviderSpeed;
  readonly #recordBegun: (email: ClaimedEmail) => Promise<boolean>;
  readonly #random: () => number;
  readonly #inHand = new Set<Promise<void>>();
  /** The emails among them that wait for a connection or their slot, and how to take each back; oldest first. */
  readonly #waiting = new Map<ClaimedEmail, () => void>();
  /** Finished messages whose slot was missed; they get the next slots there are. */
  #stragglers: ((slot: Slot | undefined) => void)[] = [];
  #idleMs = IDLE_FIRST_MS;
  #noSlotsBefore = 0;
  #isFull = false;
  #isStarted = false;
  #isStopping = false;
  #off: (() => void) | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#pace = createPace(options);
    this.#leases = new Leases(options);
    this.#heads = new LaneHeads(options);
    this.#start = new QueueStart(options);
    this.#lookAgain = createSecondLook(options.db);
    this.#recordBegun = createBeginnings(options.db);
    this.#speed = new ProviderSpeed(options.clock);
    this.settler = createSettler(options);
    this.#random = options.random ?? Math.random;
    this.#loop = loop({
      name: this.name,
      clock: options.clock,
      log: options.log,
      failure: 'the queue cannot be read; trying again',
      everyMs: IDLE_MAX_MS,
      beginsAtOnce: true,
      retryMs: RETRY_MS,
      round: () => this.runOnce(),
      waitMs: (ms) => ms,
    });
  }

  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#isStopping = false;
    this.#off = queueSignal.hear(() => {
      this.#idleMs = IDLE_FIRST_MS;
      this.#loop.wake();
    });
    this.#leases.start();
    await this.#loop.start();
  }

  /** Begins nothing new, gives back at once what has not begun, and waits for the answers to what has. */
  async stop(): Promise<void> {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    const until = this.#clock.monotonicMs() + this.#options.stopSeconds * 1_000;
    const leftMs = (): number => Math.max(0, until - this.#clock.monotonicMs());
    this.#isStopping = true;
    this.#off?.();
    await this.#loop.stop();
    this.#giveStragglersBack();
    this.#takeBack(this.#waiting.size);
    await endsWithin(this.#clock, leftMs(), Promise.all(this.#inHand));
    this.#leases.stop();
    await this.#leases.clearDoubts().catch(() => undefined); // the sweeper finds them when their lease has run out
    await this.settler.close(Math.max(WRITE_MS, leftMs()));
  }

  /** One look: reserves slots, or claims for those whose moment has come. Returns how long there is nothing to do. */
  async runOnce(): Promise<number> {
    const { held } = this.#pace;
    await this.#leases.clearDoubts();
    this.#pace.giveUpMissed();
    const pledged = this.#stragglers.length;
    this.#isFull = !this.#isWorthIt();
    const room = this.#isFull ? 0 : this.#room();
    if (this.#speed.answers === 0) this.#takeBack(this.#inHand.size - this.#inHandMax());
    if (room + pledged === 0) return IDLE_FIRST_MS; // the next answer wakes us, too
    if (held.length === 0) {
      const waitMs = await this.#reserve(room, pledged);
      if (waitMs === undefined) return this.#nothingDue();
      if (waitMs > 0) return waitMs;
    }
    const now = this.#clock.monotonicMs();
    const [next] = held;
    if (next === undefined) return 0;
    if (next.at - now > EARLY_MS) return next.at - now - EARLY_MS;

    const inTime = held.findIndex((slot) => slot.at > now + MISSED_AFTER_MS);
    const slots = held.splice(0, Math.min(inTime === -1 ? held.length : inTime, room + pledged));
    for (const straggler of this.#stragglers.splice(0, slots.length)) straggler(slots.shift());
    if (slots.length === 0 || (await this.#claimFor(slots)) > 0) return 0;
    // Due, yet nothing to be had: somebody else holds the rows (another worker, a cancel).
    return IDLE_FIRST_MS;
  }

  /** A claim costs about as much for one email as for fifty: behind a fast provider, places wait for each other. */
  #isWorthIt(): boolean {
    return this.#room() > this.#ahead() / 2;
  }

  #inHandMax(): number {
    return Math.min(IN_HAND_MAX, this.#options.providers.live.capacity + this.#ahead());
  }

  /** How many more emails than connections are in hand. */
  #ahead(): number {
    const { answers, isFast } = this.#speed;
    return answers === 0 || !isFast
      ? answers
      : Math.max(answers, FIRST_FOR_EACH * this.#options.providers.live.capacity);
  }

  /** How many more emails may be claimed. */
  #room(): number {
    return Math.max(
      0,
      Math.min(CLAIM_MAX, this.#inHandMax() - this.#inHand.size, UNSETTLED_MAX - this.settler.waiting),
    );
  }

  /**
   * There are more emails than connections, and they answer sooner than a beginning is put on record. A commit of its
   * own for it would halve the speed of such a provider.
   */
  #isRacing(claimed: number): boolean {
    const { providers, ratePerSecond } = this.#options;
    const { capacity } = providers.live;
    const isHurried = ratePerSecond > capacity * UNHURRIED_PER_CONNECTION;
    return isHurried && this.#speed.isFast && this.#inHand.size + claimed > capacity;
  }

  /** The provider has become slow, or the process ends: what came last and has not begun goes back to the queue. */
  #takeBack(count: number): void {
    if (count <= 0) return;
    for (const [email, takeBack] of [...this.#waiting].slice(-count)) {
      this.#waiting.delete(email);
      takeBack();
    }
  }

  /** Every accept wakes the loop; the database is not asked again before it said there can be slots. */
  async #reserve(room: number, pledged: number): Promise<number | undefined> {
    const tooEarlyMs = this.#noSlotsBefore - this.#clock.monotonicMs();
    if (tooEarlyMs > 0) return tooEarlyMs;
    const waitMs = await this.#pace.reserve({ wanted: room + pledged, pledged, from: await this.#start.turns() });
    if (waitMs === undefined || waitMs === 0) return waitMs;
    if (waitMs > PAUSED_MS) this.#giveStragglersBack();
    const soonMs = Math.min(waitMs, IDLE_MAX_MS);
    this.#noSlotsBefore = this.#clock.monotonicMs() + soonMs;
    return soonMs;
  }

  /** They were not begun: others may have them, or they wait in the queue like everything else. */
  #giveStragglersBack(): void {
    for (const straggler of this.#stragglers.splice(0)) straggler(undefined);
  }

  #nothingDue(): number {
    this.idle.occur();
    const waitMs = this.#idleMs;
    this.#idleMs = Math.min(IDLE_MAX_MS, waitMs * 2);
    return waitMs;
  }

  /** Returns how many rows were bound or settled. */
  async #claimFor(slots: Slot[]): Promise<number> {
    const { db, contents, ratePerSecond } = this.#options;
    const lease = this.#leases.begin(newId());
    const claim = await this.#claim(slots, lease);
    const claimedAt = askedNow(this.#clock);
    contents.expect(claim.emails);
    for (const email of claim.emails) {
      const slot = slots.shift();
      if (slot === undefined) throw new Error('more emails were claimed than there are slots');
      this.#launch(email, slot, lease, claimedAt);
    }
    // Rows that were settled instead cost no slot. When nothing was there, the slots are let go.
    if (claim.settled > 0) this.#pace.held.unshift(...slots);
    const extra = claim.emails.reduce((sum, email) => sum + email.cost - 1, 0);
    if (extra > 0) {
      const own = this.#pace.held.splice(0, extra).length;
      if (extra > own) await chargeSlots(db, extra - own, ratePerSecond);
    }
    await this.#heads.claimed(claim.emails);
    return claim.emails.length + claim.settled;
  }

  async #claim(slots: readonly Slot[], lease: Lease): Promise<Claim> {
    const { db, leaseSeconds } = this.#options;
    const bulk = slots.filter((slot) => slot.prefersBulk).length;
    try {
      const onRecord = this.#isRacing(slots.length);
      const claim = await claimEmails(db, {
        slots: slots.length,
        bulk,
        leaseToken: lease.token,
        leaseSeconds,
        onRecord,
        from: await this.#start.turns(),
      });
      await reach('outbox.claim.after-commit');
      return claim;
    } catch (error) {
      this.#leases.doubt(lease);
      throw error;
    }
  }

  #launch(email: ClaimedEmail, slot: Slot, lease: Lease, claimedAt: Asked): void {
    const held = this.#leases.hold(lease, email.id);
    const running = this.#deliver(email, slot, held, claimedAt).finally(() => {
      this.#leases.letGo(held);
      this.#inHand.delete(running);
      this.#waiting.delete(email);
      if (this.#inHand.size === 0 || (this.#isFull && this.#isWorthIt())) this.#loop.wake();
    });
    this.#inHand.add(running);
  }

  async #deliver(email: ClaimedEmail, slot: Slot, lease: HeldLease, claimedAt: Asked): Promise<void> {
    const { log } = this.#options;
    const about = { email: email.id, workspace: email.workspaceId };
    try {
      const end = await handOff(this.#options, email, lease, this.#turnOf(email, slot, claimedAt));
      if (end.kind === 'not-begun') return this.#giveBack(email);
      if (end.kind === 'unfit') {
        // A person who has left since the claim has no message: the next claim settles that, and nothing is wrong
        // with ours.
        if (!(await this.#lookAgain(email))) return this.#giveBack(email);
        log.error({ ...about, reason: end.reason }, 'an accepted message is unfit to be sent');
        return this.settler.add(refusedByUs(email, end.reason));
      }
      if (!email.sandbox) this.#speed.note(end.answerMs);
      this.settler.add(outcomeOf(email, end.verdict, end.tookMs / 1_000, this.#random()));
      await this.#slowDown(end.verdict);
    } catch (error) {
      // Whatever happens once the provider was called is an answer, so this email has not been handed over.
      log.warn({ ...about, err: error }, 'an email could not be made ready');
      if (isDatabaseUnavailable(error)) this.#giveBack(email);
      else this.settler.add(notReady(email, error, this.#random()));
    }
  }

  #giveBack(email: ClaimedEmail): void {
    this.#start.lowerTo(email);
    this.settler.add(givenBack(email));
  }

  #turnOf(email: ClaimedEmail, slot: Slot, claimedAt: Asked): Turn {
    return {
      mayBegin: this.#beginningOf(email, slot, claimedAt),
      recordBegun: async () => email.isOnRecord || this.#recordBegun(email),
      waits: (takeBack) => {
        if (this.#isStopping) takeBack();
        else this.#waiting.set(email, takeBack);
      },
      begins: () => void this.#waiting.delete(email),
    };
  }

  /**
   * Waits for the slot, or for another one when it was missed. False: the process is ending, or what was true of the
   * email at its claim is not any more. Asked again, it has the same slot as long as that is not missed.
   */
  #beginningOf(email: ClaimedEmail, slot: Slot, claimedAt: Asked): () => Promise<boolean> {
    let current: Slot | undefined = slot;
    let lookedAt = claimedAt;
    return async () => {
      for (; current !== undefined && !this.#isStopping; current = await this.#anotherSlot()) {
        const inMs = current.at - this.#clock.monotonicMs();
        if (inMs > 1) await this.#clock.sleep(inMs);
        if (this.#isMissed(current)) continue;
        if (!isBelieved(this.#clock, lookedAt)) {
          if (!(await this.#lookAgain(email))) return false;
          lookedAt = askedNow(this.#clock);
        }
        if (!this.#isMissed(current)) return !this.#isStopping;
      }
      return false;
    };
  }

  #isMissed(slot: Slot): boolean {
    return this.#clock.monotonicMs() > slot.at + MISSED_AFTER_MS;
  }

  #anotherSlot(): Promise<Slot | undefined> {
    if (this.#isStopping) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#stragglers.push(resolve);
      this.#loop.wake();
    });
  }

  async #slowDown(verdict: Parameters<typeof paceEffectOf>[0]): Promise<void> {
    const effect = paceEffectOf(verdict);
    if (effect === undefined) return;
    const { db, log } = this.#options;
    this.#pace.held.length = 0;
    log.warn({ effect: effect.kind, reason: verdict.response }, 'the provider asks us to slow down');
    try {
      if (effect.kind === 'stretch') await stretchPace(db);
      if (effect.kind === 'stretch' && effect.seconds !== null) await pausePace(db, effect.seconds, 'throttled');
      if (effect.kind === 'pause') await pausePace(db, effect.seconds, effect.reason);
    } catch (error) {
      log.warn({ err: error }, 'the pace could not be changed');
    }
  }
}
