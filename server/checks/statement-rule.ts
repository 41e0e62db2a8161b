import { join } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';
import { hiddenNamesIn, statementsIn } from './sql-statements.ts';
import { unscopedTables } from './tenant-scope.ts';
import { readTables } from './tenant-tables.ts';

const OWN_DATABASE_CODE = /^platform\/(db|postgres)\//;
const QUERIES = /(^|\/)([a-z-]+-)?queries\.ts$|(^|\/)queries\/[^/]+\.ts$/;

/**
 * A workspace sees only its own rows because every query says so. This reads the text of each statement; it cannot see
 * whether the comparison is the right one, which is what the tests with two workspaces are for.
 */
export const statementRule: Check = {
  name: 'statements',
  run({ server }) {
    const { tenant } = readTables(join(server, 'migrations'));
    if (tenant.size === 0)
      return ['server/migrations: no table with a workspace_id was found; the rule would pass anything'];
    const source = join(server, 'src');
    return [
      ...functionProblems(join(server, 'migrations'), tenant),
      ...filesBelow(source).flatMap((file) => {
        const unscoped = (line: number, text: string): string[] =>
          unscopedTables(text, tenant).map((table) => problem(`src/${file}`, line, table));
        if (file.endsWith('.sql')) {
          return readText(source, file)
            .split(';')
            .flatMap((statement) => unscoped(1, statement));
        }
        if (!file.endsWith('.ts') || isTestFile(file) || OWN_DATABASE_CODE.test(file)) return [];
        const text = readText(source, file);
        if (!text.includes('sql')) return [];
        const statements = statementsIn(file, text);
        const misplaced =
          statements.length > 0 && !QUERIES.test(file)
            ? [
                `server/src/${file}:${statements[0]?.line} has SQL; statements live in queries.ts, …-queries.ts or queries/<statement>.ts`,
              ]
            : [];
        const hidden = hiddenNamesIn(file, text, tenant).map(
          (line) => `server/src/${file}:${line} hides a name from the reader; write it in the statement`,
        );
        const problems = statements.flatMap(({ line, text }) => unscoped(line, text));
        return [...misplaced, ...hidden, ...new Set(problems)];
      }),
    ];
  },
};

/**
 * Bodies of database functions are statements like any other; the migrations around them are not: they see all rows.
 */
function functionProblems(migrations: string, tenant: Set<string>): string[] {
  return filesBelow(migrations).flatMap((file) => {
    const text = readText(migrations, file);
    return [...text.matchAll(/(\$\w*\$)([\s\S]*?)\1/g)].flatMap((body) => {
      let line = text.slice(0, body.index).split('\n').length;
      return (body[2] ?? '').split(';').flatMap((statement) => {
        const begins = line + statement.slice(0, statement.search(/\S/)).split('\n').length - 1;
        line += statement.split('\n').length - 1;
        return unscopedTables(statement, tenant).map((table) => problem(`migrations/${file}`, begins, table));
      });
    });
  });
}

const problem = (file: string, line: number, table: string): string =>
  `server/${file}:${line} names ${table} in a query that does not name workspace_id ` +
  '(meant for all? say so in the statement: -- every workspace: reason)';
