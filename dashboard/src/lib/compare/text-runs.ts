/**
 * The lines of two texts, compared in a time that grows with their length alone. The
 * shortest way from one to the other cannot be searched in texts of 1 MB: with 50,000 lines that differ, or with every
 * tenth, it was given up after 500 ms. So lines that stand once in both texts are found first, and only what lies
 * between them is searched. These texts take 50 to 350 ms now (November 2026).
 */
import { diffArrays } from 'diff';

/** Lines of both texts that follow each other: equal ones, or those of one in the place of those of the other. */
export interface Run {
  isSame: boolean;
  before: readonly string[];
  after: readonly string[];
}

/** Lines between equal ones that differ in more than this are taken as one change. */
const EDITS_MAX = 100;
/** Lines between equal lines are compared alone, since what stands twice in a text may stand once there. */
const LEVEL_MAX = 6;
/** A longer line is cut: code is often one line of a whole mail. */
const LINE_MAX = 4_000;

/** The lines with their ends, so that all of them are the text. Long ones are cut where sentences and tags end. */
export const linesOf = (text: string): string[] => (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).flatMap(shortLines);

export function shortLines(line: string): string[] {
  if (line.length <= LINE_MAX) return [line];
  return line
    .split(/(?<=[.!?]\s|[。！？>])/)
    .flatMap((part) => (part.length <= LINE_MAX ? [part] : (part.match(/[^]{1,3999}\s|[^]{1,4000}/gu) ?? [])));
}

export function runsOf(before: readonly string[], after: readonly string[]): Run[] {
  const runs: { isSame: boolean; before: string[]; after: string[] }[] = [];
  compare(before, after, 0, ({ isSame, before: left, after: right }) => {
    if (left.length + right.length === 0) return;
    if (runs.at(-1)?.isSame !== isSame) runs.push({ isSame, before: [], after: [] });
    const run = runs.at(-1);
    // One by one: as arguments, 100,000 lines are too many for the stack.
    for (const line of left) run?.before.push(line);
    for (const line of right) run?.after.push(line);
  });
  return runs;
}

function compare(before: readonly string[], after: readonly string[], level: number, found: (run: Run) => void): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  found({ isSame: true, before: before.slice(0, start), after: after.slice(0, start) });
  between(before.slice(start, before.length - end), after.slice(start, after.length - end), level, found);
  found({ isSame: true, before: before.slice(before.length - end), after: after.slice(after.length - end) });
}

/** Lines of which neither the first nor the last are equal. */
function between(before: readonly string[], after: readonly string[], level: number, found: (run: Run) => void): void {
  const change = { isSame: false, before, after };
  if (before.length === 0 || after.length === 0 || before.length + after.length === 2) return found(change);
  const anchors = level < LEVEL_MAX ? anchorsOf(before, after) : [];
  if (anchors.length === 0) {
    const parts = diffArrays([...before], [...after], { maxEditLength: EDITS_MAX });
    if (parts === undefined) return found(change);
    for (const { value, added, removed } of parts)
      found({ isSame: !added && !removed, before: added ? [] : value, after: removed ? [] : value });
    return;
  }
  let [at, other] = [0, 0];
  for (let next = 0; next < anchors.length; ) {
    const [index, opposite] = anchors[next] ?? [0, 0];
    compare(before.slice(at, index), after.slice(other, opposite), level + 1, found);
    // Anchors that follow each other directly are one run.
    let length = 0;
    while (anchors[next]?.[0] === index + length && anchors[next]?.[1] === opposite + length) {
      length += 1;
      next += 1;
    }
    [at, other] = [index + length, opposite + length];
    found({ isSame: true, before: before.slice(index, at), after: after.slice(opposite, other) });
  }
  compare(before.slice(at), after.slice(other), level + 1, found);
}

/** Where lines that stand once in both texts are in each: as many as have the same order in both. */
function anchorsOf(before: readonly string[], after: readonly string[]): [number, number][] {
  const places = onceIn(after);
  const pairs: [number, number][] = [];
  for (const [line, index] of onceIn(before)) {
    const opposite = places.get(line);
    if (opposite !== undefined) pairs.push([index, opposite]);
  }
  return longestRise(pairs.sort(([one], [two]) => one - two));
}

function onceIn(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (places.has(line)) twice.add(line);
    places.set(line, index);
  }
  for (const line of twice) places.delete(line);
  return places;
}

/** The most pairs whose second numbers rise: the piles of a game of patience. */
function longestRise(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const under = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    under[index] = tops[low - 1] ?? -1;
    tops[low] = index;
  }
  const rise: [number, number][] = [];
  for (let index = tops.at(-1) ?? -1; index >= 0; index = under[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) rise.push(pair);
  }
  return rise.reverse();
}

/** A long change in parts that a person can compare, each with lines of both texts as long as there are any. */
export function partsOf({ before, after }: Run, linesMax: number, charactersMax: number): Run[] {
  const parts: Run[] = [];
  for (let at = 0; at < Math.max(before.length, after.length); ) {
    let [end, left, right] = [at, 0, 0];
    do {
      left += before[end]?.length ?? 0;
      right += after[end]?.length ?? 0;
      end += 1;
    } while (
      end - at < linesMax &&
      left + (before[end]?.length ?? 0) <= charactersMax &&
      right + (after[end]?.length ?? 0) <= charactersMax
    );
    // Past the end of both, nothing is left, and the end only grows to the next part.
    parts.push({ isSame: false, before: before.slice(at, end), after: after.slice(at, end) });
    at = end;
  }
  return parts;
}
