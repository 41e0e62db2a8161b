import {
  type Context,
  type Emitter,
  Hash,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template as Node,
} from 'liquidjs';
import type { TopLevelToken } from 'liquidjs';
import { TemplateError } from './template-error.ts';

/** Five templates inside one another, the first one counted. */
export const DEPTH_MAX = 5;

/** A template that stands inside another. */
export interface Partial {
  readonly nodes: readonly Node[];
  /** Templates inside one another, itself counted. */
  readonly height: number;
}

/** The partials of one template while it is read: each is read once, wherever it stands. */
export interface PartialReader {
  /** Throws TemplateError when there is none of this name, or when it stands inside itself. */
  partial(name: string): Partial;
}

type Values = Readonly<Record<string, unknown>>;

/** Renders a partial in a context of its own that shares the budget of `context`. */
export type RenderPartial = (
  partial: Partial,
  values: Values,
  context: Context,
  emitter: Emitter,
) => Generator<unknown, void, unknown>;

/**
 * `{% render 'footer', year: 2026 %}`: a partial of the same bundle. It sees the variables of the email and what it is
 * given, and nothing that the template around it has assigned. A name that is computed is refused: the partials of a
 * version are known, and pinned, before anybody's data is.
 */
export const partialTag = (reader: () => PartialReader, render: RenderPartial) =>
  class PartialTag extends Tag {
    readonly partialName: string;
    readonly partial: Partial;
    readonly given: Hash;

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, _parser: Parser) {
      super(token, remaining, liquid);
      const name = this.tokenizer.readQuoted()?.content;
      this.given = new Hash(this.tokenizer);
      this.tokenizer.skipBlank();
      if (name === undefined || !this.tokenizer.end() || Object.values(this.given.hash).includes(undefined)) {
        throw new TemplateError(
          "render takes the alias of a template in quotes, and values: {% render 'footer', year: 2026 %}.",
          token.getPosition()[0] ?? null,
        );
      }
      this.partialName = name;
      this.partial = reader().partial(name);
    }

    *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const values = yield this.given.render(context);
      yield render(this.partial, Object(values), context, emitter);
    }

    *children(): Generator<unknown, Node[]> {
      yield undefined;
      return [...this.partial.nodes];
    }

    partialScope() {
      return { name: this.partialName, isolated: true, scope: Object.keys(this.given.hash) };
    }

    *arguments() {
      for (const value of Object.values(this.given.hash)) if (value !== undefined) yield value;
    }
  };
