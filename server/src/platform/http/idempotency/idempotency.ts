import { createHash } from 'node:crypto';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError, conflict, invalid } from '../../errors/app-error.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { reach } from '../../fault-points.ts';
import { canonicalJson } from './canonical-json.ts';
import { findKeptAnswer, keepAnswer, tryLockKey } from './queries.ts';

/** An answer as it goes out: the bytes are what a replay repeats. */
export interface SentAnswer {
  status: number;
  body: string | Buffer;
  headers: Readonly<Record<string, string>>;
}

const FORM = /^[\x21-\x7e]{1,256}$/;
const PURPOSE = 'idempotency';

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

export interface IdempotentRequest {
  db: Db;
  secrets: Secrets;
  workspaceId: string;
  /** Method and path as requested. */
  route: string;
  key: string;
  body: unknown;
  /** Does the work inside the given transaction. A throw releases the key with everything else. */
  work(tx: Db): Promise<SentAnswer>;
}

/**
 * Runs a request at most once per key and 24 hours. The kept answer commits with the effects, so a crash leaves either
 * nothing or an answer that can be replayed. The same key with another body, and a key whose first request still
 * runs, are 409.
 */
export async function answerOnce(request: IdempotentRequest): Promise<SentAnswer> {
  const { workspaceId, route, key, secrets } = request;
  const text = Buffer.isBuffer(request.body) ? request.body : canonicalJson(request.body);
  const fingerprint = createHash('sha256').update(text).digest();
  const answer = await inTransaction(request.db, async (tx) => {
    const first = await tryLockKey(tx, workspaceId, route, key);
    const kept = await findKeptAnswer(tx, workspaceId, route, key);
    if (kept !== undefined) {
      if (!kept.fingerprint.equals(fingerprint)) {
        throw conflict(
          'This Idempotency-Key was used with another body. Use a new key for a new request.',
          'Idempotency-Key',
        );
      }
      const body = secrets.open(PURPOSE, kept.response);
      return { status: kept.status, body, headers: { 'idempotent-replayed': 'true' } };
    }
    // Looked at only now: another replay holds the lock too, and has no bearing on this one.
    if (!first) {
      throw new AppError('conflict_error', 'A request with this Idempotency-Key is still in progress.', {
        param: 'Idempotency-Key',
        retryAfterSeconds: 1,
      });
    }
    const sent = await request.work(tx);
    if (sent.status >= 200 && sent.status < 300) {
      const response = secrets.seal(PURPOSE, Buffer.from(sent.body));
      await keepAnswer(tx, { workspaceId, route, key, fingerprint, status: sent.status, response });
    }
    await reach('http.idempotent-before-commit');
    return sent;
  });
  await reach('http.idempotent-after-commit');
  return answer;
}
