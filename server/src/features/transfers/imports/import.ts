import type { Actor } from '#platform/http/context.ts';
import { canGoAgain, type TargetType } from '../target-type.ts';
import { fieldsOf, type Layout, type LayoutRules } from './layout.ts';

export type ImportStatus =
  | 'uploading'
  | 'queued'
  | 'processing'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'undoing'
  | 'undone';

export type FileFormat = 'csv' | 'jsonl';

/** The options that the caller gave. */
export interface ImportOptions {
  onConflict: 'upsert' | 'skip';
  dryRun: boolean;
  /** The caller vouches that everybody in the file has agreed already. */
  alreadyConfirmed: boolean;
  sendConfirmation: boolean;
  emitEvents: boolean;
  /** For rows that name none. */
  source: string | null;
  columnMap: Record<string, string>;
  otherColumns: 'ignore' | 'metadata';
}

/** The caller, as recorded in the consents that the import makes. */
export interface Importer {
  type: string;
  id: string | null;
  email: string | null;
  /** Undefined in imports from before it was kept. */
  mode?: Actor['mode'];
}

/** As an actor, for what the rows of an import start: those of a test key mail nobody. */
export const importedBy = ({ createdBy }: Pick<Import, 'createdBy'>): Pick<Actor, 'mode'> => ({
  mode: createdBy.mode ?? 'live',
});

export interface Import {
  workspaceId: string;
  id: string;
  targetType: TargetType;
  targetId: string;
  status: ImportStatus;
  format: FileFormat;
  options: ImportOptions;
  layout: Layout | null;
  bytes: number;
  atByte: number;
  atLine: number;
  total: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
  removed: number;
  /** Rows of `import_results`. */
  results: number;
  confirmationsDue: boolean;
  confirmationsSent: number;
  error: string | null;
  createdBy: Importer;
  ip: string | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
  undoneAt: Date | null;
}

/** How long after its end an import can be taken back. */
export const UNDO_HOURS = 24;
/** How long what became of its rows can be read. */
export const RESULTS_DAYS = 7;
/** Results beyond this number are counted and not listed one by one. */
export const RESULTS_MAX = 100_000;

const HOUR_MS = 3_600_000;

export const canBeUndone = (row: Import, now: Date): boolean =>
  (row.status === 'completed' || row.status === 'cancelled' || row.status === 'failed') &&
  !row.options.dryRun &&
  canGoAgain(row.targetType) &&
  row.completedAt !== null &&
  now.getTime() - row.completedAt.getTime() < UNDO_HOURS * HOUR_MS;

/** Callers see an undo that works as one that is done, and its end in `undone_at`. */
export const shownStatus = ({ status }: Pick<Import, 'status'>) => (status === 'undoing' ? 'undone' : status);

/** As the API shows it. */
export function importView(
  row: Import,
  { publicUrl, now, rules }: { publicUrl: string; now: Date; rules: LayoutRules },
) {
  const told = row.results > 0 && (row.completedAt === null || daysSince(row.completedAt, now) < RESULTS_DAYS);
  return {
    id: row.id,
    status: shownStatus(row),
    target: { type: row.targetType, id: row.targetId },
    format: row.format,
    on_conflict: row.options.onConflict,
    dry_run: row.options.dryRun,
    consent: row.options.alreadyConfirmed ? 'already_confirmed' : null,
    send_confirmation: row.options.sendConfirmation,
    counts: {
      total: row.total,
      created: row.created,
      updated: row.updated,
      skipped: row.skipped,
      failed: row.failed,
    },
    removed: row.removed,
    confirmations_sent: row.confirmationsSent,
    progress: row.startedAt === null || row.bytes === 0 ? 0 : Math.round((row.atByte / row.bytes) * 1_000) / 1_000,
    columns: row.layout === null ? null : columnsOf(row.layout, rules),
    errors_url: told ? `${publicUrl}/v1/imports/${row.id}/errors` : null,
    error: row.error,
    can_undo: canBeUndone(row, now),
    created_by: { type: row.createdBy.type, id: row.createdBy.id, email: row.createdBy.email },
    created_at: row.createdAt,
    started_at: row.startedAt,
    completed_at: row.completedAt,
    undone_at: row.undoneAt,
  };
}

const daysSince = (at: Date, now: Date): number => (now.getTime() - at.getTime()) / (24 * HOUR_MS);

const columnsOf = ({ fields, metadata, ignored }: Layout, rules: LayoutRules) => ({
  recognised: [...fieldsOf(fields, rules), ...Object.keys(metadata).map((key) => `metadata.${key}`)],
  ignored,
});
