import { type Db, inTransaction } from '../../db/database.ts';
import { invalid } from '../../errors/app-error.ts';
import { reach } from '../../fault-points.ts';
import {
  findReplay,
  fingerprintOf,
  isKept,
  keep,
  type KeyedRequest,
  type SentAnswer,
  stillInProgress,
} from './kept-answer.ts';
import { tryLockKey } from './queries.ts';

const FORM = /^[\x21-\x7e]{1,256}$/;

/** The key of a request, or undefined when it has none. A key that is not 1 to 256 printable characters is 400. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !FORM.test(header)) {
    throw invalid(
      'Idempotency-Key',
      'Idempotency-Key must be 1 to 256 printable ASCII characters without spaces, given once',
    );
  }
  return header;
}

export interface IdempotentRequest extends KeyedRequest {
  /** Does the work inside the given transaction. A throw releases the key with everything else. */
  work(tx: Db): Promise<SentAnswer>;
}

/**
 * Runs a request at most once per key and 24 hours. The kept answer commits with the effects, so a crash leaves either
 * nothing or an answer that can be replayed. The same key with another body, and a key whose first request still
 * runs, are 409.
 */
export async function answerOnce(request: IdempotentRequest): Promise<SentAnswer> {
  const fingerprint = fingerprintOf(request.body);
  const answer = await inTransaction(request.db, async (tx) => {
    const first = await tryLockKey(tx, request);
    const replay = await findReplay(tx, request, fingerprint);
    if (replay !== undefined) return replay;
    // Looked at only now: another replay holds the lock too, and has no bearing on this one.
    if (!first) throw stillInProgress();
    const sent = await request.work(tx);
    if (isKept(sent)) await keep(tx, request, fingerprint, sent);
    await reach('http.idempotent-before-commit');
    return sent;
  });
  await reach('http.idempotent-after-commit');
  return answer;
}
