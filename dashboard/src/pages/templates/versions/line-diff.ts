import { partsOf, runsOf, shortLines } from '../../../lib/compare/text-runs.ts';

export interface DiffLine {
  kind: 'same' | 'removed' | 'added' | 'skipped';
  text: string;
}

/** The lines around a change. */
const CONTEXT = 3;
/** Of a longer change, so many removed lines stand above so many added ones. */
const LINES_MAX = 20;

/** The lines of two texts with what is removed and added, and runs of unchanged lines left out. */
export function lineDiff(before: string, after: string): DiffLine[] {
  return shortened(
    runsOf(linesOf(before), linesOf(after)).flatMap((run) =>
      run.isSame
        ? asKind('same', run.before)
        : partsOf(run, LINES_MAX, Infinity).flatMap((part) => [
            ...asKind('removed', part.before),
            ...asKind('added', part.after),
          ]),
    ),
  );
}

const asKind = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }));

/** Without their ends, which may differ. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/\r\n|\n/).flatMap(shortLines));

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
