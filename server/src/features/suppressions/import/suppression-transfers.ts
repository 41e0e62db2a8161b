import type {
  BadRow,
  FileRow,
  ImportPage,
  ImportTarget,
  Layout,
  LayoutRules,
  RowOutcome,
  TransferTarget,
} from '#features/transfers';
import type { Db } from '#platform/db/database.ts';
import { notFound, unacceptable } from '#platform/errors/app-error.ts';
import { addSuppressions } from '../add-suppression.ts';
import { suppressedAmong } from '../suppressed-among.ts';
import { guessColumns, NAMES, STANDING_NAMES } from './columns.ts';
import { suppressionOf } from './import-suppressions.ts';
import { type FoundSuppression, readSuppression, UNREADABLE_END } from './read-suppression.ts';

type SuppressionRow = FileRow & FoundSuppression;

/** Mailchimp exports one file for each kind, and only the name of a time says which this is. */
const KIND_TIMES = { unsub_time: 'unsubscribe', clean_time: 'hard_bounce' } as const;
const kindTimeOf = (field: string): string => field.replace('_', '');

const LAYOUT: LayoutRules = {
  names: {
    email: NAMES.email,
    reason: NAMES.reason,
    note: NAMES.note,
    ...Object.fromEntries(Object.keys(KIND_TIMES).map((field) => [field, [kindTimeOf(field)]])),
    created_at: NAMES.createdAt,
    expires_at: NAMES.expiresAt,
    ...Object.fromEntries(STANDING_NAMES.map((name) => [name, [name]])),
  },
  guess(cells) {
    const reason = guessColumns(cells)?.reason ?? null;
    return reason === null ? {} : { reason };
  },
};

/** Files of addresses that a workspace may not mail. The list has the id of its workspace. */
const suppressionImports: ImportTarget<SuppressionRow> = {
  layout: LAYOUT,
  async authorise(ctx, id, { alreadyConfirmed, sendConfirmation, emitEvents, source }) {
    if (id !== ctx.workspaceId) throw notFound('suppression list', id);
    const given = { consent: alreadyConfirmed, send_confirmation: sendConfirmation, emit_events: emitEvents };
    const wrong = Object.entries({ ...given, source: source !== null }).find(([, isGiven]) => isGiven);
    if (wrong !== undefined) throw unacceptable(wrong[0], `${wrong[0]} is for subscribers of newsletters.`);
    return null;
  },
  readRow,
  open: async () => ({ takePage }),
  countUndo: async () => ({ removes: 0 }),
  undoPage: async () => 0,
  ask: async () => ({ do: 'end', error: null }),
};

export const suppressionTransfers: TransferTarget = { type: 'suppression', imports: suppressionImports };

function readRow(
  line: number,
  { fields }: Layout,
  valueOf: (column: string) => unknown,
  now: Date,
): SuppressionRow | BadRow {
  const text = (field: string): string => textIn(fields, field, valueOf) ?? '';
  const expiresAt = textIn(fields, 'expires_at', valueOf);
  const standing = STANDING_NAMES.find((name) => fields[name] !== undefined);
  const kinds = Object.entries(KIND_TIMES).filter(([field]) => fields[field] !== undefined);
  const createdAt = [...kinds.map(([field]) => text(field)), text('created_at')].find((time) => time !== '') ?? '';
  const read = readSuppression({
    email: text('email'),
    reason: text('reason'),
    note: text('note'),
    createdAt,
    expiresAt: expiresAt ?? '',
    standing: standing === undefined ? null : { name: standing, text: text(standing) },
    listOf: kinds[0]?.[1] ?? null,
  });
  const bad = (reason: string, message: string): BadRow => ({ line, email: text('email'), reason, message });
  if ('message' in read) return bad('invalid_row', read.message);
  // Taken for none, it would suppress the address for good.
  if (expiresAt === undefined) return bad('invalid_row', UNREADABLE_END);
  if (read.expiresAt !== null && read.expiresAt <= now) return bad('expired', 'It has expired.');
  return { line, email: read.identity, ...read };
}

/** A value of a line of JSON as a cell of CSV would have it; undefined for a list or a record. */
function textIn(fields: Layout['fields'], field: string, valueOf: (column: string) => unknown): string | undefined {
  const column = fields[field];
  const value = (column === undefined ? null : valueOf(column)) ?? '';
  if (typeof value === 'string') return value.trim();
  return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : undefined;
}

/** An address that stands in the file twice is taken once; the other line has no outcome. */
async function takePage(tx: Db, page: ImportPage<SuppressionRow>): Promise<ReadonlyMap<number, RowOutcome>> {
  const { workspaceId, options } = page.given;
  const rows = [...new Map([...page.rows].reverse().map((row) => [row.identity, row])).values()];
  const addresses = rows.map((row) => row.identity);
  const isNew = options.dryRun
    ? await wouldBeNew(tx, workspaceId, addresses)
    : await addSuppressions(
        tx,
        rows.map((row) => ({ ...suppressionOf(row, 'manual'), workspaceId })),
      );
  const met = new Set(await page.metBefore(addresses));
  const told = rows.filter((row) => !met.has(row.identity));
  return new Map(
    told.map((row) => [
      row.line,
      isNew[rows.indexOf(row)] === true
        ? { result: 'created', reason: null }
        : { result: 'skipped', reason: 'suppressed' },
    ]),
  );
}

async function wouldBeNew(tx: Db, workspaceId: string, addresses: readonly string[]): Promise<boolean[]> {
  const held = await suppressedAmong(tx, workspaceId, addresses);
  return addresses.map((address) => !held.has(address));
}
