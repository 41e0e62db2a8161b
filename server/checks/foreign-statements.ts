import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { KNOWN_FOREIGN_STATEMENTS } from './known-foreign-statements.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';
import { statementsIn } from './sql-statements.ts';
import { areaOf, readOwners, readmeOf, type TableOwners } from './table-owners.ts';
import { tablesIn, tablesWrittenIn } from './tenant-scope.ts';
import { readTables } from './tenant-tables.ts';

/** A statement on a table of somebody else. */
interface Foreign {
  /** `src/features/…/queries.ts:12`, or the database function. */
  where: string;
  area: string;
  table: string;
  isWrite: boolean;
}

/**
 * Each table has one owner, named in a README. Nobody else writes it, neither in a statement nor in a database
 * function, and nobody reads it whom the owner's README does not grant it to. A grant that no statement uses is a
 * problem, too. SQL that an owner exports as a fragment or keeps in a function of its own is its own, wherever it is
 * used.
 */
export const foreignStatements: Check = {
  name: 'owners',
  run: ({ server }) => judgeOwners(server, KNOWN_FOREIGN_STATEMENTS),
};

/** `known`: `reads outbox subscribers` or `writes …`, exceptions that are still to go. */
export function judgeOwners(server: string, known: readonly string[]): string[] {
  const tables = readTables(join(server, 'migrations')).all;
  const owners = readOwners(server, tables);
  const { foreign, problems } = statementsOnForeignTables(server, tables, owners);
  const isGranted = ({ area, table, isWrite }: Foreign): boolean =>
    !isWrite && owners.grants.some((grant) => grant.table === table && grant.reader === area);
  const nameOf = ({ area, table, isWrite }: Foreign): string => `${isWrite ? 'writes' : 'reads'} ${area} ${table}`;
  const refused = foreign.filter((one) => !isGranted(one));
  return [
    ...owners.problems,
    ...problems,
    ...refused.filter((one) => !known.includes(nameOf(one))).map((one) => sentenceOf(one, owners)),
    ...owners.grants
      .filter(
        (grant) => !foreign.some((one) => isGranted(one) && one.table === grant.table && one.area === grant.reader),
      )
      .map(
        (grant) => `server/${readmeOf(grant.owner)} grants ${grant.table} to ${grant.reader}, which does not read it`,
      ),
    ...known
      .filter((name) => !refused.some((one) => nameOf(one) === name))
      .map((name) => `server/checks/known-foreign-statements.ts lists "${name}", which is no more; take it out`),
  ];
}

const sentenceOf = ({ where, area, table, isWrite }: Foreign, owners: TableOwners): string => {
  const owner = owners.ofTable.get(table) ?? '';
  return isWrite
    ? `server/${where} writes ${table}, which ${owner} owns; call a verb of its face`
    : `server/${where} reads ${table}, which ${owner} owns and ${readmeOf(owner)} does not grant to ${area}`;
};

function statementsOnForeignTables(
  server: string,
  tables: ReadonlySet<string>,
  owners: TableOwners,
): { foreign: Foreign[]; problems: string[] } {
  const foreign: Foreign[] = [];
  const problems: string[] = [];
  const judge = (where: string, area: string, text: string): void => {
    const isForeign = (table: string): boolean =>
      tables.has(table) && owners.ofTable.has(table) && owners.ofTable.get(table) !== area;
    const written = new Set(tablesWrittenIn(text).filter(isForeign));
    const read = new Set(
      [...tablesIn(text), firstWordOf(text)].filter((table) => isForeign(table) && !written.has(table)),
    );
    for (const table of written) foreign.push({ where, area, table, isWrite: true });
    for (const table of read) foreign.push({ where, area, table, isWrite: false });
  };
  const source = join(server, 'src');
  for (const file of filesBelow(source)) {
    if (!file.endsWith('.ts') || isTestFile(file)) continue;
    const text = readText(source, file);
    if (!text.includes('sql')) continue;
    for (const statement of statementsIn(file, text))
      judge(`src/${file}:${statement.line}`, areaOf(file), statement.text);
  }
  for (const { name, body } of databaseFunctions(server)) {
    const statements = body.split(';');
    if (!statements.some((statement) => tablesIn(statement).some((table) => tables.has(table)))) continue;
    const area = owners.ofFunction.get(name);
    if (area === undefined) problems.push(`the function ${name} has no owner; name it under Tables of one README`);
    else for (const statement of statements) judge(`schema.sql, function ${name},`, area, statement);
  }
  return { foreign, problems };
}

/** Of a fragment that stands behind somebody else's `from`. */
const firstWordOf = (text: string): string => /^\s*(\w+)/.exec(text)?.[1] ?? '';

/** As they are after all migrations. */
function databaseFunctions(server: string): { name: string; body: string }[] {
  if (!existsSync(join(server, 'schema.sql'))) return [];
  const text = readText(server, 'schema.sql');
  const functions = text.matchAll(/FUNCTION public\.(\w+)\([\s\S]*?AS \$function\$([\s\S]*?)\$function\$/g);
  return [...functions].map((match) => ({ name: match[1] ?? '', body: match[2] ?? '' }));
}
