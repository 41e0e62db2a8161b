import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantTree } from './planted-tree.ts';
import { plainWords } from './plain-words.ts';

async function problemsOf(files: Record<string, string>, about = /planted/): Promise<string[]> {
  using tree = plantTree(files);
  return (await plainWords.run(tree)).filter((problem) => about.test(problem));
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

for (const [what, text] of Object.entries({
  'from its first word': "test('what is sent is kept', () => {});",
  'behind its status': "test('404 whoever asks', () => {});",
  'on a line of its own': "test(\n  'what is sent is kept',\n  () => {},\n);",
  'in a template': 'for (const one of all) test(`what ${one} sends is kept`, () => {});',
  'inside another test': "test('mail', (t) => t.test('who sent it', () => {}));",
  'while it is skipped': "test.skip('those who sent it', () => {});",
}))
  test(`refused: a test that is named by a pronoun ${what}`, async () => {
    const problems = await problemsOf({ 'server/src/mail/planted.test.ts': text });
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems.join(), /planted\.test\.ts:1 names a test/);
  });

for (const [what, text] of Object.entries({
  'a description': "const field = { description: 'What is sent is kept.' };",
  'a message': "throw new Error('Not sent. Whoever asks can read it.');",
  'a message that + joins': "const message = 'Mail is kept. ' + 'Those who ask can read it.';",
  'a message whose words + divides': "const message = 'Mail is kept. What' + ' is sent is kept.';",
  'a template': 'const message = `${count} emails. What is left waits.`;',
  'a string inside a template': "const message = `${isLate ? 'What is left waits.' : ''}`;",
  'a string that + joins to a value': "const message = count + (isLate ? 'What is left waits.' : '');",
  'a page': 'const page = html`<p>What is left waits.</p>`;',
}))
  test(`refused: ${what} of the code that begins with a pronoun`, async () => {
    const problems = await problemsOf({ 'server/src/mail/planted.ts': text });
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems.join(), /^server\/src\/mail\/planted\.ts:1 begins a sentence/);
  });

for (const [what, document] of Object.entries({
  'a tag': { tags: [{ description: 'Who planted it.' }] },
  'a summary': { paths: { '/planted': { get: { summary: 'What was planted' } } } },
  'a description': { paths: { '/planted': { get: { description: 'Newest first. Those that ended are not in it.' } } } },
  'a parameter': { paths: { '/planted': { get: { parameters: [{ description: 'Who planted it.' }] } } } },
  'an example': { paths: { '/planted': { post: { example: { subject: 'What we planted' } } } } },
  'a sample': { paths: { '/planted': { 'x-codeSamples': [{ source: '{ "subject": "What we planted" }' }] } } },
  'an answer': { components: { responses: { planted: { description: 'Gone. Whoever asks gets 404.' } } } },
}))
  test(`refused: ${what} of the API description that begins with a pronoun, by its place in it`, async () => {
    const problems = await problemsOf({ 'server/openapi.json': JSON.stringify(document) }, /./);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems.join(), /^server\/openapi\.json at \/(tags\/0|paths\/~1planted|components)\//);
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
