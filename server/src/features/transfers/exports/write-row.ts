import { csvLine } from '#platform/csv/cells.ts';
import type { ExportColumns, ExportedRow } from '../transfer-target.ts';
import type { ExportFormat } from './export.ts';

/** The text before the first row. */
export const headOf = (columns: ExportColumns, format: ExportFormat): string =>
  format === 'csv' ? csvLine(Object.keys(columns)) : '';

/** Writes rows as lines of a file, which an import takes as they are. */
export function rowWriter(columns: ExportColumns, format: ExportFormat): (row: ExportedRow) => string {
  const names = Object.keys(columns);
  if (format === 'csv') return (row) => csvLine(names.map((name) => String(row[name] ?? '')));
  return (row) => `{${names.map((name) => `"${name}":${jsonOf(row[name] ?? null, columns[name])}`).join(',')}}\n`;
}

const jsonOf = (value: string | number | null, kind: 'text' | 'json' | undefined): string | number | null =>
  kind === 'json' ? value : JSON.stringify(value);
