import { createHash } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import { AppError, conflict } from '../../errors/app-error.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import { canonicalJson } from './canonical-json.ts';
import { type AnswerToKeep, findKeptAnswer, keepAnswer, type KeptAnswer, type KeyPlace } from './queries.ts';

/** An answer as it goes out: the bytes are what a replay repeats. */
export interface SentAnswer {
  status: number;
  body: string | Buffer;
  headers: Readonly<Record<string, string>>;
}

export interface KeyedRequest extends KeyPlace {
  db: Db;
  secrets: Secrets;
  body: unknown;
}

const PURPOSE = 'idempotency';

/** A replay has these headers of the first answer too. Others tell of the moment: limits, for example. */
const KEPT_HEADERS = ['etag', 'link', 'location', 'x-existing-resource', 'x-unknown-fields'];

export function fingerprintOf(body: unknown): Buffer {
  return createHash('sha256')
    .update(Buffer.isBuffer(body) ? body : canonicalJson(body))
    .digest();
}

/** The answer that was kept for this request. 409 when the key was used with another body. */
export async function findReplay(db: Db, request: KeyedRequest, fingerprint: Buffer): Promise<SentAnswer | undefined> {
  const kept = await findKeptAnswer(db, request);
  if (kept === undefined) return undefined;
  const body = openKept(request.secrets, kept, fingerprint);
  return { status: kept.status, body, headers: { ...kept.headers, 'idempotent-replayed': 'true' } };
}

/** The body of a kept answer, for a request with this fingerprint. 409 when the key was used with another body. */
export function openKept(
  secrets: Secrets,
  kept: Pick<KeptAnswer, 'fingerprint' | 'response'>,
  fingerprint: Buffer,
): Buffer {
  if (!kept.fingerprint.equals(fingerprint)) {
    throw conflict(
      'This Idempotency-Key was used with another body. Use a new key for a new request.',
      'Idempotency-Key',
    );
  }
  return secrets.open(PURPOSE, kept.response);
}

export const isKept = ({ status }: SentAnswer): boolean => status >= 200 && status < 300;

export async function keep(tx: Db, request: KeyedRequest, fingerprint: Buffer, sent: SentAnswer): Promise<void> {
  await keepAnswer(tx, answerToKeep(request, fingerprint, sent));
}

/** An answer as it is stored, for this statement or for one that does the work too. */
export function answerToKeep(
  { workspaceId, route, key, secrets }: Omit<KeyedRequest, 'db' | 'body'>,
  fingerprint: Buffer,
  sent: SentAnswer,
): AnswerToKeep {
  const response = secrets.seal(PURPOSE, Buffer.from(sent.body));
  const headers = Object.fromEntries(Object.entries(sent.headers).filter(([name]) => KEPT_HEADERS.includes(name)));
  return { workspaceId, route, key, fingerprint, status: sent.status, response, headers };
}

export const stillInProgress = (): AppError =>
  new AppError('conflict_error', 'A request with this Idempotency-Key is still in progress.', {
    param: 'Idempotency-Key',
    retryAfterSeconds: 1,
  });
