import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const HERE = import.meta.dirname;
/** Called only where Amazon SES receives, with the service that they belong to. */
const OF_RECEIVING = new Map([
  ['GetObject', 's3:GetObject'],
  ['DescribeActiveReceiptRuleSet', 'ses:DescribeActiveReceiptRuleSet'],
]);

const documentation = (name: string): string =>
  readFileSync(path.join(HERE, '../../../../docs', name), 'utf8').replaceAll(/^ {3}/gm, '');

/** The operations of AWS that our code calls. */
function calledOperations(): string[] {
  const code = readdirSync(HERE)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(HERE, name), 'utf8'))
    .join('\n');
  return [...new Set([...code.matchAll(/new (?:(?:\w+\.)*sdk\.)?(\w+)Command\(/g)].map(([, name = '']) => name))];
}

function allowedActions(statements: readonly { Effect: string; Action: string | string[] }[]): string[] {
  assert.deepEqual(new Set(statements.map((statement) => statement.Effect)), new Set(['Allow']));
  return statements.flatMap((statement) => statement.Action).toSorted();
}

test('the IAM policy of the documentation allows what our code calls to send, and nothing more', () => {
  const commands = calledOperations().filter((name) => !OF_RECEIVING.has(name));
  // With raw content SES checks the permission of the older SendRawEmail as well.
  const wanted = [...commands, ...(commands.includes('SendEmail') ? ['SendRawEmail'] : [])].map(
    (name) => `ses:${name}`,
  );
  assert.ok(wanted.length >= 6, wanted.join());
  const block = /```json\n(\{\n {2}"Version": "2012-10-17"[\s\S]*?)```/.exec(documentation('ses.md'))?.[1];
  assert.ok(block !== undefined, 'docs/ses.md shows a policy');
  assert.deepEqual(allowedActions(JSON.parse(block).Statement), wanted.toSorted());
});

test('the IAM policy of the documentation allows what our code calls to receive, and nothing more', () => {
  const wanted = calledOperations().flatMap((name) => OF_RECEIVING.get(name) ?? []);
  assert.equal(wanted.length, OF_RECEIVING.size);
  const block = /```json\n(\[\n {2}\{ "Effect": "Allow"[\s\S]*?)```/.exec(documentation('receiving.md'))?.[1];
  assert.ok(block !== undefined, 'docs/receiving.md shows a policy');
  assert.deepEqual(allowedActions(JSON.parse(block)), wanted.toSorted());
});
