import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check } from './check.ts';
import { filesBelow } from './source-tree.ts';

const FOLDER = 'src/features/reader-pages/locales';
const REFERENCE = 'en';
/** `de.ts`, `pt-BR.ts`: what else is in the folder is no locale. */
const LOCALE_FILE = /^([a-z]{2,3}(?:-[A-Z]{2})?)\.ts$/;

type Texts = ReadonlyMap<string, unknown>;

/**
 * Every locale has every text, none of them empty, with the placeholders of the English one. The type check says the
 * first as well, but not when somebody silences it; nothing else says the rest.
 */
export const locales: Check = {
  name: 'locales',
  async run({ server }) {
    const folder = join(server, FOLDER);
    if (!existsSync(folder)) return [];
    const languages = filesBelow(folder).flatMap((file) => LOCALE_FILE.exec(file)?.[1] ?? []);
    if (!languages.includes(REFERENCE))
      return [`server/${FOLDER}/${REFERENCE}.ts is missing: it says which texts there are`];
    const reference = await textsOf(folder, REFERENCE);
    const found = await Promise.all(
      languages.map(async (language) => problemsOf(language, await textsOf(folder, language), reference)),
    );
    return found.flat();
  },
};

/** `pages.emailLabel` → text, of what the file exports. */
async function textsOf(folder: string, language: string): Promise<Texts> {
  const module: Record<string, unknown> = await import(pathToFileURL(join(folder, `${language}.ts`)).href);
  return new Map(Object.values(module).flatMap((messages) => flatten(messages, '')));
}

function flatten(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, path === '' ? key : `${path}.${key}`));
}

function problemsOf(language: string, texts: Texts, reference: Texts): string[] {
  const at = `server/${FOLDER}/${language}.ts`;
  const missing = [...reference.keys()].filter((key) => !texts.has(key)).map((key) => `${at} lacks ${key}`);
  const wrong = [...texts].flatMap(([key, text]) => {
    if (!reference.has(key)) return [`${at} has ${key}, which ${REFERENCE}.ts does not have`];
    if (typeof text !== 'string' || text.trim() === '') return [`${at}: ${key} is no text`];
    const [own, expected] = [placeholdersOf(text), placeholdersOf(String(reference.get(key)))];
    return own === expected ? [] : [`${at}: ${key} has ${own || 'no placeholder'} in place of ${expected || 'none'}`];
  });
  return [...missing, ...wrong];
}

const placeholdersOf = (text: string): string => [...new Set(text.match(/\{[^}]*\}?/g) ?? [])].sort().join(' ');
