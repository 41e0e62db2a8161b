import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { splitStatements } from './split-statements.ts';

export interface MigrationFile {
  name: string;
  text: string;
  sha256: string;
  /** Outside a transaction, one statement at a time; undefined: the whole file is one transaction. */
  concurrently: IndexStep[] | undefined;
}

/** A statement of a file that runs outside a transaction. It may run again after a try that was cut off. */
export interface IndexStep {
  kind: 'create' | 'drop';
  index: string;
  text: string;
}

/** The first line of a file that cannot run in a transaction. */
const HEADER = /^--\s*concurrently\b/;
const CREATE = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?!if\b)(\w+)\s+on\s/i;
const DROP = /^drop\s+index\s+concurrently\s+if\s+exists\s+(\w+)$/i;

/**
 * The hash of the former text of a file that was written anew with the same effect. A database that ran the former text
 * keeps its hash. This is only for a text that some PostgreSQL from 15 on cannot read: a change of the schema is a file
 * of its own.
 */
const FORMER_HASHES: ReadonlyMap<string, string> = new Map([
  // It named the storage of a column in `create table`, which is a fault of syntax before PostgreSQL 16.
  ['0085_scheduled_emails', 'a51d84bb8e4f5a746afbec3ac12638a483dd3719c6ac85852f451505df0ffb00'],
]);

/** Whether a database with this hash ran the file, as it is or in the text that it had before. */
export const isHashOf = (file: MigrationFile, sha256: string): boolean =>
  sha256 === file.sha256 || sha256 === FORMER_HASHES.get(file.name);

export const runsConcurrently = (text: string): boolean => HEADER.test(text);

/** The .sql files of a folder, in the order of their names. Throws for a file that the runner could not run twice. */
export async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (file) => {
      const name = file.slice(0, -4);
      const text = await readFile(path.join(folder, file), 'utf8');
      return {
        name,
        text,
        sha256: createHash('sha256').update(text).digest('hex'),
        concurrently: runsConcurrently(text) ? indexSteps(name, text) : undefined,
      };
    }),
  );
}

function indexSteps(name: string, sql: string): IndexStep[] {
  return splitStatements(sql).map(({ text, line }) => {
    const created = CREATE.exec(text)?.[1];
    if (created !== undefined) return { kind: 'create', index: created.toLowerCase(), text };
    const dropped = DROP.exec(text)?.[1];
    if (dropped !== undefined) return { kind: 'drop', index: dropped.toLowerCase(), text };
    throw new Error(
      `The migration ${name}, line ${line}: a file that begins with "-- concurrently" may only have ` +
        '"create index concurrently NAME on …" and "drop index concurrently if exists NAME".',
    );
  });
}
