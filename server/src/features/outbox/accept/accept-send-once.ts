import { onCommit } from '#platform/db/database.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { reach } from '#platform/fault-points.ts';
import { answerOnce } from '#platform/http/idempotency/idempotency.ts';
import {
  answerToKeep,
  fingerprintOf,
  type KeyedRequest,
  openKept,
  stillInProgress,
} from '#platform/http/idempotency/kept-answer.ts';
import { refusalOf } from '#platform/usage/take-usage.ts';
import { queueSignal } from '../worker/queue-signal.ts';
import { type Accepting, acceptSend, toInsert } from './accept-send.ts';
import type { AcceptedSend } from './accepted-send.ts';
import { gatherSend, mayShare } from './gather-sends.ts';

/** The key by which a send is known when it comes again. */
export interface RepeatKey {
  /** A key means another send in another place. */
  route: string;
  key: string;
  /** A send with this key that differs here is another one. */
  body: Buffer;
}

/**
 * Takes responsibility for a send at most once per key and 24 hours, and returns the id of its job, or of the job that
 * the first send with this key made. The answer is the id alone, which is known before the send is stored: the key is
 * looked up and kept by the statement that stores the send, which it shares with those that come at the same time. The
 * same key with another body, and a key whose first send is being stored, are 409.
 */
export async function acceptSendOnce(
  ctx: Accepting & { readonly secrets: Secrets },
  send: AcceptedSend,
  known: RepeatKey,
): Promise<string> {
  const { db, secrets, workspaceId } = ctx;
  const request: KeyedRequest = { db, secrets, workspaceId, ...known };
  const given = toInsert(workspaceId, send);
  if (!mayShare(given)) return acceptAlone(request, send);
  const fingerprint = fingerprintOf(known.body);
  const answer = answerToKeep(request, fingerprint, { status: 202, headers: {}, body: given.jobId });
  await reach('outbox.accept.before-statement');
  const inserted = await gatherSend(db, { ...given, answer });
  if ('kept' in inserted) {
    if (inserted.kept === null) throw stillInProgress();
    return openKept(secrets, inserted.kept, fingerprint).toString();
  }
  if ('refusedBy' in inserted) throw refusalOf(send.takes, inserted.refusedBy);
  onCommit(db, queueSignal.tell);
  await reach('outbox.accept.after-commit');
  return given.jobId;
}

/** A large send has a transaction of its own. */
async function acceptAlone(request: KeyedRequest, send: AcceptedSend): Promise<string> {
  const { workspaceId } = request;
  const { body } = await answerOnce({
    ...request,
    work: async (tx) => ({
      status: 202,
      headers: {},
      body: (await acceptSend({ db: tx, workspaceId }, send)).jobId,
    }),
  });
  return body.toString();
}
