/**
 * Bounds the bytes that are loaded at once: who wants more than is left waits for its turn, in order. A wish larger
 * than the whole budget gets all of it, alone.
 */
export class ByteBudget {
  readonly #total: number;
  #free: number;
  readonly #queue: { bytes: number; go: () => void }[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  /** Resolves with the function that gives the bytes back; calling it twice is once. */
  async take(wanted: number): Promise<() => void> {
    const bytes = Math.min(wanted, this.#total);
    if (this.#queue.length > 0 || bytes > this.#free) {
      await new Promise<void>((resolve) => this.#queue.push({ bytes, go: resolve }));
    } else {
      this.#free -= bytes;
    }
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#free += bytes;
      this.#admit();
    };
  }

  #admit(): void {
    for (let next = this.#queue[0]; next !== undefined && next.bytes <= this.#free; next = this.#queue[0]) {
      this.#queue.shift();
      this.#free -= next.bytes;
      next.go();
    }
  }
}
