export interface DiffLine {
  kind: 'same' | 'removed' | 'added' | 'skipped';
  text: string;
}

/** Beyond this many pairs of lines, what differs is shown as one block: a browser does not wait for minutes. */
const PAIRS_MAX = 4_000_000;
/** The lines around a change. */
const CONTEXT = 3;

/** The lines of two texts with what is removed and added, and runs of unchanged lines left out. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const middle = changes(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return shortened([...a.slice(0, start).map(same), ...middle, ...(end === 0 ? [] : a.slice(-end)).map(same)]);
}

const same = (text: string): DiffLine => ({ kind: 'same', text });
const removed = (text: string): DiffLine => ({ kind: 'removed', text });
const added = (text: string): DiffLine => ({ kind: 'added', text });
const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/\r\n|\n/));

/** By the longest common subsequence of the lines. */
function changes(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > PAIRS_MAX) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [old, next] = [a[i], b[j]];
    if (old !== undefined && old === next) {
      lines.push(same(old));
      i += 1;
      j += 1;
    } else if (old !== undefined && (next === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push(removed(old));
      i += 1;
    } else {
      lines.push(added(next ?? ''));
      j += 1;
    }
  }
  return lines;
}

/** Keeps a few lines around each change, and counts the rest. */
function shortened(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = new Uint8Array(lines.length);
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') isNear.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  }
  const shown: DiffLine[] = [];
  let skipped = 0;
  const sayHowMany = () => {
    if (skipped > 0) shown.push({ kind: 'skipped', text: skipped === 1 ? '1 equal line' : `${skipped} equal lines` });
    skipped = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (isNear[index] === 1) {
      sayHowMany();
      shown.push(line);
    } else skipped += 1;
  }
  sayHowMany();
  return shown;
}
