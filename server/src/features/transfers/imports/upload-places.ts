import type { Clock } from '#platform/clock.ts';
import { type AppError, busy } from '#platform/errors/app-error.ts';
import type { Incoming } from '#platform/http/body/streamed-body.ts';

/** Files that arrive at once in one process: each has a piece in memory and a statement under way. */
const UPLOADS_MAX = 8;
/** Of these, the files of one workspace. */
const UPLOADS_OF_WORKSPACE_MAX = 4;
/** A request that waits holds a socket and nothing of its file. */
const WAITING_MAX = 32;
const WAITING_OF_WORKSPACE_MAX = 4;
const WAIT_MS = 10_000;
const LOOK_AGAIN_MS = 1_000;
/** While others wait, a sender that took so long gives its place back, unless it sends faster than this. */
const SLOW_AFTER_MS = 5_000;
const BYTES_PER_SECOND_WHEN_FULL = 65_536;
const RETRY_AFTER_SECONDS = 10;

interface Holder {
  workspaceId: string;
  upload: Incoming;
}

interface Waiter extends Holder {
  give(leave: () => void): void;
  refuse(error: Error): void;
}

const full = (): AppError => busy('Other files are arriving. Send yours again in a moment.', RETRY_AFTER_SECONDS);
const displaced = (): AppError =>
  busy(
    'Files of other workspaces were waiting, and this one had to leave its place. Send it again in a moment.',
    RETRY_AFTER_SECONDS,
  );

/**
 * The places of the files that one process receives at once. A workspace that has no place gets one soon, whatever the
 * others do: it waits for a free one, and meanwhile the slowest sender leaves its place, or else the youngest upload
 * of a workspace that has several. So neither slow senders nor many files of a few workspaces keep all others out.
 */
export class UploadPlaces {
  /** The oldest first. */
  readonly #holders = new Set<Holder>();
  readonly #waiters = new Set<Waiter>();

  /** Resolves with the function that gives the place back. Throws 503 when none came free in ten seconds. */
  async take(clock: Clock, workspaceId: string, upload: Incoming): Promise<() => void> {
    if (this.#placesOf(workspaceId) >= UPLOADS_OF_WORKSPACE_MAX) throw full();
    if (this.#holders.size < UPLOADS_MAX) return this.#hold({ workspaceId, upload });
    this.#forgetGone();
    const own = [...this.#waiters].filter((one) => one.workspaceId === workspaceId).length;
    if (this.#waiters.size >= WAITING_MAX || own >= WAITING_OF_WORKSPACE_MAX) throw full();
    const place = Promise.withResolvers<() => void>();
    const waiter: Waiter = { workspaceId, upload, give: place.resolve, refuse: place.reject };
    this.#waiters.add(waiter);
    const again = clock.interval(LOOK_AGAIN_MS, () => this.#makeRoom());
    const end = clock.timer(WAIT_MS, () => place.reject(full()));
    this.#makeRoom();
    try {
      return await place.promise;
    } finally {
      again.cancel();
      end.cancel();
      this.#waiters.delete(waiter);
    }
  }

  #hold({ workspaceId, upload }: Holder): () => void {
    const holder = { workspaceId, upload };
    this.#holders.add(holder);
    return () => {
      if (this.#holders.delete(holder)) this.#giveFree();
    };
  }

  #placesOf(workspaceId: string): number {
    return [...this.#holders].filter((one) => one.workspaceId === workspaceId).length;
  }

  /** Free places go to the workspaces with the fewest, and of these to the request that waits longest. */
  #giveFree(): void {
    while (this.#holders.size < UPLOADS_MAX) {
      const next = this.#first();
      if (next === undefined) return;
      this.#waiters.delete(next);
      next.give(this.#hold(next));
    }
  }

  /** A sender that hung up needs no place, and no upload leaves its own for it. */
  #forgetGone(): void {
    for (const waiter of this.#waiters) {
      if (!waiter.upload.isGone()) continue;
      this.#waiters.delete(waiter);
      waiter.refuse(full());
    }
  }

  #first(): Waiter | undefined {
    this.#forgetGone();
    return [...this.#waiters]
      .map((waiter) => ({ waiter, places: this.#placesOf(waiter.workspaceId) }))
      .filter(({ places }) => places < UPLOADS_OF_WORKSPACE_MAX)
      .toSorted((one, other) => one.places - other.places)[0]?.waiter;
  }

  #makeRoom(): void {
    const first = this.#first();
    // A workspace that has a place already waits until one comes free.
    if (first === undefined || this.#placesOf(first.workspaceId) > 0) return;
    const victim = this.#slowest() ?? this.#youngestOfMany();
    if (victim === undefined) return;
    this.#holders.delete(victim);
    victim.upload.stop(displaced());
    this.#giveFree();
  }

  #slowest(): Holder | undefined {
    return [...this.#holders]
      .map((holder) => ({ holder, ...holder.upload.progress() }))
      .filter(({ waitedMs }) => waitedMs >= SLOW_AFTER_MS)
      .map(({ holder, bytes, waitedMs }) => ({ holder, rate: (bytes / waitedMs) * 1_000 }))
      .filter(({ rate }) => rate < BYTES_PER_SECOND_WHEN_FULL)
      .toSorted((one, other) => one.rate - other.rate)[0]?.holder;
  }

  /** Its sender has the least to send again, and its workspace keeps another place. */
  #youngestOfMany(): Holder | undefined {
    const most = Math.max(...[...this.#holders].map(({ workspaceId }) => this.#placesOf(workspaceId)));
    if (most < 2) return undefined;
    return [...this.#holders].findLast(({ workspaceId }) => this.#placesOf(workspaceId) === most);
  }
}
