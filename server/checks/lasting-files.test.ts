import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastingFiles } from './lasting-files.ts';
import { plantTree } from './planted-tree.ts';

async function problemsOf(file: string, text: string): Promise<string> {
  using tree = plantTree({ [`server/${file}`]: text });
  return (await lastingFiles.run(tree)).join('\n');
}

for (const [text, name] of [
  [`import { writeFileSync } from 'node:fs';`, 'writeFileSync'],
  [`import { readFile, rename } from 'node:fs/promises';`, 'rename'],
  [`import {\n  readFileSync,\n  openSync as open,\n} from "fs";`, 'openSync'],
  [`import { createWriteStream } from 'node:fs';`, 'createWriteStream'],
] as const) {
  test(`refused: a file written by ${name}`, async () => {
    assert.match(
      await problemsOf('src/features/emails/keep.ts', text),
      new RegExp(`keep.ts: ${name} does not survive a power cut`),
    );
  });
}

for (const text of [
  `import fs from 'node:fs';`,
  `import * as fs from 'node:fs/promises';`,
  `const fs = await import('node:fs');`,
  `const fs = process.getBuiltinModule('node:fs');`,
]) {
  test(`refused, because its functions are not named: ${text}`, async () => {
    assert.match(await problemsOf('src/main/keep.ts', text), /import functions of node:fs by name/);
  });
}

test('accepted: reading, tests, the home of lasting files, and the known writers', async () => {
  const writes = `import { writeFileSync } from 'node:fs';`;
  assert.equal(await problemsOf('src/main/read.ts', `import { existsSync, readFileSync } from 'node:fs';`), '');
  assert.equal(await problemsOf('src/main/keep.test.ts', writes), '');
  assert.equal(await problemsOf('src/platform/lasting-files.ts', writes), '');
  assert.equal(await problemsOf('src/platform/postgres/owner-lock.ts', writes), '');
  assert.match(await problemsOf('src/platform/postgres/socket-dir.ts', writes), /writeFileSync/);
});
