import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { plantTree } from './planted-tree.ts';
import { statementRule } from './statement-rule.ts';

const MIGRATION = `
create table workspaces (id uuid primary key);
create table emails (
  workspace_id uuid not null, -- the tenant
  id uuid not null
);
create table sends (id uuid);
alter table sends add column workspace_id uuid;
create table pace (only_row boolean);
`;

/** The rule's problems for one queries.ts of the planted feature. */
async function problemsOf(code: string, file = 'server/src/features/emails/queries.ts'): Promise<string[]> {
  using tree = plantTree({
    'server/migrations/0001_all.sql': MIGRATION,
    [file]: `import { sql } from 'kysely';\n${code}`,
  });
  return await statementRule.run(tree);
}

describe('a query that names a tenant table must name workspace_id', () => {
  const refused: Record<string, string> = {
    'a plain select': 'sql`select id from emails where id = ${1}`',
    'a typed template': 'sql<Row>`select id from emails where id = ${1}`',
    'a table that got its workspace_id later': 'sql`select id from sends where id = ${1}`',
    'an update': 'sql`update emails set id = ${1}`',
    'a delete': 'sql`delete from only emails where id = ${1}`',
    'an insert': 'sql`insert into emails (id) values (${1})`',
    'a join': 'sql`select * from workspaces w join emails e on e.id = w.id`',
    'a second table after a comma': 'sql`select * from workspaces w, emails e where e.id = w.id`',
    'a subquery inside a query that does':
      'sql`select (select count(*) from emails) from sends where workspace_id = ${1}`',
    'a CTE beside one that does':
      'sql`with a as (select id from sends where workspace_id = ${1}), b as (delete from emails using a where emails.id = a.id) select 1`',
    'a join that compares ids only':
      'sql`select * from sends s join emails e on e.id = s.id where s.workspace_id = ${1}`',
    'a fragment in place': 'sql`select 1 ${sql`from emails`} where id = ${1}`',
    'a fragment in a branch': 'sql`select 1 ${more ? sql`from emails` : sql``}`',
    'a fragment in a constant': 'const rest = sql`from emails where id = 1`;\nsql`select 1 ${rest}`',
    'capitals and quotes': 'sql`SELECT id FROM "emails"`',
    'workspace_id in a comment only': 'sql`select id from emails -- workspace_id\n`',
    'workspace_id in a string only': "sql`select 'workspace_id' from emails`",
  };
  for (const [what, code] of Object.entries(refused)) {
    test(`refused: ${what}`, async () => {
      const problems = await problemsOf(code);
      assert.ok(
        problems.some((problem) =>
          /^server\/src\/features\/emails\/queries\.ts:\d+ names (emails|sends) /.test(problem),
        ),
        `nothing was found: ${JSON.stringify(problems)}`,
      );
    });
  }

  const accepted: Record<string, string> = {
    'the tenant as a parameter': 'sql`select id from emails where workspace_id = ${1} and id = ${2}`',
    'a join on the whole key':
      'sql`select * from sends s join emails e using (workspace_id, id) where s.workspace_id = ${1}`',
    'a table without tenants': 'sql`select * from pace`',
    'a lock on rows of the tenant': 'sql`select id from emails where workspace_id = ${1} for update skip locked`',
    'an upsert': 'sql`insert into emails (workspace_id, id) values (${1}, ${2}) on conflict do update set id = ${3}`',
    'a column of that name': 'sql`select count(*) as emails, 1 as sends from pace`',
    'a fragment that names it': 'const mine = sql`workspace_id = ${1}`;\nsql`select id from emails where ${mine}`',
    'a statement that says why it sees all': 'sql`delete from emails where old -- every workspace: retention\n`',
  };
  for (const [what, code] of Object.entries(accepted)) {
    test(`accepted: ${what}`, async () => assert.deepEqual(await problemsOf(code), []));
  }
});

test('SQL stands in queries.ts or queries/<statement>.ts', async () => {
  const code = 'export const one = sql`select 1`;';
  assert.match((await problemsOf(code, 'server/src/features/emails/send-email.ts')).join(), /send-email\.ts:2 has SQL/);
  assert.deepEqual(await problemsOf(code, 'server/src/features/emails/queries/claim-page.ts'), []);
  assert.deepEqual(await problemsOf(code, 'server/src/features/emails/session-queries.ts'), []);
  assert.deepEqual(await problemsOf(code, 'server/src/platform/db/migrations/migrate.ts'), []);
  assert.deepEqual(await problemsOf(code, 'server/src/features/emails/send-email.test.ts'), []);
  assert.deepEqual(await problemsOf(code, 'server/src/features/emails/test-kit.ts'), []);
});

