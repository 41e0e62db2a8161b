import type { TSchema } from 'typebox';
import type { Db } from '#platform/db/database.ts';
import type { Actor, Ctx } from '#platform/http/context.ts';
import type { Import, ImportOptions } from './imports/import.ts';
import type { Layout, LayoutRules } from './imports/layout.ts';
import type { TargetType } from './target-type.ts';

/** A row of a file that can be taken. */
export interface FileRow {
  line: number;
  /** The identity of the address. */
  email: string;
}

/** A row that cannot be taken, and why. */
export interface BadRow {
  line: number;
  /** The content of the address cell. */
  email: string;
  reason: string;
  message: string;
}

export const isBad = <Row extends FileRow>(row: Row | BadRow): row is BadRow => 'message' in row;

/** The result of a judged row. */
export type RowOutcome =
  | { result: 'created' | 'updated' | 'skipped'; reason: string | null }
  | { result: 'failed'; reason: string; message: string };

/** One page of an import, in the transaction in which it happens. */
export interface ImportPage<Row extends FileRow> {
  given: Import;
  /** In the order of addresses, so that two imports of the same file wait for each other and do not deadlock. */
  rows: readonly Row[];
  now: Date;
  /** Which of these addresses had a row in an earlier page of the file that did not fail. */
  metBefore(emails: readonly string[]): Promise<string[]>;
}

/** A list that is there, for as many pages as a worker takes in one turn. */
export interface OpenTarget<Row extends FileRow> {
  /** Judges and takes a page: what became of each line. A line without an outcome was there before. */
  takePage(tx: Db, page: ImportPage<Row>): Promise<ReadonlyMap<number, RowOutcome>>;
}

/** An import some of whose people are still to be asked to confirm. */
export interface AskingImport {
  workspaceId: string;
  id: string;
  targetType: TargetType;
  targetId: string;
  /** Everybody up to this row has been asked. */
  after: string | null;
}

/**
 * `rest`: nobody can be asked for a minute. `end`: nobody is left, or nobody can be asked at all: then `error` says
 * why.
 */
export type AskOutcome = { do: 'go on' | 'rest' } | { do: 'end'; error: string | null };

/** Why somebody whom an import added stays when it is undone. A person has the first that fits. */
export const STAY_REASONS = ['unsubscribed', 'confirmed', 'asked', 'on_other_lists', 'changed'] as const;
export type StayReason = (typeof STAY_REASONS)[number];

/** How many people an undo removes, and how many of those whom the import added stay; a reason left out: none. */
export type UndoCount = { removes: number } & { [reason in StayReason]?: number };

export interface ImportTarget<Row extends FileRow = FileRow> {
  readonly layout: LayoutRules;
  /**
   * Answers the name of the list, for the log; null: it has none. Throws not found or forbidden when the caller may not
   * write to this list, and 422 for options that do not fit.
   */
  authorise(ctx: Ctx, id: string, options: ImportOptions): Promise<string | null>;
  /** Reads a row by the layout of its file. `valueOf` gives what stands in a column: a text, or in JSON anything. */
  readRow(line: number, layout: Layout, valueOf: (column: string) => unknown, now: Date): Row | BadRow;
  /** Undefined: the list is gone, and its imports go with it. */
  open(db: Db, given: Import): Promise<OpenTarget<Row> | undefined>;
  /** Of what `undoPage` would do from now on, to its end. */
  countUndo(db: Db, given: Import): Promise<UndoCount>;
  /** Removes up to `limit` rows that the import added and nobody has touched since; 0: that was all. */
  undoPage(tx: Db, given: Import, limit: number): Promise<number>;
  /**
   * Asks some people to confirm, and tells once who was the last and how many emails were sent. Called about once a
   * second, by one process at a time.
   */
  ask(given: AskingImport, asked: (lastRowId: string, sent: number) => Promise<void>): Promise<AskOutcome>;
}

/** The content of an export: columns in the order of the file; `json` is written as it is. */
export type ExportColumns = Readonly<Record<string, 'text' | 'json'>>;

export type ExportedRow = Readonly<Record<string, string | number | null>> & { readonly email: string };

/** The filters of an export as they are stored, without the id of the list. */
export type ExportFilters = Readonly<Record<string, string | null>>;

/** Whose rows an export has, and which of them. */
export interface ExportOf {
  workspaceId: string;
  targetId: string;
  filters: ExportFilters;
}

/** The object `filters` of `POST /v1/exports`, and of the export that it makes. */
export interface ExportFilterRules {
  readonly asked: TSchema;
  readonly shown: TSchema;
  /** For the reference. */
  readonly example: object;
  /** The list that they name, and the rest of them. `asked` has checked them. */
  read(asked: unknown): { targetId: string; filters: ExportFilters };
  show(targetId: string, filters: ExportFilters): object;
}

export interface ExportSource {
  /** Its name in `POST /v1/exports`, and of the file. */
  readonly resource: string;
  readonly filters: ExportFilterRules;
  readonly columns: ExportColumns;
  /** Throws not found or forbidden when the caller may not read this list, or what the filters name is not there. */
  authorise(ctx: Pick<Ctx, 'db' | 'workspaceId' | 'actor'>, targetId: string, filters: ExportFilters): Promise<void>;
  /** Whether the caller may see an export of this list, which may be gone by now. */
  maySee(actor: Actor, targetId: string): boolean;
  /** Rows in the order of addresses: everybody after this address. */
  page(db: Db, of: ExportOf, asked: { after: string; limit: number }): Promise<ExportedRow[]>;
}

/** A list that files go into and come from. */
export interface TransferTarget {
  readonly type: TargetType;
  readonly imports: ImportTarget;
  /** Absent: files only come in. */
  readonly exports?: ExportSource;
}

export type TransferTargets = ReadonlyMap<TargetType, TransferTarget>;

/** The target of a record. A record of a target that nobody gave is our mistake. */
export function targetOf(targets: TransferTargets, type: TargetType): TransferTarget {
  const found = targets.get(type);
  if (found === undefined) throw new Error(`no feature has given the transfer target ${type}`);
  return found;
}

/** The exports of a target of which there are some. */
export function exportsOf({ type, exports }: TransferTarget): ExportSource {
  if (exports === undefined) throw new Error(`there are no exports of ${type}`);
  return exports;
}

/** The target that is called so in `POST /v1/exports`. */
export function targetOfResource(targets: TransferTargets, resource: string): TransferTarget {
  for (const target of targets.values()) if (target.exports?.resource === resource) return target;
  throw new Error(`no feature has given exports of ${resource}`);
}
