import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { locales } from './locales.ts';
import { plantTree } from './planted-tree.ts';

const FOLDER = 'server/src/features/reader-pages/locales';
const ENGLISH = `export const en = { pages: { greeting: 'Hello {name}' }, footer: { bye: 'Bye' } };`;

async function problemsOf(files: Record<string, string>): Promise<string> {
  const planted = Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text] as const);
  using tree = plantTree(Object.fromEntries(planted));
  return (await locales.run(tree)).join('\n');
}
const german = (pages: string): Promise<string> =>
  problemsOf({ 'en.ts': ENGLISH, 'de.ts': `export const de = { ${pages}, footer: { bye: 'Tschüss' } };` });

test('refused: a locale that lacks a text, or a whole group of them', async () => {
  assert.match(await german('pages: {}'), /de\.ts lacks pages\.greeting/);
  const problems = await problemsOf({
    'en.ts': ENGLISH,
    'ja.ts': `export const ja = { pages: { greeting: '{name}様' } };`,
  });
  assert.match(problems, /ja\.ts lacks footer\.bye/);
});

test('refused: a placeholder that is missing, misspelled, not closed or new', async () => {
  assert.match(await german(`pages: { greeting: 'Hallo' }`), /greeting has no placeholder in place of \{name\}/);
  assert.match(await german(`pages: { greeting: 'Hallo {nmae}' }`), /has \{nmae\} in place of \{name\}/);
  assert.match(await german(`pages: { greeting: 'Hallo {name' }`), /has \{name in place of \{name\}/);
  assert.match(await german(`pages: { greeting: 'Hallo {name} {place}' }`), /has \{name\} \{place\} in place of/);
});

test('refused: a text that is empty or no text, and one that English does not have', async () => {
  assert.match(await german(`pages: { greeting: ' ' }`), /pages\.greeting is no text/);
  assert.match(await german(`pages: { greeting: 7 }`), /pages\.greeting is no text/);
  assert.match(await german(`pages: { greeting: 'Hallo {name}', old: 'Alt' }`), /de\.ts has pages\.old, which en\.ts/);
});

test('refused: locales without the English one', async () => {
  assert.match(await problemsOf({ 'de.ts': 'export const de = {};' }), /en\.ts is missing/);
});

test('accepted: placeholders in another order, other files beside the locales, and a tree without any', async () => {
  const problems = await problemsOf({
    'en.ts': `export const en = { pages: { both: '{a} of {b}' } };`,
    'ja.ts': `export const ja = { pages: { both: '{b}の{a}' } };`,
    'messages.ts': 'export const other = { pages: {} };',
  });
  assert.equal(problems, '');
  using tree = plantTree({});
  assert.deepEqual(await locales.run(tree), []);
});

test('accepted: ours, of which there are six', async () => {
  const server = dirname(import.meta.dirname);
  assert.deepEqual(await locales.run({ root: dirname(server), server }), []);
});
