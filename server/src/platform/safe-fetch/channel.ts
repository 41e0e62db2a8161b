import type { Dispatcher } from 'undici';
import { type Exchange, exchange, type Limits } from './exchange.ts';

/**
 * The requests to one place that are under way. More than `requestsMax` wait here rather than inside the pool, because
 * what is given up here is forgotten at once: a host that swallows connections would otherwise collect the bodies of
 * everything that was meant for it.
 */
export class Channel {
  readonly #dispatcher: Dispatcher;
  readonly #requestsMax: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(dispatcher: Dispatcher, requestsMax: number) {
    this.#dispatcher = dispatcher;
    this.#requestsMax = requestsMax;
  }

  get isInUse(): boolean {
    return this.#running > 0 || this.#waiting.size > 0;
  }

  /** The same as `exchange`, once there is room. */
  exchange(options: Dispatcher.DispatchOptions, limits: Limits): Omit<Exchange, 'over'> {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<Exchange['answer']>>();
    let running: Exchange | undefined;
    const start = (): void => {
      this.#running += 1;
      running = exchange(this.#dispatcher, options, limits);
      running.answer.then(resolve, reject);
      void running.over.then(() => this.#next());
    };
    if (this.#running < this.#requestsMax) start();
    else this.#waiting.add(start);
    return {
      answer: promise,
      abort: (reason) => {
        this.#waiting.delete(start);
        if (running === undefined) reject(reason);
        else running.abort(reason);
      },
      stage: () => running?.stage() ?? 'connecting',
    };
  }

  #next(): void {
    this.#running -= 1;
    for (const start of this.#waiting) {
      this.#waiting.delete(start);
      return start();
    }
  }

  /** Lets what is under way finish. */
  close(): Promise<void> {
    return this.#dispatcher.close();
  }

  destroy(): Promise<void> {
    return this.#dispatcher.destroy();
  }
}
