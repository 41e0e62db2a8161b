import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantTree } from './planted-tree.ts';
import { plainWords } from './plain-words.ts';

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  using tree = plantTree(files);
  return (await plainWords.run(tree)).filter((problem) => /planted/.test(problem));
}

for (const [what, text] of Object.entries({
  'a paragraph': 'What is sent is kept.\n',
  'a second sentence': 'Mail is kept. Whoever asks can read it.\n',
  'a second sentence on the next line': 'Mail is kept.\nThose who ask can read it.\n',
  'a list item': '- Mail is kept.\n- Who asks can read it.\n',
  'a heading': '## What is kept\n',
  'a table cell': '| a | b |\n|---|---|\n| mail | What is kept. |\n',
  'a sentence after a bold title': '**Mail.** Whom it is for is stored.\n',
  'a sentence that ends before a question': 'What is sent is kept. Is it?\n',
}))
  test(`refused: ${what} of a document that begins with a pronoun`, async () => {
    const problems = await problemsOf({ 'docs/planted.md': text });
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems.join(), /^docs\/planted\.md:\d+ begins a sentence with "(What|Who|Whoever|Whom|Those)"/);
  });

for (const [what, text] of Object.entries({
  'a line': '// What is kept.\n',
  'the second line': '// Mail is kept.\n// Whoever asks can read it.\n',
  'a block': '/** What is kept. */\n',
  'the second line of a block': '/**\n * Mail is kept.\n * Those who ask can read it.\n */\n',
  'a comment behind code': 'const a = 1; // What is kept.\n',
}))
  test(`refused: ${what} of a comment that begins with a pronoun`, async () => {
    const problems = await problemsOf({ 'server/src/mail/planted.ts': text });
    assert.equal(problems.length, 1, problems.join('\n'));
  });

test('refused: a comment in SQL and in a start script', async () => {
  const files = { 'server/migrations/0001_planted.sql': '-- What is kept.\n', 'scripts/planted.mjs': '// Who asks.\n' };
  assert.equal((await problemsOf(files)).length, 2);
});

test('refused: a test that is named by a pronoun, also behind its status', async () => {
  const text = "test('what is sent is kept', () => {});\ntest('404 whoever asks', () => {});\n";
  assert.equal((await problemsOf({ 'server/src/mail/planted.test.ts': text })).length, 2);
});

test('refused: a comment of more than 120 columns', async () => {
  const line = (columns: number): string => `// ${'a'.repeat(columns - 3)}\n`;
  assert.deepEqual(await problemsOf({ 'server/src/mail/planted.ts': line(120) + line(121) }), [
    'server/src/mail/planted.ts:2 is a comment of 121 columns; the limit is 120',
  ]);
});

test('accepted: questions, quotes, code and words that begin with one of them', async () => {
  const document = [
    'What do I pay? Who pays?',
    'Whatever is sent is kept, and the newsletter "What we shipped" is too.',
    'The field `What` is kept.',
    '```sh\nWhat is this\n```',
    '<!-- What is generated -->',
  ].join('\n\n');
  const code = "const a = 'What is kept.';\ntest('what is kept?', () => {});\n// oxlint-disable-next-line x -- y\n";
  const files = { 'docs/planted.md': document, 'server/src/mail/planted.test.ts': code };
  assert.deepEqual(await problemsOf(files), []);
});
