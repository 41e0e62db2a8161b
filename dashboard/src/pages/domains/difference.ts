/** Two texts in the parts that are the same at both ends, and the parts between them. */
export interface Difference {
  before: string;
  found: string;
  wanted: string;
  after: string;
}

export function differenceOf(found: string, wanted: string): Difference {
  const shortest = Math.min(found.length, wanted.length);
  let start = 0;
  while (start < shortest && found[start] === wanted[start]) start += 1;
  let end = 0;
  while (end < shortest - start && found.at(-1 - end) === wanted.at(-1 - end)) end += 1;
  return {
    before: found.slice(0, start),
    found: found.slice(start, found.length - end),
    wanted: wanted.slice(start, wanted.length - end),
    after: end === 0 ? '' : found.slice(-end),
  };
}

const SHOWN = 48;

/**
 * A key has 392 characters: what is the same is shown by its end that touches the difference. The dots stay on the line
 * of the text.
 */
export const endOf = (text: string): string => (text.length <= SHOWN ? text : `…\u00a0${text.slice(-SHOWN)}`);
export const beginOf = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}\u00a0…`);

/** Both ends of a long text, and how much is left out between them. */
export function shortened(text: string): string {
  const left = text.length - 2 * SHOWN;
  return left <= SHOWN ? text : `${text.slice(0, SHOWN)} … ${left} characters … ${text.slice(-SHOWN)}`;
}
