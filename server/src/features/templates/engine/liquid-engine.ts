/**
 * The Liquid of this service: the library with everything taken away that reads files, keeps something between two
 * renderings, or takes more time than its input is long. Only this folder knows the library, which interprets and
 * never compiles to code.
 */
import {
  CaptureTag,
  Context,
  Drop,
  EchoTag,
  type Emitter,
  Liquid,
  LiquidError,
  type Template as Node,
  Token,
  toValueSync,
  type Value,
} from 'liquidjs';
import { escapeHtml } from '#platform/html/html.ts';
import { NestedCommentTag } from './comment-tag.ts';
import { registerDateFilter } from './dates/date-filter.ts';
import { type DrawnPiece, textOfPieces } from './drawn-piece.ts';
import { parseWithFallbacks } from './fallback-text.ts';
import { registerArithmetic } from './filters/arithmetic.ts';
import { registerListFilters } from './filters/lists.ts';
import { characterCount, registerTextFilters } from './filters/texts.ts';
import { forTag } from './for-tag.ts';
import { captured, Markup, registerMarkupFilters } from './markup.ts';
import { OPERATORS } from './operators.ts';
import { type PartialReader, partialTag } from './partial-tag.ts';
import { type Chain, CONTENT, pathsOfChain, requiredIn } from './paths.ts';
import { ReadPartials } from './read-partials.ts';
import { textOf, type TemplateRecord } from './template-data.ts';
import { overLimit, TEMPLATE_LIMITS, TemplateError } from './template-error.ts';

type Limiter = Context['renderLimit'];

export interface Engine {
  /** A template, then the layouts around it. `partials`: the sources that `render` finds, by their names. */
  parse(sources: readonly string[], partials: ReadonlyMap<string, string>): Chain;
  /** The result in pieces: outputs apart from everything else, but for those that end with `| raw`. */
  draw(chain: Chain, data: TemplateRecord): DrawnPiece[];
  /** Paths of everything it reads from its data, each once: `['subscriber', 'name']`. */
  pathsOf(chain: Chain): string[][];
  /** The paths that it prints whatever the data are: under no condition, in no loop, and without `default`. */
  requiredPathsOf(chain: Chain): string[][];
}

// include, render, layout and block read other templates; increment and decrement change the data they are given.
const TAGS = new Set('# assign break capture case comment continue cycle echo for if raw unless'.split(' '));
// The remaining filters take time linear in their input, read nothing but it and evaluate no expressions.
const FILTERS = new Set(
  (
    'abs append at_least at_most capitalize ceil compact concat date default divided_by downcase escape escape_once ' +
    'first floor join json last lstrip map minus modulo newline_to_br plus prepend raw remove remove_first replace ' +
    'replace_first reverse round rstrip size slice sort sort_natural split strip strip_newlines times truncate ' +
    'truncatewords uniq upcase url_decode url_encode'
  ).split(' '),
);

/** The resources that one rendering has used. */
class Budget {
  loopItems = 0;
  outputChars = 0;
}

/** An output of the template, on its way to where it is written. */
class Output {
  readonly pieces: readonly DrawnPiece[];

  constructor(pieces: readonly DrawnPiece[]) {
    this.pieces = pieces;
  }
}

/** Collects output within the budget; captures count as output, or a loop could grow one without end. */
class BoundedEmitter {
  /** The library reads it behind every body of a tag, a loop's once an item. */
  buffer = '';
  readonly pieces: DrawnPiece[] = [];
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  write(value: unknown): void {
    if (value instanceof Output) for (const piece of value.pieces) this.#add(piece);
    else this.#add(textOf(value));
  }

  #add(piece: DrawnPiece): void {
    const text = typeof piece === 'string' ? piece : piece.text;
    this.#budget.outputChars += text.length;
    if (this.#budget.outputChars > TEMPLATE_LIMITS.outputChars) throw overLimit('outputChars');
    this.buffer += text;
    if (text !== '') this.pieces.push(piece);
  }
}

