import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownEntries } from './own-entries.ts';
import { plantTree } from './planted-tree.ts';

async function problemsOf(file: string, text: string): Promise<string> {
  using tree = plantTree({ [file]: text });
  return (await ownEntries.run(tree)).join('\n');
}

const TABLE = `const WORDS: Readonly<Record<string, string>> = { a: 'A' };\n`;

for (const file of ['server/src/features/emails/words.ts', 'dashboard/src/lib/words.tsx']) {
  test(`refused: a table of words that ${file} reads by a name as an object`, async () => {
    const problem = await problemsOf(file, `${TABLE}export const wordOf = (name: string) => WORDS[name] ?? name;`);
    assert.match(problem, /words\.tsx?: WORDS\[…\] finds what every object has/);
  });
}

test('accepted: own entries, a Map, a table with known keys, and tests', async () => {
  const file = 'server/src/main/words.ts';
  assert.equal(await problemsOf(file, `${TABLE}export const of = (name: string) => ownEntry(WORDS, name);`), '');
  assert.equal(await problemsOf(file, `const WORDS = new Map([['a', 'A']]);\nWORDS.get(name);`), '');
  assert.equal(
    await problemsOf(file, `const WORDS: Record<'a' | 'b', string> = { a: 'A', b: 'B' };\nWORDS[name];`),
    '',
  );
  assert.equal(await problemsOf('server/src/main/words.test.ts', `${TABLE}WORDS[name];`), '');
});
