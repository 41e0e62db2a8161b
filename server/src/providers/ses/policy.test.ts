import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const HERE = import.meta.dirname;

test('the IAM policy of the documentation allows what our code calls, and nothing more', () => {
  const code = readdirSync(HERE)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(path.join(HERE, name), 'utf8'))
    .join('\n');
  const commands = new Set([...code.matchAll(/new (?:\w+\.)*sdk\.(\w+)Command\b/g)].map(([, name]) => name));
  // With raw content SES checks the permission of the older SendRawEmail as well.
  const wanted = [...commands, ...(commands.has('SendEmail') ? ['SendRawEmail'] : [])].map((name) => `ses:${name}`);
  assert.ok(wanted.length >= 6, wanted.join());

  const guide = readFileSync(path.join(HERE, '../../../../docs/ses.md'), 'utf8');
  const block = /```json\n(\{\n {2}"Version": "2012-10-17"[\s\S]*?)```/.exec(guide)?.[1];
  assert.ok(block !== undefined, 'docs/ses.md shows a policy');
  const policy = JSON.parse(block) as { Statement: { Effect: string; Action: string[] }[] }; // our own document
  assert.deepEqual(new Set(policy.Statement.map((statement) => statement.Effect)), new Set(['Allow']));
  const allowed = policy.Statement.flatMap((statement) => statement.Action);
  assert.deepEqual(allowed.toSorted(), wanted.toSorted());
});