/** The last filter of an output. */
function outputOf(escaped: boolean): (value: unknown) => string {
  const output = (value: unknown): Output => {
    if (value instanceof Markup) return new Output(value.pieces);
    const text = textOf(value);
    return new Output([{ value: text, text: escaped ? escapeHtml(text) : text }]);
  };
  // The library hands its result to the emitter as it is; its types know texts only.
  return output as unknown as (value: unknown) => string;
}

interface EngineOptions {
  /** Outputs become HTML text, unless they end with `| raw`. */
  escaped: boolean;
  /** The tag `render` is there. */
  partials: boolean;
}

/** The library without what reads files or keeps something, each of its renderings within the budget of its context. */
function limitedLiquid(escaped: boolean, budgets: WeakMap<Context, Budget>): Liquid {
  const loopBodies = new WeakSet<object>();
  const liquid = new Liquid({
    // The default reads included files from the working directory.
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: TEMPLATE_LIMITS.sourceChars,
    memoryLimit: TEMPLATE_LIMITS.memory,
    timezoneOffset: 0,
    operators: OPERATORS,
    outputEscape: outputOf(escaped),
  });
  for (const name of Object.keys(liquid.tags)) if (!TAGS.has(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.has(name)) delete liquid.filters[name];
  replaceFilters(liquid, escaped);
  registerTags(liquid, { escaped, budgets, loopBodies });
  // Every body of every tag is rendered through this one function, a loop's once an item.
  const { renderer } = liquid;
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (nodes, context, emitter) => {
    const budget = budgets.get(context);
    if (budget === undefined) throw new Error('a template was rendered without a budget');
    if (loopBodies.has(nodes)) {
      budget.loopItems += 1;
      if (budget.loopItems > TEMPLATE_LIMITS.loopItems) throw overLimit('loopItems');
    }
    return renderTemplates(nodes, context, emitter ?? new BoundedEmitter(budget));
  };
  return liquid;
}

/**
 * The library says of each variable in which row and column it stands, and reads the text from its beginning to find
 * out: for 10,000 variables that took five seconds in one piece. Nobody reads these places.
 */
function withoutPlaces<T>(look: () => T): T {
  const { getPosition } = Token.prototype;
  Token.prototype.getPosition = () => [0, 0];
  try {
    return look();
  } finally {
    Token.prototype.getPosition = getPosition;
  }
}

export function createEngine({ escaped, partials }: EngineOptions): Engine {
  const budgets = new WeakMap<Context, Budget>();
  const liquid = limitedLiquid(escaped, budgets);
  const reading: { current: PartialReader | undefined } = { current: undefined };
  if (partials) registerPartials(liquid, { reading, budgets });
  const pathsIn = (nodes: readonly Node[]): string[][] =>
    withoutPlaces(() =>
      // The library changes no nodes; its types do not say so.
      liquid.globalVariableSegmentsSync(nodes as Node[]),
    ).map((segments) => segments.filter((segment) => typeof segment === 'string'));

  const drawOnce = (chain: Chain, data: TemplateRecord): DrawnPiece[] =>
    saying(() => {
      const shared = { liquid, renderLimit: cpuLimit() };
      const budget = new Budget();
      let pieces: readonly DrawnPiece[] | undefined;
      for (const nodes of chain) {
        const context = new OwnContext(data, liquid.options, { sync: true }, shared);
        // The inside of a layout is no data: it is escaped no further.
        if (pieces !== undefined) context.bottom()[CONTENT] = escaped ? captured(pieces) : textOfPieces(pieces);
        budgets.set(context, budget);
        const emitter = new BoundedEmitter(budget);
        // The library changes no nodes; its types do not say so.
        toValueSync(liquid.renderer.renderTemplates(nodes as Node[], context, emitter));
        pieces = emitter.pieces;
      }
      return [...(pieces ?? [])];
    });

  return {
    parse: (sources, named) =>
      saying(() =>
        sources.map((source, place) => {
          reading.current = new ReadPartials(liquid, named, sources.length - place);
          return parseWithFallbacks(liquid, source);
        }),
      ),
    draw(chain, data) {
      try {
        return drawOnce(chain, data);
      } catch (error) {
        if (!isLate(error)) throw error;
        // The time of the thread holds what is no fault of the template: a collection of garbage, and on a virtual
        // machine the time that its host takes away. Only a template that is late again is refused.
        return drawOnce(chain, data);
      }
    },
    pathsOf: (chain) => pathsOfChain(chain, pathsIn),
    requiredPathsOf(chain) {
      const read = new Set(pathsOfChain(chain, pathsIn).map(String));
      return pathsOfChain(chain, (nodes) => requiredIn(nodes, pathsIn)).filter((path) => read.has(String(path)));
    },
  };
}

function registerPartials(
  liquid: Liquid,
  given: { reading: { readonly current: PartialReader | undefined }; budgets: WeakMap<Context, Budget> },
): void {
  const reader = (): PartialReader => {
    if (given.reading.current === undefined) throw new Error('a template was read without its partials');
    return given.reading.current;
  };
  liquid.registerTag(
    'render',
    partialTag(reader, function* (partial, values, context, emitter) {
      const { renderLimit, memoryLimit, opts } = context;
      const inner = new OwnContext(context.environments, opts, { sync: true }, { liquid, renderLimit, memoryLimit });
      Object.assign(inner.bottom(), values);
      const budget = given.budgets.get(context);
      if (budget !== undefined) given.budgets.set(inner, budget);
      yield liquid.renderer.renderTemplates(partial.nodes as Node[], inner, emitter); // the library changes no nodes
    }),
  );
}

/** Tags in place of the library's. `loopBodies` hears of each body of a loop. */
function registerTags(
  liquid: Liquid,
  given: { escaped: boolean; budgets: WeakMap<Context, Budget>; loopBodies: WeakSet<object> },
): void {
  liquid.registerTag('for', forTag(given.loopBodies));
  liquid.registerTag('comment', NestedCommentTag);
  if (!given.escaped) return;
  liquid.registerTag('capture', captureOf(given.budgets));
  liquid.registerTag('echo', echoOf(outputOf(true)));
}

/** `capture` in html: it holds escaped outputs, so its own output escapes them no further. */
const captureOf = (budgets: WeakMap<Context, Budget>) =>
  class extends CaptureTag {
    override *render(context: Context): Generator<unknown, void, string> {
      const budget = budgets.get(context);
      if (budget === undefined) throw new Error('a template was rendered without a budget');
      const emitter = new BoundedEmitter(budget);
      yield this.liquid.renderer.renderTemplates(this.templates, context, emitter as Emitter); // its write is ours
      context.bottom()[this.variable] = captured(emitter.pieces);
    }
  };

/** `echo` in html: the library makes a text of a value before it asks for the escaping, which would escape it again. */
const echoOf = (output: (value: unknown) => unknown) =>
  class extends EchoTag {
    override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const { value } = this as unknown as { value?: Value }; // private in its types
      if (value === undefined) return;
      const result = yield value.value(context, false);
      emitter.write(value.filters.at(-1)?.raw === true ? result : output(result));
    }
  };

