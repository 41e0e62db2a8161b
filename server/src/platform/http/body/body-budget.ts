/**
 * Bounds the bytes of bodies that a process holds in memory at once, from the first byte until their request is
 * answered. A body needs several times its size while it is read: its bytes, its text, its values and what is stored.
 */
export interface BodyBudgetOptions {
  bytesMax: number;
  /** A body of this size always has room beside the large bodies of one caller, and so have small ones beside all. */
  bodyBytesMax: number;
}

/** The bytes of one body. */
export interface HeldBody {
  /** Takes more for a body whose length was not told; false when there is no room. */
  grow(bytes: number): boolean;
  /** Gives all of it back; calling it twice is once. */
  release(): void;
}

/** Up to this size a body may use the part that large ones leave free. */
export const SMALL_BYTES_MAX = 1_048_576;
/** The part of the budget that is kept for small bodies: large ones that arrive slowly do not stop ordinary sends. */
const SMALL_SHARE = 1 / 8;

export class BodyBudget {
  readonly #bytesMax: number;
  readonly #largeMax: number;
  readonly #callerMax: number;
  readonly #byCaller = new Map<string, number>();
  #held = 0;

  constructor({ bytesMax, bodyBytesMax }: BodyBudgetOptions) {
    this.#bytesMax = bytesMax;
    this.#largeMax = bytesMax * (1 - SMALL_SHARE);
    this.#callerMax = Math.max(this.#largeMax - bodyBytesMax, bodyBytesMax);
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.#held;
  }

  /** Undefined: no room for it now. */
  take(caller: string, bytes: number): HeldBody | undefined {
    let mine = 0;
    let released = false;
    const add = (more: number): boolean => {
      if (released || !this.#hasRoom(caller, mine + more, more)) return false;
      mine += more;
      this.#change(caller, more);
      return true;
    };
    if (!add(bytes)) return undefined;
    return {
      grow: add,
      release: () => {
        if (!released) this.#change(caller, -mine);
        released = true;
      },
    };
  }

  #hasRoom(caller: string, bodyBytes: number, more: number): boolean {
    const after = this.#held + more;
    // A body that has all to itself is never refused: every size that a route takes can arrive.
    if (after === bodyBytes) return true;
    const free = bodyBytes <= SMALL_BYTES_MAX ? this.#bytesMax - this.#largeMax : 0;
    const ofCaller = (this.#byCaller.get(caller) ?? 0) + more;
    return after <= this.#largeMax + free && ofCaller <= this.#callerMax + free;
  }

  #change(caller: string, bytes: number): void {
    this.#held += bytes;
    const left = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (left === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, left);
  }
}
