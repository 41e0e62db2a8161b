import type { ExportFilters, ExportSource } from '../transfer-target.ts';
import type { TargetType } from '../target-type.ts';

export type ExportFormat = 'csv' | 'jsonl';

export interface Export {
  workspaceId: string;
  id: string;
  targetType: TargetType;
  targetId: string;
  status: 'queued' | 'processing' | 'completed' | 'failed';
  format: ExportFormat;
  filters: ExportFilters;
  cursor: string | null;
  parts: number;
  rows: number;
  error: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

/** How long a finished file can be fetched. */
export const FILE_HOURS = 24;

export const expiryOf = (row: Export): Date | null =>
  row.completedAt === null ? null : new Date(row.completedAt.getTime() + FILE_HOURS * 3_600_000);

export function exportView(row: Export, { resource, filters }: ExportSource, url: string | null) {
  return {
    id: row.id,
    resource,
    filters: filters.show(row.targetId, row.filters),
    format: row.format,
    status: row.status,
    rows: row.rows,
    url,
    expires_at: expiryOf(row),
    error: row.error,
    created_at: row.createdAt,
    completed_at: row.completedAt,
  };
}

const mediaTypeOf = (format: ExportFormat): string =>
  format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8';

export const fileHeaders = (resource: string, format: ExportFormat) => ({
  headers: {
    'content-type': mediaTypeOf(format),
    'content-disposition': `attachment; filename="${resource}.${format}"`,
  },
});
