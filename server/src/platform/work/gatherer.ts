import { type Db, inOneStatement } from '../db/database.ts';
import { isDatabaseUnavailable } from '../db/database-errors.ts';

export interface GathererOptions<Given, Result> {
  /** The most that one statement takes. */
  pageMax: number;
  /** Stores a page in one statement. Returns what each of them hears, in the order of the page. */
  store(db: Db, page: readonly Given[]): Promise<readonly Result[]>;
}

/** Resolves once what was given is committed. */
export type Gatherer<Given, Result> = (db: Db, given: Given) => Promise<Result>;

interface Waiting<Given, Result> {
  given: Given;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Stores one thing at a time for its callers, and many at a time for the database: what arrives while a page is being
 * stored shares the next statement and its commit. Under load the cost of both is divided by as many as came together,
 * and a single one waits for nobody. One statement is under way at a time: two cost a quarter more processor time for
 * each thing and were no faster (sends from 16 connections, November 2026).
 *
 * A page that the database refuses is stored one by one, so that the one at fault fails alone. When the database cannot
 * be reached, all of the page hear it. Inside a transaction nothing can be shared: such a call is stored by itself.
 */
export function gatherer<Given, Result>(options: GathererOptions<Given, Result>): Gatherer<Given, Result> {
  const queues = new WeakMap<Db, (given: Given) => Promise<Result>>();
  return (db, given) => {
    if (db.isTransaction) return storeOne(options, db, given);
    let queue = queues.get(db);
    if (queue === undefined) {
      queue = queueOf(options, db);
      queues.set(db, queue);
    }
    return queue(given);
  };
}

function queueOf<Given, Result>(options: GathererOptions<Given, Result>, db: Db): (given: Given) => Promise<Result> {
  let waiting: Waiting<Given, Result>[] = [];
  let isBusy = false;
  const flush = (): void => {
    if (isBusy || waiting.length === 0) return;
    const page = waiting.slice(0, options.pageMax);
    waiting = waiting.slice(options.pageMax);
    isBusy = true;
    void storePage(options, db, page).finally(() => {
      isBusy = false;
      flush();
    });
  };
  return (given) =>
    new Promise((resolve, reject) => {
      waiting.push({ given, resolve, reject });
      // After everything that this turn of the event loop brings in.
      if (waiting.length === 1) setImmediate(flush);
    });
}

/** Never rejects: each caller hears its own outcome. */
async function storePage<Given, Result>(
  options: GathererOptions<Given, Result>,
  db: Db,
  page: readonly Waiting<Given, Result>[],
): Promise<void> {
  try {
    const given = page.map((one) => one.given);
    const results = await inOneStatement(db, (own) => options.store(own, given));
    if (results.length !== page.length) throw new Error('a page was stored and not everybody got an answer');
    // As many results as there are in the page; a result may itself be undefined.
    for (const [index, one] of page.entries()) one.resolve(results[index] as Result);
  } catch (error) {
    if (page.length === 1 || isDatabaseUnavailable(error)) {
      for (const one of page) one.reject(error);
      return;
    }
    // Nothing was stored. One of them is at fault, and must not refuse the others.
    await Promise.all(page.map(({ given, resolve, reject }) => storeOne(options, db, given).then(resolve, reject)));
  }
}

async function storeOne<Given, Result>(options: GathererOptions<Given, Result>, db: Db, given: Given): Promise<Result> {
  const results = await inOneStatement(db, (own) => options.store(own, [given]));
  if (results.length !== 1) throw new Error('one thing was stored and got no answer');
  return results[0] as Result; // there is exactly one, which may itself be undefined
}