test('a name that reaches a statement as a value is refused', async () => {
  for (const hidden of [
    'sql.table(name)',
    "sql.id('emails')",
    'sql.raw(`em${rest}`)',
    'sql.raw(`emails_${n}`)',
    'sql.raw(`${rest}`)',
  ]) {
    assert.match((await problemsOf(`sql\`select * from \${${hidden}}\``)).join(), /hides a name/, hidden);
  }
  assert.deepEqual(await problemsOf('sql`with ${sql.raw(`step_${n}`)} as (select 1) select 1`'), []);
});

describe('a table may be a parameter whose type lists its names beside the statement, each of which is judged', () => {
  const select = (where: string): string => `sql\`select * from \${sql.table(table)} where \${${where}}\`;`;
  const scoped = 'sql`workspace_id = ${1}`';
  test('accepted: the type lists tables, and every one of them is compared with the workspace', async () => {
    for (const code of [
      `type Purged = 'emails' | 'sends';\nconst f = (table: Purged) => ${select(scoped)}`,
      `function f(table: 'emails' | 'sends') { return ${select(scoped)} }`,
      `const f = (table: 'pace') => ${select('sql`true`')}`,
    ]) {
      assert.deepEqual(await problemsOf(code), [], code);
    }
  });
  test('refused: a listed table of tenants without workspace_id, each by its name', async () => {
    const problems = await problemsOf(
      `type Purged = 'pace' | 'emails' | 'sends';\nconst f = (table: Purged) => ${select('sql`true`')}`,
    );
    assert.deepEqual(
      problems.map((problem) => / names (\w+) /.exec(problem)?.[1]),
      ['emails', 'sends'],
    );
  });
  test('refused: a type that lists no names, that is made elsewhere, or a name that is no parameter', async () => {
    for (const code of [
      `const f = (table: string) => ${select(scoped)}`,
      `type Purged = 'emails' | string;\nconst f = (table: Purged) => ${select(scoped)}`,
      `import type { Purged } from './tables.ts';\nconst f = (table: Purged) => ${select(scoped)}`,
      `type Purged<T> = 'emails';\nconst f = (table: Purged<1>) => ${select(scoped)}`,
      `const table = 'em' + 'ails';\nconst f = () => ${select(scoped)}`,
      `const f = (table: 'pace') => (table: string) => ${select(scoped)}`,
      `const f = (table: 'pace') => ({ table }: Asked) => ${select(scoped)}`,
      `function f(table: 'pace') { const go = () => { const table = asked(); return ${select(scoped)} }; }`,
    ]) {
      assert.match((await problemsOf(code)).join(), /hides a name/, code);
    }
  });
});

test('a fragment in a constant of the function is read with the statement, a parameter of that name is not', async () => {
  const within = (begin: string, rest: string): string =>
    `const where = sql\`workspace_id = \${1}\`;\nfunction f(${begin}) {\n  ${rest}\n  return sql\`select id from emails where \${where}\`;\n}`;
  assert.deepEqual(await problemsOf(within('', '')), []);
  assert.deepEqual(await problemsOf(within('', 'const where = sql`workspace_id = ${1} and id = ${2}`;')), []);
  for (const code of [
    within('', 'const where = sql`id = ${2}`;'),
    within('where', ''),
    within('', 'let where = sql`workspace_id = ${1}`;'),
    within('', 'const where = all ? sql`` : sql`workspace_id = ${1}`;'),
  ]) {
    assert.match((await problemsOf(code)).join(), /names emails/, code);
  }
});

test('a .sql file in src is read too', async () => {
  using tree = plantTree({
    'server/migrations/1.sql': MIGRATION,
    'server/src/platform/x.sql': 'select 1; select * from emails',
  });
  assert.match((await statementRule.run(tree)).join(), /x\.sql:1 names emails/);
});

test('the body of a database function is read too, the migration around it is not', async () => {
  const body = (statement: string): string =>
    `update emails set id = id;\ncreate function f() returns void language plpgsql as $$\nbegin\n  perform 1;\n  ${statement};\nend\n$$;`;
  using bad = plantTree({
    'server/migrations/1.sql': MIGRATION,
    'server/migrations/2.sql': body('delete from emails'),
  });
  assert.match((await statementRule.run(bad)).join(), /^server\/migrations\/2\.sql:5 names emails/);
  const good = body('delete from emails where workspace_id = p_workspace');
  using fine = plantTree({ 'server/migrations/1.sql': MIGRATION, 'server/migrations/2.sql': good });
  assert.deepEqual(await statementRule.run(fine), []);
});

test('without any tenant table the rule refuses to judge', async () => {
  using tree = plantTree({ 'server/migrations/1.sql': 'create table t (id uuid);' });
  assert.match((await statementRule.run(tree)).join(), /no table with a workspace_id/);
});