function replaceFilters(liquid: Liquid, escaped: boolean): void {
  for (const register of [
    registerArithmetic,
    registerTextFilters,
    registerListFilters,
    registerDateFilter,
    decodeAnyText,
  ]) {
    register(liquid);
  }
  if (escaped) registerMarkupFilters(liquid);
  timeFilters(liquid);
}

/** The library asks for the time between two nodes, and an output is one, with thousands of filters over long texts. */
function timeFilters({ filters }: Liquid): void {
  for (const [name, filter] of Object.entries(filters)) {
    if (typeof filter !== 'function') continue; // `raw`, which does nothing
    filters[name] = function (value, ...args) {
      this.context.renderLimit.check(0);
      return filter.call(this, value, ...args);
    };
  }
}

/** The one filter left that would fail for some people's data, and with it the mail: it prints the text as it is. */
function decodeAnyText(liquid: Liquid): void {
  const { url_decode: decode } = liquid.filters;
  if (typeof decode !== 'function') return;
  liquid.registerFilter('url_decode', function (value: unknown) {
    try {
      return decode.call(this, value);
    } catch {
      return textOf(value);
    }
  });
}

/** `forloop.index`; every other name of the library's own objects leads to its code. */
const OF_LOOP = new Set('index index0 rindex rindex0 first last length name parentloop'.split(' '));

