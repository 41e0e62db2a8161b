import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { guarantees } from './guarantees.ts';
import { plantTree } from './planted-tree.ts';

const moves = (table: string, text: string): string => `export const ${table} = ${text};\n`;
const TREE = {
  'server/src/platform/errors/error-table.ts': 'export const ERROR_TABLE = {\n  conflict_error: { http: 409 },\n};\n',
  'server/src/features/webhooks/catalogue.ts': "export const EVENT_TYPES = ['bounce'];\n",
  'server/src/features/newsletters/subscribers/subscriber.ts': moves('SUBSCRIBER_MOVES', '{}'),
  'server/src/features/newsletters/issues/issue.ts': moves('ISSUE_MOVES', '{}'),
  'server/src/features/broadcasts/broadcast.ts': moves('BROADCAST_MOVES', "{ draft: { 'sent now': 'sending' } }"),
  'server/src/features/scheduled-emails/scheduled-email.ts': moves('SCHEDULED_MOVES', '{}'),
  'server/src/mail/told.test.ts': "test('409 for a second one', () => {});\ntest(`sent ${once}`, () => {});\n",
};
const row = (id: string, title = '409 for a second one', file = 'src/mail/told.test.ts'): string =>
  `| \`${id}\` | A promise. | \`${file}\`: ${title} |`;
const ROWS = [row('error.conflict_error'), row('event.bounce'), row('broadcast.draft.sending', 'sent ${once}')];

async function problemsOf(rows: readonly string[]): Promise<string[]> {
  using tree = plantTree({ ...TREE, 'docs/guarantees.md': `# Guarantees\n\n${rows.join('\n')}\n` });
  return await guarantees.run(tree);
}

test('accepted: a row for each error, event and move, with tests that exist', async () => {
  assert.deepEqual(await problemsOf(ROWS), []);
});

test('refused: a row that is missing, of each kind', async () => {
  assert.deepEqual(await problemsOf([]), [
    'docs/guarantees.md has no row for error.conflict_error',
    'docs/guarantees.md has no row for event.bounce',
    'docs/guarantees.md has no row for broadcast.draft.sending',
  ]);
});

test('refused: a test that is not there, a file that is none or no test, an id twice, and a row that cannot be read', async () => {
  for (const [added, problem] of [
    [row('a', '409 for a third one'), /names a test that .* does not have: 409 for a third one$/],
    [row('a', 'for a second one'), /names a test that/],
    [row('a', 'x', 'src/mail/gone.test.ts'), /gone\.test\.ts, which does not exist$/],
    [row('a', 'x', 'src/features/webhooks/catalogue.ts'), /catalogue\.ts, which is no test$/],
    [row('event.bounce'), /has event\.bounce twice$/],
    ['| `a` | A promise. | no test |', /1 rows cannot be read$/],
  ] as const) {
    const problems = await problemsOf([...ROWS, added]);
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', problem);
  }
});

test('our own table holds', async () => {
  const server = dirname(import.meta.dirname);
  assert.deepEqual(await guarantees.run({ root: dirname(server), server }), []);
});
