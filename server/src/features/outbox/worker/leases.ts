import type { Clock, Timer } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import { type Claimed, releaseClaims, renewLeases } from './queries/leases.ts';

/** The claim of one page of emails. */
export interface Lease {
  readonly token: string;
  /** On the monotonic clock, counted from before the claim: never later than the database thinks. */
  readonly endsAt: number;
}

/** The lease of one email in hand. */
export interface HeldLease extends Claimed {
  /** As of the claim, and later once it was renewed for this email. */
  endsAt: number;
}

/** A claim whose answer was lost. */
interface Doubt {
  readonly lease: Lease;
  isLookedFor: boolean;
}

/**
 * The leases of this process. Emails that wait here for a slot or for memory are renewed; one that was lost, or whose
 * renewal did not get through, is not begun any more (its `endsAt` stays).
 *
 * A claim whose answer was lost may or may not have been committed, or is committed later: its connection is gone, and
 * the database may still work on the statement. Nothing of it was handed over, so it is looked for and given back as
 * soon as the database answers, and again with each renewal for as long as a lease lasts.
 */
export class Leases {
  readonly #options: { db: Db; clock: Clock; log: Log; leaseSeconds: number };
  readonly #held = new Set<HeldLease>();
  #doubtful: Doubt[] = [];
  #timer: Timer | undefined;

  constructor(options: { db: Db; clock: Clock; log: Log; leaseSeconds: number }) {
    this.#options = options;
  }

  start(): void {
    const { clock, leaseSeconds } = this.#options;
    this.#timer ??= clock.interval((leaseSeconds * 1_000) / 3, () => {
      void this.#renew();
      void this.#lookForLate();
    });
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  begin(token: string): Lease {
    return { token, endsAt: this.#options.clock.monotonicMs() + this.#options.leaseSeconds * 1_000 };
  }

  hold({ token, endsAt }: Lease, emailId: string): HeldLease {
    const held = { emailId, token, endsAt };
    this.#held.add(held);
    return held;
  }

  letGo(held: HeldLease): void {
    this.#held.delete(held);
  }

  /** The answer to this claim was lost. */
  doubt(lease: Lease): void {
    this.#doubtful.push({ lease, isLookedFor: false });
  }

  /** Gives doubtful claims back that were not looked for yet; throws while the database is away. */
  async clearDoubts(): Promise<void> {
    await this.#giveBack(this.#doubtful.filter((doubt) => !doubt.isLookedFor));
  }

  /** Looks for every doubtful claim once more; past its lease a claim is not committed any more. */
  async #lookForLate(): Promise<void> {
    const { clock, log } = this.#options;
    const nowMs = clock.monotonicMs();
    const doubts = this.#doubtful;
    try {
      await this.#giveBack(doubts);
      this.#doubtful = this.#doubtful.filter((doubt) => !doubts.includes(doubt) || doubt.lease.endsAt > nowMs);
    } catch (error) {
      log.warn({ err: error, claims: doubts.length }, 'claims without an answer could not be looked for');
    }
  }

  async #giveBack(doubts: readonly Doubt[]): Promise<void> {
    if (doubts.length === 0) return;
    await releaseClaims(
      this.#options.db,
      doubts.map(({ lease }) => lease.token),
    );
    for (const doubt of doubts) doubt.isLookedFor = true;
  }

  async #renew(): Promise<void> {
    const { db, clock, log, leaseSeconds } = this.#options;
    const half = clock.monotonicMs() + leaseSeconds * 500;
    // Most are gone long before: only what has waited for a good part of its lease.
    const aging = [...this.#held].filter((held) => held.endsAt < half + leaseSeconds * 250);
    if (aging.length === 0) return;
    const renewed = this.begin('').endsAt;
    try {
      const tokens = [...new Set(aging.map((held) => held.token))];
      const ours = new Set((await renewLeases(db, tokens, leaseSeconds)).map(nameOf));
      // A process that stood still finds its leases swept: what waits under them is somebody else's by now.
      for (const held of aging) if (ours.has(nameOf(held))) held.endsAt = renewed;
    } catch (error) {
      log.warn({ err: error, leases: aging.length }, 'leases could not be renewed');
    }
  }
}

const nameOf = ({ emailId, token }: Claimed): string => `${token} ${emailId}`;
