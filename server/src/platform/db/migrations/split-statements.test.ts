import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitStatements } from './split-statements.ts';

const texts = (sql: string): string[] => splitStatements(sql).map((statement) => statement.text);

test('a semicolon separates statements, except in strings, names, comments and dollar quotes', () => {
  assert.deepEqual(texts('select 1; select 2;\n\n;'), ['select 1', 'select 2']);
  assert.deepEqual(texts(`select 'a;''b;' as "x;""y"; select 2`), [`select 'a;''b;' as "x;""y"`, 'select 2']);
  assert.deepEqual(texts('do $$ begin; end $$; do $x$ $$;$$ $x$;'), ['do $$ begin; end $$', 'do $x$ $$;$$ $x$']);
  assert.deepEqual(texts('select 1 -- a; b\n + 2 /* c; */ - 1;'), ['select 1  \n + 2   - 1']);
  assert.deepEqual(texts('select 6 / 3 - 1, $1;'), ['select 6 / 3 - 1, $1']);
  assert.deepEqual(texts('-- only a comment;\n'), []);
});

test('a statement knows its line and the comments that belong to it', () => {
  const sql = '-- concurrently\n\n-- why\ncreate table t (\n  a int -- what\n);\n/* next\nlines */ drop table t;';
  assert.deepEqual(
    splitStatements(sql).map(({ line, comments }) => ({ line, comments })),
    [
      { line: 4, comments: '-- concurrently\n-- why\n-- what' },
      { line: 8, comments: '/* next\nlines */' },
    ],
  );
});
