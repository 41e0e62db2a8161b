import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judgeOwners } from './foreign-statements.ts';
import { plantTree } from './planted-tree.ts';

const MIGRATION = `
create table emails (workspace_id uuid, id uuid);
create table attempts (workspace_id uuid, id uuid);
create table lists (workspace_id uuid, id uuid);
create table counters (n integer);
`;
const readme = (tables: string, grants = ''): string =>
  `# A feature\n\n**Tables**: ${tables}\n\n${grants === '' ? '' : `**Grants**: ${grants}\n\n`}Text with \`emails\` to \`main\`.\n`;
const functionOf = (name: string, body: string): string =>
  `CREATE OR REPLACE FUNCTION public.${name}()\n RETURNS trigger\n LANGUAGE plpgsql\nAS $function$\nbegin\n  ${body};\nend\n$function$;\n`;
const code = (statement: string): string => `import { sql } from 'kysely';\nexport const one = sql\`${statement}\`;\n`;

/** `newsletters` above `outbox` above `webhooks`; what is given replaces a file. */
function problemsOf(files: Record<string, string>, known: readonly string[] = []): string[] {
  using tree = plantTree({
    'server/migrations/0001_all.sql': MIGRATION,
    'server/src/platform/README.md': readme('`counters`'),
    'server/src/platform/queries.ts': code('update counters set n = 1'),
    'server/src/features/outbox/README.md': readme('`emails`, `attempts`, and the function `ph_mine`'),
    'server/src/features/outbox/queries.ts': code('delete from emails where workspace_id = 1'),
    'server/src/features/newsletters/README.md': readme('`lists`'),
    'server/src/features/newsletters/queries.ts': code('insert into lists (workspace_id) values (1)'),
    'server/schema.sql': functionOf('ph_mine', 'insert into attempts (workspace_id) values (1)'),
    ...files,
  });
  return judgeOwners(tree.server, known);
}

const above = 'server/src/features/newsletters/more-queries.ts';
const below = 'server/src/features/webhooks/queries.ts';
const owner = 'server/src/features/outbox/README.md';

test('accepted: each writes and reads its own tables', () => assert.deepEqual(problemsOf({}), []));

describe('refused: a write to a table of another', () => {
  const writes: Record<string, string> = {
    'an insert': 'insert into emails (workspace_id) values (1)',
    'an update': 'update emails set id = 1 where workspace_id = 1',
    'a delete': 'delete from only emails where workspace_id = 1',
    'a merge': 'merge into emails using lists on true when matched then delete',
    'a truncation': 'truncate emails',
    'a write inside a read':
      'with gone as (delete from emails where workspace_id = 1 returning id) select id from gone',
  };
  for (const [what, statement] of Object.entries(writes)) {
    test(`refused: ${what}`, () =>
      assert.match(
        problemsOf({ [above]: code(statement) }).join('\n'),
        /newsletters\/more-queries\.ts:2 writes emails, which outbox owns; call a verb of its face/,
      ));
  }

  test('a grant does not allow it', () => {
    const problems = problemsOf({
      [above]: code('update emails set id = 1 where workspace_id = 1'),
      [owner]: readme('`emails`, `attempts`, `ph_mine`', '`emails` to `newsletters`'),
    });
    assert.match(problems.join('\n'), /writes emails/);
  });

  test('in a database function', () => {
    const sql = functionOf('ph_mine', 'delete from lists where workspace_id = 1');
    assert.match(
      problemsOf({ 'server/schema.sql': sql }).join('\n'),
      /function ph_mine, writes lists, which newsletters owns/,
    );
  });
});

describe('a read of a table of another', () => {
  const reads: Record<string, string> = {
    'a select': 'select id from emails where workspace_id = 1',
    'a join': 'select 1 from lists l join emails e using (workspace_id) where l.workspace_id = 1',
    'a question inside': 'select exists (select from emails where workspace_id = 1)',
    'a lock': 'select id from emails where workspace_id = 1 for update',
    'a fragment that begins with its name': 'emails e join lists l on l.workspace_id = e.workspace_id',
  };
  for (const [what, statement] of Object.entries(reads)) {
    test(`refused without a grant, accepted with one: ${what}`, () => {
      assert.match(
        problemsOf({ [above]: code(statement) }).join('\n'),
        /reads emails, which outbox owns and src\/features\/outbox\/README\.md does not grant to newsletters/,
      );
      const granted = readme('`emails`, `attempts`, and `ph_mine`', '`emails` to `newsletters`');
      assert.deepEqual(problemsOf({ [above]: code(statement), [owner]: granted }), []);
    });
  }

  test('several tables to several readers, over two lines', () => {
    const granted = readme(
      '`emails`, `attempts`, `ph_mine`',
      '`emails`, `attempts` to `newsletters`,\n`main`; `emails` to `emails`',
    );
    const both = code('select 1 from emails join attempts using (workspace_id)');
    assert.deepEqual(
      problemsOf({
        [owner]: granted,
        [above]: both,
        'server/src/main/queries.ts': both,
        'server/src/features/emails/queries.ts': code('select id from emails'),
      }),
      [],
    );
  });

  test('refused: a grant that nobody uses', () => {
    const granted = readme('`emails`, `attempts`, `ph_mine`', '`attempts` to `newsletters`');
    assert.match(problemsOf({ [owner]: granted }).join('\n'), /grants attempts to newsletters, which does not read it/);
  });

  test('refused: a grant to somebody below, and of a table that is not its own', () => {
    const read = { [below]: code('select id from emails where workspace_id = 1') };
    const down = readme('`emails`, `attempts`, `ph_mine`', '`emails` to `webhooks`');
    assert.match(
      problemsOf({ ...read, [owner]: down }).join('\n'),
      /grants emails to webhooks, which is not above outbox/,
    );
    const foreign = readme('`emails`, `attempts`, `ph_mine`', '`lists` to `newsletters`');
    assert.match(problemsOf({ [owner]: foreign }).join('\n'), /grants lists, which it does not own/);
  });
});

test('refused: a table or a function with two owners, or with none', () => {
  const second = { 'server/src/features/newsletters/README.md': readme('`lists`, `emails`') };
  assert.match(problemsOf(second).join('\n'), /lists emails, which src\/features\/newsletters\/README\.md lists too/);
  const nobodys = problemsOf({ [owner]: readme('`emails`') }).join('\n');
  assert.match(nobodys, /the table attempts has no owner/);
  assert.match(nobodys, /the function ph_mine has no owner/);
});

test('a known exception is passed over, and refused when it is no more', () => {
  const files = { [above]: code('delete from emails where workspace_id = 1') };
  assert.deepEqual(problemsOf(files, ['writes newsletters emails']), []);
  assert.match(
    problemsOf(files, ['reads newsletters emails']).join('\n'),
    /writes emails[\s\S]*"reads newsletters emails", which is no more/,
  );
});