class OwnContext extends Context {
  override readProperty(scope: Parameters<Context['readProperty']>[0], key: Parameters<Context['readProperty']>[1]) {
    // All else is read in no time.
    if (key === 'size') this.renderLimit.check(0);
    const isOpen = !(scope instanceof Drop) || OF_LOOP.has(String(key));
    if (!isOpen && !(scope instanceof Markup)) return undefined;
    const of: unknown = isOpen ? scope : scope.valueOf();
    if (typeof of === 'string' && key === 'size') return characterCount(of, this.memoryLimit);
    return super.readProperty(of as never, key); // it reads values of every type
  }
}

/**
 * The time of this thread, in place of the library's time of the day: on a busy machine a rendering waits for its turn
 * longer than it takes. Asked for only once that much time has passed.
 */
function cpuLimit(): Limiter {
  const startedAt = performance.now();
  const started = process.threadCpuUsage();
  const limit: Pick<Limiter, 'use' | 'check'> = {
    use: () => undefined,
    check() {
      if (performance.now() - startedAt <= TEMPLATE_LIMITS.cpuMs) return;
      const { user, system } = process.threadCpuUsage(started);
      if ((user + system) / 1_000 > TEMPLATE_LIMITS.cpuMs) throw overLimit('cpuMs');
    },
  };
  return limit as Limiter; // its other members are private
}

const isLate = (error: unknown): boolean => error instanceof TemplateError && error.limit === 'cpuMs';

/** Runs it, and says what went wrong as one of our errors. */
function saying<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw templateErrorOf(error);
  }
}

function templateErrorOf(error: unknown): Error {
  if (error instanceof TemplateError) return error;
  if (error instanceof RangeError) return new TemplateError('Its tags are nested too deeply.', null, 'memory');
  if (!LiquidError.is(error)) {
    const internal = error instanceof Error ? error.message : String(error);
    return internal === 'parse length limit exceeded'
      ? overLimit('sourceChars')
      : new TemplateError(`${internal}.`, null);
  }
  const { originalError, token } = error as unknown as { originalError?: unknown; token?: { getPosition(): number[] } }; // set by the library, not in its types
  if (originalError instanceof RangeError) return templateErrorOf(originalError);
  const line = token?.getPosition()[0] ?? null;
  if (originalError instanceof TemplateError) {
    return originalError.limit === null ? originalError : overLimit(originalError.limit, line);
  }
  const reason = error.message.replace(/, line:\d+, col:\d+$/, '');
  if (reason.startsWith('memory alloc limit exceeded')) return overLimit('memory', line);
  return new TemplateError(sentenceOf(reason), line);
}

/** The library's words as a sentence; for what we took away, one of ours. */
function sentenceOf(reason: string): string {
  const [, tag] = /^tag "(.*?)" not found/s.exec(reason) ?? [];
  if (tag !== undefined) return `There is no tag "${tag}".`;
  const [, filter] = /^undefined filter: (.*)/s.exec(reason) ?? [];
  if (filter !== undefined) return `There is no filter "${filter}".`;
  const clean = reason.replace(/\s+/g, ' ').slice(0, 200);
  return `${clean.charAt(0).toUpperCase()}${clean.slice(1)}.`;
}
