/**
 * Comparisons as the reference implementation has them: nothing is less or more than a value that is absent, and a
 * record contains the names of its values. A text is compared with a number as the number that it is.
 */
import { type Context, defaultOperators, Drop } from 'liquidjs';
import { isPlain } from './template-data.ts';

type Operators = typeof defaultOperators;
type Compare = (left: unknown, right: unknown, context: never) => unknown;

/** An object of the library, such as a capture, is what it stands for. */
const plainOf = (value: unknown): unknown => (value instanceof Drop ? value.valueOf() : value);

const isOrdered = (value: unknown): boolean => ['number', 'string'].includes(typeof plainOf(value));

/** A list or an object of the library is no record. */
const isRecord = (value: unknown): value is object =>
  !isPlain(value) && !Array.isArray(value) && !(value instanceof Drop);

function ordering(name: '<' | '<=' | '>' | '>='): Operators[string] {
  const library = defaultOperators[name] as Compare; // all of its operators of two sides are
  // The types of the library know no sides of an unknown type.
  return function* (left: unknown, right: unknown, context: never): Generator<unknown, boolean, boolean> {
    if (!isOrdered(left) || !isOrdered(right)) return false;
    return yield library(left, right, context);
  } as Operators[string];
}

const contains = defaultOperators['contains'] as Compare; // as all of two sides

const OWN: Operators = {
  ...defaultOperators,
  '<': ordering('<'),
  '<=': ordering('<='),
  '>': ordering('>'),
  '>=': ordering('>='),
  // As above.
  contains: function* (left: unknown, right: unknown, context: never): Generator<unknown, boolean, boolean> {
    const part = plainOf(right);
    if (part === undefined || part === null) return false;
    if (isRecord(left)) return Object.hasOwn(left, String(part));
    return yield contains(left, right, context);
  } as Operators[string],
};

/** The time is asked for at each: a condition is one node, and may have thousands of operators over long texts. */
export const OPERATORS: Operators = Object.fromEntries(
  Object.entries(OWN).map(([name, operator]) => [
    name,
    (...sides: [...unknown[], Context]) => {
      (sides.at(-1) as Context).renderLimit.check(0); // the library gives it behind the sides
      return (operator as (...sides: unknown[]) => unknown)(...sides); // it has one side or two
    },
  ]),
) as Operators; // the same names
