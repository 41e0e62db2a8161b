import { type Liquid, Tag, type TagToken, type TopLevelToken, TypeGuards } from 'liquidjs';

/** `comment`: a comment within it ends with its own `endcomment`. */
export class NestedCommentTag extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    let open = 1;
    while (open > 0) {
      const next = remaining.shift();
      if (next === undefined) throw new Error(`tag ${token.getText()} not closed`);
      if (!TypeGuards.isTagToken(next)) continue;
      if (next.name === 'comment') open += 1;
      if (next.name === 'endcomment') open -= 1;
    }
  }

  override *render(): Generator<unknown, void, unknown> {}
}
