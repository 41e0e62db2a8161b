import { AppError } from './app-error.ts';

const DETAILS_MAX = 20;

interface Fault {
  /** As the caller wrote it: `emails[3].to[0]`; '' for the whole value. */
  readonly param: string;
  /** The whole message, as a request with this fault alone gets it. */
  readonly sentence: string;
}

/**
 * Collects the faults of one request, so that the caller can mend them in one go. Faults of form (400) weigh more than
 * those of well-formed values that are not acceptable (422): with both, the answer is 400 and lists both, those of form
 * first.
 */
export class Faults {
  readonly #unreadable: Fault[] = [];
  readonly #unacceptable: Fault[] = [];
  readonly #broken: ReadonlySet<string>;
  #listedMax = DETAILS_MAX;

  /** `broken`: fields that were reported already, so they cannot be judged. Their further faults are dropped. */
  constructor(known: readonly Fault[] = [], broken: ReadonlySet<string> = new Set()) {
    this.#unreadable.push(...known);
    this.#broken = broken;
  }

  unreadable(param: string, sentence: string): void {
    if (this.#canJudge(param)) this.#unreadable.push({ param, sentence });
  }

  unacceptable(param: string, sentence: string): void {
    if (this.#canJudge(param)) this.#unacceptable.push({ param, sentence });
  }

  /** False when one of these fields has a fault: a rule about them together would mislead. */
  isSound(...fields: readonly string[]): boolean {
    const reported = new Set([...this.#unreadable, ...this.#unacceptable].map(({ param }) => topLevelOf(param)));
    return fields.every((field) => this.#canJudge(field) && !reported.has(field));
  }

  #canJudge(param: string): boolean {
    return !this.#broken.has(topLevelOf(param));
  }

  /** For a list so long that its faults are mended in one go only when more of them are listed. */
  listUpTo(faults: number): void {
    this.#listedMax = faults;
  }

  /** Runs a reader, and keeps the validation error that it throws. Returns its result, undefined after a fault. */
  async collect<T>(read: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AppError) || error.name !== 'validation_error') throw error;
      const { param = '', details = [error.message], unacceptable } = error.extras;
      for (const sentence of details) {
        if (unacceptable === true) this.unacceptable(param, sentence);
        else this.unreadable(param, sentence);
      }
      return undefined;
    }
  }

  throwIfAny(): void {
    const all = [...this.#unreadable, ...this.#unacceptable];
    const [first] = all;
    if (first === undefined) return;
    throw new AppError('validation_error', first.sentence, {
      ...(first.param === '' ? {} : { param: first.param }),
      ...(this.#unreadable.length === 0 ? { unacceptable: true } : {}),
      ...(all.length > 1 ? { details: all.slice(0, this.#listedMax).map(withField) } : {}),
    });
  }
}

/** In a list, each sentence names its field. */
const withField = ({ param, sentence }: Fault): string =>
  sentence.startsWith(param) ? sentence : `${param}: ${sentence}`;

/** `to[2]` → `to`. */
export const topLevelOf = (param: string): string => param.split(/[.[]/, 1)[0] ?? '';
