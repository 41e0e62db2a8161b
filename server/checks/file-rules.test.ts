import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileRules } from './file-rules.ts';
import { plantTree } from './planted-tree.ts';

const lines = (count: number): string => 'export {};\n'.repeat(count);

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  using tree = plantTree(files);
  return await fileRules.run(tree);
}

for (const path of [
  'src/mail/utils.ts',
  'src/mail/helpers.ts',
  'src/mail/types.ts',
  'src/common/thing.ts',
  'src/lib/thing.ts',
  'src/mail/string-utils.ts',
  'test/harness/test-helpers.ts',
]) {
  test(`refused: a file called ${path}`, async () => {
    assert.match((await problemsOf({ [`server/${path}`]: '' })).join(), /says nothing; name the thing/);
  });
}

test('refused: a name that is not kebab-case', async () => {
  assert.match((await problemsOf({ 'server/src/mail/dkimKey.ts': '' })).join(), /"dkimKey" is not kebab-case/);
});

test('accepted: the suffixes of tests, jobs and benches', async () => {
  const names = [
    'a.test.ts',
    'a.http.test.ts',
    'send-email.job.ts',
    'a.e2e.ts',
    'a.prove.ts',
    'a.bench.ts',
    'email-provider.conformance.ts',
  ];
  assert.deepEqual(await problemsOf(Object.fromEntries(names.map((name) => [`server/src/mail/${name}`, '']))), []);
});

test('a file holds at most 400 lines, a test 600, a table of routes as many as it lists', async () => {
  const problems = await problemsOf({
    'server/src/mail/long.ts': lines(401),
    'server/src/mail/full.ts': lines(400),
    'server/src/mail/long.test.ts': lines(601),
    'server/src/mail/full.test.ts': lines(600),
    'server/src/features/emails/routes.ts': lines(1000),
    'server/src/mail/list.generated.ts': lines(1000),
  });
  assert.deepEqual(problems, [
    'server/src/mail/long.test.ts has 601 lines; the limit is 600',
    'server/src/mail/long.ts has 401 lines; the limit is 400',
  ]);
});

test('a folder of src holds at most 20 files beside their tests', async () => {
  const files = (folder: string, count: number): [string, string][] =>
    Array.from({ length: count }, (_, index) => [`server/src/mail/${folder}/f${index}.ts`, '']);
  const problems = await problemsOf({
    ...Object.fromEntries([...files('full', 20), ...files('crowded', 21)]),
    'server/src/mail/full/f1.test.ts': '',
  });
  assert.deepEqual(problems, [
    'server/src/mail/crowded has 21 files beside their tests; the limit is 20: give it rooms',
  ]);
});

const PART = 'export function Chart() {}\n';

test('the files of the dashboard have the same limits, and names of their own kind', async () => {
  const problems = await problemsOf({
    'dashboard/src/lib/paths.ts': '',
    'dashboard/src/lib/unsaved-guard.tsx': '',
    'dashboard/src/ui/data/Chart.tsx': PART,
    'dashboard/src/ui/data/Chart.module.css': '',
    'dashboard/src/ui/data/ChartParts.tsx': PART,
    'dashboard/src/ui/data/Drawn.tsx': PART,
    'dashboard/src/ui/data/ChartColours.ts': '',
    'dashboard/src/pages/Keys/key-form.ts': '',
    'dashboard/src/pages/keys/helpers.ts': '',
    'dashboard/src/pages/keys/lib/scopes.ts': '',
    'dashboard/src/pages/keys/long.ts': lines(401),
    'dashboard/src/app/routes.tsx': lines(500),
    'dashboard/test/e2e/keys.prove.ts': lines(601),
    ...Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`dashboard/src/pages/crowded/f${at}.ts`, ''])),
  });
  assert.deepEqual(problems.toSorted(), [
    'dashboard/src/pages/Keys/key-form.ts: "Keys" is not kebab-case',
    'dashboard/src/pages/crowded has 21 files beside their tests; the limit is 20: give it rooms',
    'dashboard/src/pages/keys/helpers.ts: "helpers" says nothing; name the thing',
    'dashboard/src/pages/keys/lib/scopes.ts: "lib" says nothing; name the thing',
    'dashboard/src/pages/keys/long.ts has 401 lines; the limit is 400',
    'dashboard/src/ui/data/ChartColours.ts: "ChartColours" is not kebab-case',
    'dashboard/src/ui/data/Drawn.tsx exports no Drawn; name it after its part',
    'dashboard/test/e2e/keys.prove.ts has 601 lines; the limit is 600',
  ]);
});
