import type { Clock } from '../../clock.ts';
import { inTransaction } from '../../db/database.ts';
import { newId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { claimKey, type KeyClaim, releaseClaim, renewClaim } from './claim-queries.ts';
import {
  findReplay,
  fingerprintOf,
  isKept,
  keep,
  type KeyedRequest,
  type SentAnswer,
  stillInProgress,
} from './kept-answer.ts';

export interface OutsideRequest extends KeyedRequest {
  clock: Clock;
  log: Log;
  /** Shorter for tests. */
  leaseSeconds?: number;
  /** Does the work, with no transaction around it. */
  work(): Promise<SentAnswer>;
}

/** After a crash the key is free again when this is over. It is renewed twice in that time while the work goes on. */
const LEASE_SECONDS = 30;

/**
 * The same as `answerOnce` for work that waits for another server, or lasts long: no transaction is open meanwhile. The
 * key is claimed in a commit of its own, and the answer is kept in another after the work. A crash in between leaves
 * the effects without an answer; a retry after the lease does the work again.
 */
export async function answerOutside(request: OutsideRequest): Promise<SentAnswer> {
  const { db, workspaceId, route, key, clock, log, leaseSeconds = LEASE_SECONDS } = request;
  const fingerprint = fingerprintOf(request.body);
  const of: KeyClaim = { workspaceId, route, key, claim: newId() };
  const replay = await findReplay(db, request, fingerprint);
  if (replay !== undefined) return replay;
  const kept = await claimOrReplay(of, request, fingerprint, leaseSeconds);
  if (kept !== undefined) return kept;

  const renewal = clock.interval((leaseSeconds * 1_000) / 3, () => {
    renewClaim(db, of, leaseSeconds).catch((error: unknown) => log.warn({ err: error }, 'a key could not be held'));
  });
  try {
    const sent = await request.work();
    renewal.cancel();
    await inTransaction(db, async (tx) => {
      const isOurs = await releaseClaim(tx, of);
      // Another request took over when our lease had run out: its answer is the one to keep.
      if (isOurs && isKept(sent)) await keep(tx, request, fingerprint, sent);
    });
    return sent;
  } catch (error) {
    await releaseClaim(db, of).catch(() => undefined); // a database that is gone forgets it by the lease
    throw error;
  } finally {
    renewal.cancel();
  }
}

/** Claims the key, unless an answer was kept in the moment before. */
const claimOrReplay = (
  of: KeyClaim,
  request: OutsideRequest,
  fingerprint: Buffer,
  leaseSeconds: number,
): Promise<SentAnswer | undefined> =>
  inTransaction(request.db, async (tx) => {
    if (!(await claimKey(tx, of, leaseSeconds))) throw stillInProgress();
    const replay = await findReplay(tx, request, fingerprint);
    if (replay !== undefined) await releaseClaim(tx, of);
    return replay;
  });
