import { Readable } from 'node:stream';
import { csvLine } from '#platform/csv/cells.ts';
import type { Db } from '#platform/db/database.ts';
import type { Import } from './import.ts';
import { pageResults, type ResultRow } from './import-queries.ts';

const PAGE = 1_000;

/** The results of the listed rows, in the order of the file. */
export const resultsCsv = (db: Db, given: Import, onlyFailed: boolean): Readable =>
  Readable.from(lines(db, given, onlyFailed), { objectMode: false });

async function* lines(db: Db, { workspaceId, id, options }: Import, onlyFailed: boolean): AsyncGenerator<string> {
  const results = shownResults(options.dryRun, onlyFailed);
  yield csvLine(['line', 'email', 'result', 'reason', 'message']);
  for (let afterLine = 0; ; ) {
    const rows = await pageResults(db, workspaceId, id, { afterLine, limit: PAGE, results });
    if (rows.length > 0) {
      yield rows
        .map((row) => csvLine([String(row.line), row.email, row.result, row.reason ?? '', row.message ?? '']))
        .join('');
    }
    if (rows.length < PAGE) return;
    afterLine = rows.at(-1)?.line ?? 0;
  }
}

/** People who were added or changed can be seen on the list; of a dry run nothing else remains. */
const shownResults = (isDryRun: boolean, onlyFailed: boolean): readonly ResultRow['result'][] => {
  if (onlyFailed) return ['failed'];
  return isDryRun ? ['created', 'updated', 'skipped', 'failed'] : ['skipped', 'failed'];
};
