import { ownEntry } from '#platform/own-entry.ts';

/** A text with its `<words in brackets>` replaced by values; a word without a value stays. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/<([a-z ]+)>/g, (whole, name: string) => ownEntry(values, name) ?? whole);
