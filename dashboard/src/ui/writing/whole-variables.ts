/** A line of text in which a variable is one thing: selected, replaced and deleted whole, never letter by letter. */
import { variablesIn } from '../../lib/blocks/template-text.ts';

export interface Span {
  from: number;
  to: number;
}
/** `anchor` stays where it is while Shift and an arrow move `focus`. */
export interface Selected {
  anchor: number;
  focus: number;
}

export const spansIn = (text: string): Span[] =>
  variablesIn(text).map(({ index, text: whole }) => ({ from: index, to: index + whole.length }));

/** The variable that has the place inside, and not at its edge. */
export const spanAround = (text: string, at: number): Span | undefined =>
  spansIn(text).find((span) => isInside(at, span));

/**
 * The selection without a part of a variable in it. A caret that a key brings into a variable goes on to its other
 * side, one that a pointer puts there selects it.
 */
export function wholeSelection(text: string, now: Selected, before: Selected, byPointer: boolean): Selected {
  const { anchor, focus } = now;
  const held = spanAround(text, anchor);
  const moved = spanAround(text, focus);
  if (anchor === focus) {
    if (moved === undefined) return now;
    if (byPointer) return { anchor: moved.from, focus: moved.to };
    const at = focus < before.focus ? moved.from : moved.to;
    return { anchor: at, focus: at };
  }
  const goesBack = byPointer ? focus < anchor : focus < before.focus;
  return {
    anchor: held === undefined ? anchor : focus < anchor ? held.to : held.from,
    focus: moved === undefined ? focus : goesBack ? moved.from : moved.to,
  };
}

/** Where a variable holds its fallback: between the quotes of `default`, or behind `else`. */
const FALLBACK = /(?<=\|\s*default:\s*")[^"]*|(?<=\|\s*default:\s*')[^']*|(?<=\{% else %\})[^{]*/d;

/**
 * The variable at the selection, with the place of its fallback; one without a fallback gets an empty one in `text`.
 * It is selected whole, or the caret stands at its edge.
 */
export function fallbackAt(
  text: string,
  { from, to }: Span,
): { whole: Span; text: string; fallback: Span } | undefined {
  const variable = variablesIn(text).find(({ index, text: { length } }) =>
    from === to ? index === to || index + length === to : index === from && index + length === to,
  );
  if (variable === undefined) return undefined;
  const { index, path, text: was } = variable;
  const now = FALLBACK.test(was) ? was : was.replace(path, `${path} | default: ""`);
  const [begin = 0, end = 0] = FALLBACK.exec(now)?.indices?.[0] ?? [];
  return {
    whole: { from: index, to: index + was.length },
    text: now,
    fallback: { from: index + begin, to: index + end },
  };
}

/** The last word of a text or the signs after it, with the spaces behind them. */
const LAST = /(?:[\p{L}\p{N}_'’]+|[^\p{L}\p{N}_'’\s]+)\s*$/u;
const FIRST = /^\s*(?:[\p{L}\p{N}_'’]+|[^\p{L}\p{N}_'’\s]+)/u;

/**
 * How much a key deletes at the caret; undefined where the browser is right. To the browser the end of a variable is
 * two braces, so it would delete them alone, or together with the signs that follow.
 */
export function deletedAt(text: string, caret: number, inputType: string): Span | undefined {
  const spans = spansIn(text);
  const before = spans.findLast(({ to }) => to <= caret);
  const next = spans.find(({ from }) => from >= caret);
  if (inputType === 'deleteContentBackward') return before?.to === caret ? before : undefined;
  if (inputType === 'deleteContentForward') return next?.from === caret ? next : undefined;
  if (inputType === 'deleteWordBackward' && before !== undefined) {
    const word = LAST.exec(text.slice(before.to, caret))?.[0];
    return { from: word === undefined ? before.from : caret - word.length, to: caret };
  }
  if (inputType === 'deleteWordForward' && next !== undefined) {
    const word = FIRST.exec(text.slice(caret, next.from))?.[0];
    return { from: caret, to: word === undefined ? next.to : caret + word.length };
  }
  return undefined;
}

/**
 * The text and caret that an edit should have led to, when it cut a variable; undefined when it cut none. All of the
 * variable is replaced then, and words that were put inside stand behind it. `selected` is what the edit replaces, if
 * it does as it should. Else the two texts are compared. They do not say everything: "aa" of "aaa" can be gone at two
 * places, so an edit has cut a variable only when each place would have.
 */
export function wholeEdit(before: string, after: string, selected: Span): { text: string; caret: number } | undefined {
  const spans = spansIn(before);
  if (replaces(before, after, selected) && !spans.some((span) => cuts(selected, span))) return undefined;
  const shorter = Math.min(before.length, after.length);
  const head = equalUntil(shorter, (at) => before[at] === after[at]);
  const tail = equalUntil(shorter, (at) => before.at(-1 - at) === after.at(-1 - at));
  const kept = Math.min(head + tail, shorter);
  const removed = before.length - kept;
  for (let at = kept - tail; at <= head; at += 1)
    if (!spans.some((span) => cuts({ from: at, to: at + removed }, span))) return undefined;
  const cut = spans.filter((span) => cuts({ from: head, to: head + removed }, span));
  const inserted = after.slice(head, head + after.length - kept);
  const to = Math.max(head + removed, ...cut.map((span) => span.to));
  const from = removed === 0 ? to : Math.min(head, ...cut.map((span) => span.from));
  return { text: before.slice(0, from) + inserted + before.slice(to), caret: from + inserted.length };
}

const isInside = (at: number, { from, to }: Span): boolean => from < at && at < to;
const cuts = ({ from, to }: Span, variable: Span): boolean => isInside(from, variable) || isInside(to, variable);

const replaces = (before: string, after: string, { from, to }: Span): boolean =>
  after.length >= from + before.length - to &&
  after.startsWith(before.slice(0, from)) &&
  after.endsWith(before.slice(to));

function equalUntil(end: number, isEqual: (at: number) => boolean): number {
  let at = 0;
  while (at < end && isEqual(at)) at += 1;
  return at;
}
