import { diffWordsWithSpace } from 'diff';

export interface Piece {
  /** The version that has it. */
  of: 'both' | 'mine' | 'theirs';
  text: string;
}

/** Two texts that have little in common take long to compare, and the result would help nobody. */
const TIME_MAX_MS = 500;
/** Equal text around a change, in characters. */
const CONTEXT = 160;

/** The words of two texts with those that only one of them has; null: they differ in too much. */
export function wordDiff(theirs: string, mine: string): Piece[] | null {
  const parts = diffWordsWithSpace(theirs, mine, { timeout: TIME_MAX_MS });
  if (parts === undefined) return null;
  const pieces = parts.map(
    ({ added, removed, value }): Piece => ({ of: added ? 'mine' : removed ? 'theirs' : 'both', text: value }),
  );
  return pieces.map((piece, index) =>
    piece.of === 'both' ? { ...piece, text: shortened(piece.text, index === 0, index === pieces.length - 1) } : piece,
  );
}

/** Long equal text keeps what stands beside a change. */
function shortened(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= 3 * CONTEXT) return text;
  const [head, tail] = [isFirst ? '' : text.slice(0, CONTEXT), isLast ? '' : text.slice(-CONTEXT)];
  return `${head} … ${tail}`;
}
