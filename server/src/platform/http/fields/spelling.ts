/** `replyTo` for `reply_to`, and the other way round: both spellings of a field name one field. */
export const otherSpelling = (name: string): string =>
  name.includes('_')
    ? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A name without its case, underscores and hyphens: `ReplyTo`, `reply-to` and `REPLY_TO` are one. */
export const bare = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/**
 * The one of `names` that somebody meant who wrote `given`: it differs by one letter. Two may differ inside a long
 * name, but not at its ends: `workspaces` is not `workspace_id`.
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  const written = bare(given);
  let nearest: { name: string; distance: number } | undefined;
  for (const name of names) {
    const meant = bare(name);
    const shorter = Math.min(written.length, meant.length);
    const sameEnds = written[0] === meant[0] && written.at(-1) === meant.at(-1);
    const allowed = shorter < 3 ? 0 : shorter < 9 || !sameEnds ? 1 : 2;
    if (Math.abs(written.length - meant.length) > allowed) continue;
    const distance = editDistance(written, meant);
    if (distance <= allowed && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { name, distance };
  }
  return nearest?.name;
}

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + cost,
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
