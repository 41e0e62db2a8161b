/**
 * Numbers and lists as English sentences write them. `Intl` does the same for every language, and costs this process
 * up to 17 MB at its first use, because it looks through the data of all of them (Node 24.21). Nothing that runs at
 * the start may ask it.
 */
const EACH_THOUSAND = /\B(?=(?:\d{3})+$)/g;

/** “20,000”, of a whole number. */
export const withThousands = (count: number): string => String(count).replace(EACH_THOUSAND, ',');

/** “GET, POST, or PUT”. */
export function oneOf(words: Iterable<string>): string {
  const all = [...words];
  const last = all.pop() ?? '';
  if (all.length === 0) return last;
  return all.length === 1 ? `${all[0]} or ${last}` : `${all.join(', ')}, or ${last}`;
}
