import { type Db, inTransaction } from '#platform/db/database.ts';
import { type FileRow, isBad, type OpenTarget } from '../transfer-target.ts';
import { type Import, RESULTS_MAX } from './import.ts';
import type { ResultRow } from './import-queries.ts';
import { advanceImport, holdImport, insertResults, type Job, listMetAddresses } from './job-queries.ts';
import type { FilePage } from './read-file.ts';

/**
 * Takes a page of a file into its list, with how far the import has come, in one transaction: whatever dies, a page has
 * happened or it has not. False: the import is not ours any more, and nothing happened.
 */
export async function importPage(
  ctx: { db: Db; leaseSeconds: number; now: Date },
  job: Job,
  { given, list, page }: { given: Import; list: OpenTarget<FileRow>; page: FilePage },
): Promise<boolean> {
  return inTransaction(ctx.db, async (tx) => {
    if ((await holdImport(tx, job, ctx.leaseSeconds)) !== 'processing') return false;
    const rows = page.rows.filter((row): row is FileRow => !isBad(row)).sort((a, b) => (a.email < b.email ? -1 : 1));
    const metBefore = (emails: readonly string[]): Promise<string[]> => listMetAddresses(tx, job, emails);
    const done = await list.takePage(tx, { given, rows, now: ctx.now, metBefore });
    const results = page.rows.map((row): ResultRow => {
      if (isBad(row)) return { ...row, result: 'failed' };
      const outcome = done.get(row.line) ?? ({ result: 'skipped', reason: 'duplicate' } as const);
      const { result, reason } = outcome;
      const message = 'message' in outcome ? outcome.message : null;
      // The address of somebody who asked to be forgotten is not written down again: the line says which it is.
      return { line: row.line, email: reason === 'erased' ? '' : row.email, result, reason, message };
    });
    const count = (result: string): number => results.filter((one) => one.result === result).length;
    const [isTold, isNoted] = given.options.dryRun ? [() => true, () => false] : [isProblem, isChange];
    const kept = results.filter(isTold).slice(0, Math.max(0, RESULTS_MAX - given.results));
    const noted = results.filter(isNoted).slice(0, Math.max(0, RESULTS_MAX - given.updated));
    await insertResults(tx, job, [...kept, ...noted]);
    await advanceImport(tx, job, {
      atByte: page.atByte,
      atLine: page.atLine,
      total: results.length,
      created: count('created'),
      updated: count('updated'),
      skipped: count('skipped'),
      failed: count('failed'),
      results: kept.length,
    });
    given.results += kept.length;
    given.updated += count('updated');
    return true;
  });
}

/** Results are told; of a dry run all of them, because nothing else remains of it. */
const isProblem = ({ result }: ResultRow): boolean => result === 'failed' || result === 'skipped';
/** Noted, so that a later row of the same address is known. Somebody who was added has the import in the record. */
const isChange = ({ result }: ResultRow): boolean => result === 'updated';
