import type { Liquid } from 'liquidjs';
import { parseWithFallbacks } from './fallback-text.ts';
import { DEPTH_MAX, type Partial, type PartialReader } from './partial-tag.ts';
import { TemplateError } from './template-error.ts';

/** The partials of one template while it is read: each is read once, so that none is read by its square. */
export class ReadPartials implements PartialReader {
  readonly #liquid: Liquid;
  readonly #sources: ReadonlyMap<string, string>;
  readonly #read = new Map<string, Partial>();
  readonly #path: string[] = [];
  /** Heights of the partials in what is read at the moment. */
  #heights: number[] = [];
  readonly #depth: number;

  /** `depth`: of the template itself, 1 without a layout. */
  constructor(liquid: Liquid, sources: ReadonlyMap<string, string>, depth: number) {
    this.#liquid = liquid;
    this.#sources = sources;
    this.#depth = depth;
    if (depth > DEPTH_MAX) throw tooDeep();
  }

  partial(name: string): Partial {
    const read = this.#read.get(name) ?? this.#readOne(name);
    if (this.#depth + this.#path.length + read.height > DEPTH_MAX) throw tooDeep();
    this.#heights.push(read.height);
    return read;
  }

  #readOne(name: string): Partial {
    if (this.#path.includes(name)) {
      throw new TemplateError(
        `The template "${name}" stands inside itself: ${[...this.#path, name].join(' → ')}.`,
        null,
      );
    }
    const source = this.#sources.get(name);
    if (source === undefined) throw new TemplateError(`There is no published template "${name}" to render.`, null);
    if (this.#depth + this.#path.length >= DEPTH_MAX) throw tooDeep();
    const outer = this.#heights;
    this.#heights = [];
    this.#path.push(name);
    const nodes = parseWithFallbacks(this.#liquid, source);
    this.#path.pop();
    const partial = { nodes, height: 1 + Math.max(0, ...this.#heights) };
    this.#heights = outer;
    this.#read.set(name, partial);
    return partial;
  }
}

const tooDeep = (): TemplateError =>
  new TemplateError(`More than ${DEPTH_MAX} templates stand inside one another.`, null);
