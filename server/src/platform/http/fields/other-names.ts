import { bare } from './spelling.ts';

/** A field of ours, perhaps with the value of another service turned into the form that we take. */
type SameField = string | { readonly field: string; read(value: unknown): unknown };

/** The rest of the sentence that refuses a name, and the field of ours that its caller means, if there is one. */
export type RefusedField = string | { readonly field: string; readonly message?: string };

/** The names that other services give to fields. */
export interface OtherNames {
  /** Our own names in any case count too: `Subject` is `subject`. */
  readonly anyCase: boolean;
  /** Names that mean a field of ours. They are kept as `bare` has them. */
  readonly same: ReadonlyMap<string, SameField>;
  /** Names that we know and cannot honour. */
  readonly refused: ReadonlyMap<string, RefusedField>;
  /** The names within the objects of a field of ours. */
  readonly inside?: Readonly<Record<string, OtherNames>>;
}

export const NO_OTHER_NAMES: OtherNames = { anyCase: false, same: new Map(), refused: new Map() };

/** Names are written as their service writes them; each counts in any case and with or without `_`. */
export const otherNames = (given: {
  same?: Readonly<Record<string, SameField>>;
  refused?: Readonly<Record<string, RefusedField>>;
  inside?: Readonly<Record<string, OtherNames>>;
  anyCase?: boolean;
}): OtherNames => ({
  anyCase: given.anyCase ?? true,
  same: byBareName(given.same ?? {}),
  refused: byBareName(given.refused ?? {}),
  ...(given.inside === undefined ? {} : { inside: given.inside }),
});

const byBareName = <T>(names: Readonly<Record<string, T>>): Map<string, T> =>
  new Map(Object.entries(names).map(([name, value]) => [bare(name), value]));
