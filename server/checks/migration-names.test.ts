import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrationNames } from './migration-names.ts';
import { plantTree } from './planted-tree.ts';

async function problemsOf(names: string[]): Promise<string> {
  using tree = plantTree(Object.fromEntries(names.map((name) => [`server/migrations/${name}`, ''])));
  return (await migrationNames.run(tree)).join('\n');
}

test('migrations are numbered without gaps and without doubles', async () => {
  assert.equal(await problemsOf(['0001_functions.sql', '0002_all_tables.sql']), '');
  assert.match(await problemsOf(['0001_a.sql', '0003_b.sql']), /0003_b\.sql should have the number 0002/);
  assert.match(await problemsOf(['0001_a.sql', '0001_b.sql']), /0001_b\.sql should have the number 0002/);
  assert.match(await problemsOf(['0001_a.sql', '2_b.sql']), /2_b\.sql is not called/);
  assert.match(await problemsOf(['0001_a.sql', 'notes.txt']), /notes\.txt is not called/);
});
