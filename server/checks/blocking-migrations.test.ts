import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { blockingIn } from './blocking-migrations.ts';
import { plantTree } from './planted-tree.ts';

const TABLES = 'create table emails (id uuid);\ncreate table sends (id uuid);\ncreate index of_emails on emails (id);';

/** The problems that the check finds in these files, which follow one that made the tables `emails` and `sends`. */
function problemsOf(...texts: string[]): string[] {
  const files = texts.map((text, index) => [`server/migrations/000${index + 2}_x.sql`, text]);
  using tree = plantTree({ 'server/migrations/0001_all.sql': TABLES, ...Object.fromEntries(files) });
  return blockingIn(join(tree.server, 'migrations'), 1);
}

describe('refused after the baseline', () => {
  const rows: [statement: string, problem: RegExp][] = [
    ['create index a on emails (id)', /builds an index while nobody can write/],
    ['create unique index a on public.emails (id)', /builds an index while nobody can write/],
    ['CREATE INDEX\n  a\n  ON ONLY emails\n  (id)', /builds an index while nobody can write/],
    ['create index concurrently a on emails (id)', /cannot run in a transaction/],
    ['drop index of_emails', /waits for every reader/],
    ['drop index concurrently if exists of_emails', /cannot run in a transaction/],
    ['reindex table emails', /rebuilds indexes/],
    ['alter table emails add constraint a check (id is not null)', /add it "not valid"/],
    ['alter table emails add check (id is not null)', /add it "not valid"/],
    ['alter table emails add constraint a foreign key (id) references sends (id)', /add it "not valid"/],
    ['alter table emails add constraint a unique (id)', /"using index"/],
    ['alter table emails add primary key (id)', /"using index"/],
    ['alter table emails add constraint a exclude using gist (id with =)', /builds an index/],
    ['alter table emails alter column id type text', /may write the table anew/],
    ['alter table emails alter id set data type text', /may write the table anew/],
    ['alter table emails alter column id set not null', /"check \(id is not null\) not valid"/],
    ['alter table emails add column a uuid default gen_random_uuid()', /gen_random_uuid\(\)/],
    ['alter table emails add a timestamptz not null default clock_timestamp()', /clock_timestamp\(\)/],
    ['alter table emails add column a int, add column b float default (random())', /random\(\)/],
    ["alter table emails add column a bigint default nextval('numbers')", /nextval\(\)/],
    ['alter table emails add column a bigserial', /computed or numbered/],
    ['alter table emails add column a text generated always as (lower(b)) stored', /computed or numbered/],
    ['alter table emails add column a bigint generated always as identity', /computed or numbered/],
    ['alter table emails add column a int check (a > 0)', /reads every row for a check/],
    ['alter table emails add column a int unique', /builds an index/],
    ['alter table emails add column a int default 1 references sends (id)', /reads every row for a reference/],
    ['alter table emails set unlogged', /writes the table anew/],
    ['lock table emails', /locks a table/],
    ['lock emails in share mode', /locks a table/],
    ['update emails set id = null', /changes rows/],
    ['with a as (select 1) update only emails set id = null', /changes rows/],
    ['delete from emails where id is null', /deletes rows/],
    ['insert into sends select id from emails', /copies rows/],
    ['merge into emails using sends on true when matched then delete', /changes rows/],
    ['truncate emails', /empties a table/],
    ['alter domain address add constraint a check (length(value) < 9)', /every table that has this domain/],
    ['alter domain address validate constraint a', /every table that has this domain/],
    ['cluster emails using of_emails', /writes a table anew/],
    ['vacuum full emails', /does not run in a transaction/],
    ['refresh materialized view a', /keeps readers waiting/],
    ['do $$ begin update emails set id = null; end $$', /no check can read/],
  ];
  for (const [statement, problem] of rows) {
    test(statement.replace(/\s+/g, ' '), () => {
      const problems = problemsOf(`-- A reason.\n${statement};`);
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', problem);
      assert.ok(problems[0]?.startsWith('server/migrations/0002_x.sql:2 '));
    });
  }

  test('a check that is validated by the file that adds it', () => {
    const [add, validate] = [
      'alter table emails add constraint a check (id is not null) not valid;',
      'alter table emails validate constraint a;',
    ];
    assert.match(problemsOf(add + validate).join(), /validate it in the next file/);
    assert.deepEqual(problemsOf(add, validate), []);
  });

  test('a column that is set not null in front of the check that would make it cheap', () => {
    const check = 'alter table emails add constraint a check (id is not null) not valid;';
    const set = 'alter table emails alter column id set not null;';
    assert.equal(problemsOf(check, set).length, 1);
    assert.deepEqual(problemsOf(check, `alter table emails validate constraint a;${set}`), []);
  });

  test('two tables that are altered by one file', () => {
    const both = 'alter table emails add column a int; alter table sends add column a int;';
    assert.match(problemsOf(both).join(), /alters emails and sends/);
  });
});

test('accepted: what reads no rows, what is new, what runs outside a transaction, and what says why it may block', () => {
  const fine = [
    "alter table emails add column a int, add column b text not null default 'now(), random()', add c timestamptz default now();",
    'alter table emails add column d uuid references sends (id);',
    'alter table emails add constraint e unique using index e_index, drop column d, alter column a set default 3;',
    'alter table emails add constraint f foreign key (a) references sends (id) not valid;',
    'create table new (id uuid primary key, a int); create index new_a on new (a); alter table new add check (a > 0);',
    'create table new (a int); insert into new select gen_random_uuid(), n from generate_series(1, 3) as n; update new set a = 1; insert into new (a) values (1);',
    '-- concurrently\ncreate index concurrently a on emails (id);\ndrop index concurrently if exists of_emails;',
    'create function f() returns trigger language plpgsql as $$ begin update emails set id = null; return null; end $$;',
    'create trigger t after insert on emails for each row execute function f();',
    'alter domain address add constraint a check (length(value) < 9) not valid;',
    '-- update emails: not here\nselect 1;',
    '-- blocks: it has one row\nupdate emails set id = null;',
  ];
  for (const text of fine) assert.deepEqual(problemsOf(text), [], text);
});

test('files of the baseline are not judged', () => {
  const update = 'update emails set id = null;';
  using tree = plantTree({ 'server/migrations/0001_all.sql': TABLES, 'server/migrations/0002_x.sql': update });
  assert.deepEqual(blockingIn(join(tree.server, 'migrations'), 2), []);
  assert.equal(blockingIn(join(tree.server, 'migrations'), 1).length, 1);
});
