/**
 * `for` as the reference implementation has it: `else` also behind a limit that leaves nothing, an absent `limit` is
 * none, and `forloop.parentloop` is the loop around.
 */
import { type Context, Drop, type Emitter, evalToken, ForTag } from 'liquidjs';
import { isPlain } from './template-data.ts';
import { numberOf } from './filters/arithmetic.ts';

const LOOPS = 'posthorn-loops';

/** `forloop`; as text it is nothing. */
export class Loop extends Drop {
  #done = 0;
  readonly length: number;
  readonly name: string;
  readonly parentloop: Loop | undefined;

  constructor(length: number, name: string, parentloop: Loop | undefined) {
    super();
    this.length = length;
    this.name = name;
    this.parentloop = parentloop;
  }

  next(): void {
    this.#done += 1;
  }

  index(): number {
    return this.#done + 1;
  }

  index0(): number {
    return this.#done;
  }

  rindex(): number {
    return this.length - this.#done;
  }

  rindex0(): number {
    return this.length - this.#done - 1;
  }

  first(): boolean {
    return this.#done === 0;
  }

  last(): boolean {
    return this.#done === this.length - 1;
  }

  override valueOf(): string {
    return '';
  }
}

/** `loopBodies` hears of each body of a loop. */
export const forTag = (loopBodies: WeakSet<object>) =>
  class extends ForTag {
    constructor(...of: ConstructorParameters<typeof ForTag>) {
      super(...of);
      loopBodies.add(this.templates);
    }

    override *render(context: Context, emitter: Emitter): Generator<unknown, void, never> {
      const { renderer } = this.liquid;
      const name = `${this.variable}-${this.collection.getText()}`;
      const all = itemsOf(yield evalToken(this.collection, context));
      context.push({ continue: context.getRegister(`continue-${name}`, 0) });
      const asked: Readonly<Record<string, unknown>> = yield this.hash.render(context);
      context.pop();
      const from = Math.max(wholeOf(asked['offset']) ?? 0, 0);
      const most = wholeOf(asked['limit']);
      const items = all.slice(from, most === undefined ? undefined : from + Math.max(most, 0));
      context.setRegister(`continue-${name}`, from + items.length);
      if ('reversed' in asked) items.reverse();
      if (items.length === 0) {
        yield renderer.renderTemplates(this.elseTemplates, context, emitter);
        return;
      }
      const around = context.getRegister<readonly Loop[]>(LOOPS, []);
      const loop = new Loop(items.length, name, around.at(-1));
      context.setRegister(LOOPS, [...around, loop]);
      const scope: Record<string, unknown> = Object.assign(Object.create(null), { forloop: loop });
      context.push(scope);
      for (const item of items) {
        scope[this.variable] = item;
        context.continueCalled = context.breakCalled = false;
        yield renderer.renderTemplates(this.templates, context, emitter);
        if (context.breakCalled) break;
        loop.next();
      }
      context.continueCalled = context.breakCalled = false;
      context.pop();
      context.setRegister(LOOPS, around);
    }
  };

/** A record is gone through in pairs of name and value; a text is one item. */
function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return [...value];
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (isPlain(value) || value instanceof Drop) return [];
  return Object.entries(value as object); // isPlain has asked
}

const wholeOf = (value: unknown): number | undefined =>
  value === undefined || value === null ? undefined : Math.trunc(numberOf(value));
