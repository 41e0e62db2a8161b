import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURE_ORDER } from '../src/main/feature-order.ts';
import { backticked, paragraph } from './readme-sections.ts';
import { filesBelow, readText } from './source-tree.ts';

/** One reader that an owner lets read one of its tables. */
export interface Grant {
  table: string;
  owner: string;
  reader: string;
}

export interface TableOwners {
  /** The owner of a table may write it: a feature, `platform`, `providers` or `main`. */
  ofTable: ReadonlyMap<string, string>;
  /** The same for the database functions (`ph_…`). */
  ofFunction: ReadonlyMap<string, string>;
  grants: readonly Grant[];
  problems: readonly string[];
}

/** The folder of src that a file belongs to: its feature, or the layer. */
export const areaOf = (file: string): string => /^features\/([^/]+)\//.exec(file)?.[1] ?? file.split('/')[0] ?? '';

export const readmeOf = (area: string): string =>
  `src/${['main', 'mail', 'platform', 'providers'].includes(area) ? area : `features/${area}`}/README.md`;

/**
 * Reads the READMEs: `**Tables**: ` lists the tables and functions that an area owns, and
 * ``**Grants**: `emails`, `contents` to `feedback`, `emails`; …`` says who else may read which of them.
 */
export function readOwners(server: string, tables: ReadonlySet<string>): TableOwners {
  const ofTable = new Map<string, string>();
  const ofFunction = new Map<string, string>();
  const grants: Grant[] = [];
  const problems: string[] = [];
  for (const area of areasOf(server)) {
    const shown = `server/${readmeOf(area)}`;
    if (!existsSync(join(server, readmeOf(area)))) continue;
    const text = readText(server, readmeOf(area));
    for (const name of backticked(paragraph(text, 'Tables'))) {
      const owned = tables.has(name) ? ofTable : /^ph_\w+$/.test(name) ? ofFunction : undefined;
      const other = owned?.get(name);
      if (other !== undefined && other !== area) {
        problems.push(`${shown} lists ${name}, which ${readmeOf(other)} lists too; it has one owner`);
      }
      owned?.set(name, area);
    }
    for (const grant of grantsIn(text, area)) {
      if (ofTable.get(grant.table) !== area) problems.push(`${shown} grants ${grant.table}, which it does not own`);
      else if (!isAbove(grant.reader, area)) {
        problems.push(`${shown} grants ${grant.table} to ${grant.reader}, which is not above ${area}`);
      } else grants.push(grant);
    }
  }
  for (const table of tables) {
    if (!ofTable.has(table)) problems.push(`the table ${table} has no owner; name it under Tables of one README`);
  }
  return { ofTable, ofFunction, grants, problems };
}

function areasOf(server: string): string[] {
  const files = filesBelow(join(server, 'src'));
  return [...new Set(files.filter((file) => file.includes('/')).map(areaOf))];
}

function grantsIn(text: string, owner: string): Grant[] {
  return paragraph(text, 'Grants')
    .split(';')
    .flatMap((clause) => {
      const [tables = '', readers = ''] = clause
        .split(/`\s+to\s+`/)
        .map((part, at) => (at === 0 ? `${part}\`` : `\`${part}`));
      return backticked(tables).flatMap((table) => backticked(readers).map((reader) => ({ table, owner, reader })));
    });
}

/** Highest first. Providers are wired in `main` only; what they keep is for features to read. */
const LAYERS: readonly string[] = ['main', ...FEATURE_ORDER, 'providers', 'mail', 'platform'];

/** A read by a feature below the owner would be a dependency upward. */
const isAbove = (reader: string, owner: string): boolean =>
  LAYERS.includes(reader) && LAYERS.indexOf(reader) < LAYERS.indexOf(owner);
