import { csvLine } from '#platform/csv/cells.ts';
import type { ExportFormat } from './export.ts';

/** In the order of the file. Texts, and what is JSON already and is written as it is. */
const COLUMNS = {
  email: 'text',
  name: 'text',
  status: 'text',
  source: 'text',
  metadata: 'json',
  created_at: 'text',
  confirmed_at: 'text',
  unsubscribed_at: 'text',
  unsubscribe_reason: 'text',
  confirmation_sent_at: 'text',
  confirmation_count: 'json',
  last_opened_at: 'text',
  last_clicked_at: 'text',
  consent: 'json',
} as const;
type Column = keyof typeof COLUMNS;

const NAMES = Object.keys(COLUMNS) as Column[]; // its own keys and no others

/** A subscriber as files have them. */
export type ExportedRow = Readonly<Record<Column, string | number | null>> & { readonly email: string };

/** What stands before the first row. */
export const headOf = (format: ExportFormat): string => (format === 'csv' ? csvLine(NAMES) : '');

/** A subscriber as a line of a file, which an import takes as it is. */
export function writeRow(row: ExportedRow, format: ExportFormat): string {
  if (format === 'csv') return csvLine(NAMES.map((name) => String(row[name] ?? '')));
  return `{${NAMES.map((name) => `"${name}":${jsonOf(row[name], COLUMNS[name])}`).join(',')}}\n`;
}

const jsonOf = (value: string | number | null, kind: 'text' | 'json'): string | number | null =>
  kind === 'json' ? value : JSON.stringify(value);
