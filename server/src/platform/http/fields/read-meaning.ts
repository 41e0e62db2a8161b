import type { Static, TSchema } from 'typebox';
import { Faults, topLevelOf } from '../../errors/faults.ts';
import { type FieldFault, sentencesOf } from '../validation.ts';

/**
 * Reads the meaning of fields whose types are right: whether a text is an address, whether a time is to come. It asks
 * nobody (no database, no other server) and changes nothing. It runs beside faults of type too; the fields that have
 * one are left out then, and its result is not used. It does not run when not all faults of type are known.
 */
export type ReadMeaning<V = unknown> = (fields: never, faults: Faults, now: Date) => V | Promise<V>;

/** One error for the faults of type and of meaning; without a fault, the value that `read` made. */
export async function readMeaning<V>(
  value: unknown,
  typeFaults: readonly FieldFault[],
  read: ReadMeaning<V>,
  { where, now }: { where: string; now: Date },
): Promise<V> {
  const broken = new Set(typeFaults.flatMap(({ param, instead }) => [param, instead ?? param].map(topLevelOf)));
  const faults = new Faults(sentencesOf(typeFaults, where), broken);
  const fields = broken.size === 0 ? value : soundFields(value, broken);
  if (fields === undefined || typeFaults.some(({ isOfMore }) => isOfMore)) faults.throwIfAny();
  const result = await read(fields as never, faults, now); // the schema has found these fields right
  faults.throwIfAny();
  return result;
}

/** Undefined when nothing of the value can be judged. */
function soundFields(value: unknown, broken: ReadonlySet<string>): object | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || broken.has('')) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !broken.has(name)));
}

/** Reads one field: throws a validation error that names it, or collects several. */
type ReadField<T> = (value: NonNullable<T>, now: Date, faults: Faults) => unknown;

/** A rule about several fields, such as “this one requires that one”. It runs when none of them has a fault. */
interface Rule<F> {
  readonly of: readonly (keyof F & string)[];
  check(fields: Partial<F>): unknown;
}

/**
 * Reads each given field with its own reader, then applies the rules about several fields, and returns the fields as
 * they came. The verbs read them again for their values.
 */
export const readEach =
  <S extends TSchema>(
    readers: { readonly [K in keyof Static<S>]?: ReadField<Static<S>[K]> },
    rules: readonly Rule<Static<S>>[] = [],
  ) =>
  async (fields: Static<S>, faults: Faults, now: Date): Promise<Static<S>> => {
    const names = Object.keys(readers) as (keyof Static<S>)[]; // `keys` forgets that the keys are known
    for (const name of names) {
      const value = Object(fields)[name];
      const read: ReadField<Static<S>[keyof Static<S>]> | undefined = readers[name];
      if (value !== undefined && value !== null && read !== undefined)
        await faults.collect(() => read(value, now, faults));
    }
    for (const { of, check } of rules) if (faults.isSound(...of)) await faults.collect(() => check(Object(fields)));
    return fields;
  };

/** Reads each item of a list, so that all bad ones are named: as many as usual, or up to `listedMax`. */
export const eachItem =
  <T>(read: (item: T, index: number) => unknown, listedMax?: number) =>
  async (items: readonly T[], _now: Date, faults: Faults): Promise<void> => {
    if (listedMax !== undefined) faults.listUpTo(listedMax);
    for (const [index, item] of items.entries()) await faults.collect(() => read(item, index));
  };
