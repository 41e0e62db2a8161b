import { AppError } from '#platform/errors/app-error.ts';

const DETAILS_MAX = 20;

/**
 * Collects what is wrong with a send, so that the caller mends it in one go. Faults that cannot be read (400) weigh
 * more than those that are understood but not acceptable (422): with both, the answer is 400 and lists both, the
 * unreadable first.
 */
export class Faults {
  readonly #unreadable: { param: string; sentence: string }[] = [];
  readonly #unacceptable: { param: string; sentence: string }[] = [];

  /** `sentence` says the whole thing, beginning with the field. */
  unreadable(param: string, sentence: string): void {
    this.#unreadable.push({ param, sentence });
  }

  unacceptable(param: string, sentence: string): void {
    this.#unacceptable.push({ param, sentence });
  }

  throwIfAny(): void {
    const all = [...this.#unreadable, ...this.#unacceptable];
    const [first] = all;
    if (first === undefined) return;
    throw new AppError('validation_error', first.sentence, {
      param: first.param,
      ...(this.#unreadable.length === 0 ? { unacceptable: true } : {}),
      ...(all.length > 1 ? { details: all.slice(0, DETAILS_MAX).map((fault) => fault.sentence) } : {}),
    });
  }
}
