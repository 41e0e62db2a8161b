import { listAskingImports } from '#features/transfers';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { deleteUnconfirmed, type PurgePlace } from './purge-queries.ts';
import { eraseFrom } from './remove-subscriber.ts';
import type { Subscriber } from '../subscriber.ts';

const PAGE = 500;

export interface PurgeOptions {
  db: Db;
  clock: Clock;
  secrets: Secrets;
  settings: { readonly pendingPurgeDays: number };
}

/**
 * Forgets who was asked to confirm and never did, as if they had been erased: nobody agreed to be kept. After the days
 * of the newsletter or, where it says none, of the setting; 0 is never. Any number of processes may do it. Returns how
 * many were forgotten.
 */
export async function purgePending(options: PurgeOptions, goOn: () => boolean = () => true): Promise<number> {
  let count = 0;
  let place: PurgePlace | null = null;
  do {
    const page: PurgePage = await inTransaction(options.db, (tx) => purgePage(tx, options, place));
    count += page.count;
    place = page.place;
  } while (place !== null && goOn());
  return count;
}

interface PurgePage {
  count: number;
  /** Where the next one begins; null: nowhere. */
  place: PurgePlace | null;
}

async function purgePage(tx: Db, options: PurgeOptions, after: PurgePlace | null): Promise<PurgePage> {
  const now = options.clock.now();
  const gone = await deleteUnconfirmed(tx, {
    now,
    days: options.settings.pendingPurgeDays,
    after,
    limit: PAGE,
    askingImports: await listAskingImports(tx),
  });
  for (const rows of Map.groupBy(gone, ({ workspaceId, newsletterId }) => `${workspaceId} ${newsletterId}`).values()) {
    const [first] = rows;
    if (first !== undefined) await eraseFrom(tx, options.secrets, first, rows, now);
  }
  const last = gone.reduce<Subscriber | null>((a, b) => (a === null || a.createdAt < b.createdAt ? b : a), null);
  return { count: gone.length, place: gone.length < PAGE || last === null ? null : { createdAt: last.createdAt } };
}
