/** One setting: its environment variable, what an unset one means, what it is for, and how its text is read. */
export interface Setting<T> {
  readonly env: string;
  /** As shown in the documentation. */
  readonly shown: string;
  readonly meaning: string;
  readonly fallback: T;
  /** Never printed or reported with its value. */
  readonly secret: boolean;
  /** A secret address: its scheme, host and path may be shown to the operator. */
  readonly isAddress: boolean;
  /** Throws an Error whose message completes "NAME …". */
  read(text: string): T;
}

interface Description<T> {
  env: string;
  meaning: string;
  fallback: T;
  shown?: string;
  secret?: boolean;
  isAddress?: boolean;
}

const define = <T>(about: Description<T>, read: (text: string) => T): Setting<T> => ({
  env: about.env,
  meaning: about.meaning,
  fallback: about.fallback,
  shown: about.shown ?? (about.fallback === null || about.fallback === '' ? 'none' : String(about.fallback)),
  secret: about.secret ?? false,
  isAddress: about.isAddress ?? false,
  read,
});

export const text = <T extends string | null>(
  about: Description<T> & { pattern?: RegExp; expects?: string },
): Setting<string | T> =>
  define<string | T>(about, (value) => {
    if (about.pattern !== undefined && !about.pattern.test(value))
      throw new Error(`must be ${about.expects ?? 'valid'}`);
    return value;
  });

export const integer = (about: Description<number> & { min: number; max: number }): Setting<number> =>
  define(about, (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= about.min && number <= about.max))
      throw new Error(`must be a whole number from ${about.min} to ${about.max}`);
    return number;
  });

export const decimal = (about: Description<number> & { min: number; max: number }): Setting<number> =>
  define(about, (value) => {
    const number = /^\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= about.min && number <= about.max))
      throw new Error(`must be a number from ${about.min} to ${about.max}`);
    return number;
  });

export const choice = <T extends string>(about: Description<T> & { of: readonly T[] }): Setting<T> =>
  define(about, (value) => {
    const found = about.of.find((option) => option === value);
    if (found === undefined) throw new Error(`must be one of ${about.of.join(', ')}`);
    return found;
  });

/** A comma-separated list; empty entries are left out. */
export const list = (
  about: Description<readonly string[]> & { item?: (text: string) => string },
): Setting<readonly string[]> =>
  define({ ...about, shown: about.shown ?? (about.fallback.join(',') || 'none') }, (value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry) => about.item?.(entry) ?? entry),
  );

export const httpUrl = (about: Description<string | null>): Setting<string | null> =>
  define(about, (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (
      url === undefined ||
      (url.protocol !== 'http:' && url.protocol !== 'https:') ||
      url.search !== '' ||
      url.hash !== ''
    ) {
      throw new Error('must be an http or https address without query or fragment');
    }
    return value.replace(/\/+$/, '');
  });
