import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { isDatabaseUnavailable } from '#platform/db/database-errors.ts';
import { AppError } from '#platform/errors/app-error.ts';
import type { Log } from '#platform/log.ts';
import { exportsOf, targetOf, type TransferTargets } from '../transfer-target.ts';
import type { Export } from './export.ts';
import { claimExport, endExport, giveBackExport, insertExportPart } from './export-queries.ts';
import { exportPage } from './export-rows.ts';

export interface ExportsWiring {
  db: Db;
  clock: Clock;
  log: Log;
  targets: TransferTargets;
  leaseSeconds: number;
}

const pack = promisify(gzip);
const TURN_MS = 5_000;
/** Of text; packed it is about a fifth. */
const PART_CHARS = 262_144;

/**
 * Writes the export that has waited longest, for five seconds or to its end; each piece of the file is committed with
 * where the next begins. False: none waits.
 */
export async function runExport(wiring: ExportsWiring, goOn: () => boolean): Promise<boolean> {
  const { db, log, leaseSeconds } = wiring;
  const token = randomUUID();
  const row = await claimExport(db, token, leaseSeconds);
  if (row === undefined) return false;
  try {
    await writeParts(wiring, row, token, goOn);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    // A list or a segment that was deleted meanwhile.
    if (error instanceof AppError)
      return endExport(db, row, token, { status: 'failed', error: error.message }).then(() => true);
    log.error({ err: error, exportId: row.id }, 'an export failed');
    await endExport(db, row, token, { status: 'failed', error: 'Something went wrong on our side.' });
  }
  return true;
}

async function writeParts(
  { db, clock, targets, leaseSeconds }: ExportsWiring,
  row: Export,
  token: string,
  goOn: () => boolean,
): Promise<void> {
  const untilMs = clock.monotonicMs() + TURN_MS;
  const source = exportsOf(targetOf(targets, row.targetType));
  let after = row.cursor;
  let [text, rows] = ['', 0];
  for (;;) {
    const page = await exportPage(db, source, row, { format: row.format, after });
    text += page.text;
    rows += page.rows;
    const isLast = page.after === null;
    if (isLast || text.length >= PART_CHARS) {
      const bytes = await pack(text);
      const piece = { bytes, rows, cursor: page.after ?? '', leaseSeconds };
      if (!(await insertExportPart(db, row, token, piece))) return;
      [text, rows] = ['', 0];
      if (isLast) return endExport(db, row, token, { status: 'completed', error: null });
      if (!goOn() || clock.monotonicMs() > untilMs) return giveBackExport(db, row, token);
    }
    after = page.after;
  }
}
