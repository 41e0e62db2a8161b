import { csvLine } from '#platform/csv/cells.ts';
import type { Subscriber } from '../../subscriber.ts';
import type { ExportFormat } from './export.ts';

const COLUMNS = [
  'email',
  'name',
  'status',
  'source',
  'metadata',
  'created_at',
  'confirmed_at',
  'unsubscribed_at',
  'unsubscribe_reason',
  'confirmation_sent_at',
  'confirmation_count',
  'last_opened_at',
  'last_clicked_at',
  'consent',
] as const;

/** What stands before the first row. */
export const headOf = (format: ExportFormat): string => (format === 'csv' ? csvLine(COLUMNS) : '');

/** A subscriber as a line of a file, which an import takes as it is. */
export function writeRow(row: Subscriber, format: ExportFormat): string {
  const { unsubscribe_reason: reason, ...metadata } = row.metadata;
  const record = {
    email: row.email,
    name: row.name,
    status: row.status,
    source: row.source,
    metadata,
    created_at: row.createdAt,
    confirmed_at: row.confirmedAt,
    unsubscribed_at: row.unsubscribedAt,
    unsubscribe_reason: typeof reason === 'string' ? reason : null,
    confirmation_sent_at: row.confirmationSentAt,
    confirmation_count: row.confirmationCount,
    last_opened_at: row.lastOpenedAt,
    last_clicked_at: row.lastClickedAt,
    consent: row.consent,
  } satisfies Record<(typeof COLUMNS)[number], unknown>;
  return format === 'csv' ? csvLine(COLUMNS.map((name) => cellOf(record[name]))) : `${JSON.stringify(record)}\n`;
}

const cellOf = (value: string | number | Date | object | null): string =>
  value === null
    ? ''
    : value instanceof Date
      ? value.toISOString()
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
