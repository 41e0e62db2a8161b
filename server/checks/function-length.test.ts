import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionLength } from './function-length.ts';
import { plantTree } from './planted-tree.ts';

const lines = (count: number): string => '  work();\n'.repeat(count);

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  using tree = plantTree(files);
  return await functionLength.run(tree);
}

test('a function holds at most 60 lines, its first and last line included', async () => {
  const problems = await problemsOf({
    'server/src/mail/long.ts': `export function send() {\n${lines(59)}}\n`,
    'server/src/mail/full.ts': `export function send() {\n${lines(58)}}\n`,
    'server/src/mail/arrow.ts': `export const send = () => {\n${lines(59)}};\n`,
    'server/src/mail/class.ts': `class Mail {\n  send() {\n${lines(59)}  }\n}\n`,
  });
  assert.deepEqual(problems, [
    'server/src/mail/arrow.ts:1 send has 61 lines; the limit is 60',
    'server/src/mail/class.ts:2 send has 61 lines; the limit is 60',
    'server/src/mail/long.ts:1 send has 61 lines; the limit is 60',
  ]);
});

test('accepted: lines of SQL, a table of routes, and tests', async () => {
  const statement = `export const send = () => {\n  return sql\`${'\n  select 1'.repeat(80)}\`;\n};\n`;
  const table = `export const routes = () => [\n${'  one,\n'.repeat(80)}];\n`;
  const tested = `export function send() {\n${lines(80)}}\n`;
  const problems = await problemsOf({
    'server/src/mail/queries.ts': statement,
    'server/src/mail/routes.ts': table,
    'server/src/mail/send.test.ts': tested,
  });
  assert.deepEqual(problems, []);
});
