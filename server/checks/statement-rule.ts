import { join } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';
import { hiddenNamesIn, statementsIn } from './sql-statements.ts';
import { unscopedTables } from './tenant-scope.ts';
import { readTables } from './tenant-tables.ts';

const OWN_DATABASE_CODE = /^platform\/(db|postgres)\//;
const QUERIES = /(^|\/)(queries\.ts|queries\/[^/]+\.ts)$/;

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
    return filesBelow(source).flatMap((file) => {
      const unscoped = (line: number, text: string): string[] =>
        unscopedTables(text, tenant).map(
          (table) =>
            `server/src/${file}:${line} names ${table} in a query that does not name workspace_id ` +
            '(meant for all? say so in the statement: -- every workspace: reason)',
        );
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
              `server/src/${file}:${statements[0]?.line} has SQL; statements live in queries.ts or queries/<statement>.ts`,
            ]
          : [];
      const hidden = hiddenNamesIn(file, text).map(
        (line) => `server/src/${file}:${line} hides a name from the reader; write it in the statement`,
      );
      return [...misplaced, ...hidden, ...statements.flatMap(({ line, text }) => unscoped(line, text))];
    });
  },
};
