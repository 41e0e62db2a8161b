import { diffArrays } from 'diff';

export interface DiffLine {
  kind: 'same' | 'removed' | 'added' | 'skipped';
  text: string;
}

/** Two texts that have little in common take long to compare. After this time each is shown as one block. */
const TIME_MAX_MS = 500;
/** The lines around a change. */
const CONTEXT = 3;

/** The lines of two texts with what is removed and added, and runs of unchanged lines left out. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(a, b, { timeout: TIME_MAX_MS }) ?? [
    { value: a, removed: true, added: false },
    { value: b, removed: false, added: true },
  ];
  return shortened(
    parts.flatMap(({ value, removed, added }) =>
      value.map((text): DiffLine => ({ kind: removed ? 'removed' : added ? 'added' : 'same', text })),
    ),
  );
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/\r\n|\n/));

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
