/** Words that stand for values while a text is looked at: nobody can guess them, and no rule changes them. */
import { randomBytes } from 'node:crypto';

const MARK = `x${randomBytes(9).toString('hex')}q`;
const PROBES = new RegExp(`${MARK}(\\d+)z`);

/** The word for the value of this index. */
export const probeOf = (index: number): string => `${MARK}${index}z`;

export const hasProbe = (text: string): boolean => text.includes(MARK);

/** A text, divided where the values stand: texts and indices of values in turns, and no empty text. */
export const splitAtProbes = (text: string): (string | number)[] =>
  text
    .split(PROBES)
    // Every second part is the index that was captured.
    .map((part, at) => (at % 2 === 0 ? part : Number(part)))
    .filter((part) => part !== '');

/** The text with these values. */
export const filledParts = (parts: readonly (string | number)[], values: readonly string[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : (values[part] ?? ''))).join('');
