import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { storableText } from '#platform/db/storable-text.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import type { SmtpReply } from '#platform/smtp/smtp-reply.ts';
import type { Refusal } from '#platform/smtp/submission-connection.ts';
import type { SubmissionPeer } from '#platform/smtp/submission-rules.ts';
import { BatchWriter } from '#platform/work/batch-writer.ts';
import { type KeyOfSession, type OpenSession, OpenSessions } from './open-sessions.ts';
import { storeSessions } from './queries.ts';

/** The log of sessions. It is best effort: it never delays or fails one. */
export interface RelaySessionLog extends Service {
  /** A session is listed from its sign-in on, so that whoever sets up a program sees that its key is right. */
  signedIn(key: KeyOfSession, peer: SubmissionPeer): void;
  /** A sign-in with a key that is known and may not send. */
  refusedSignIn(key: KeyOfSession, peer: SubmissionPeer, refusal: SmtpReply): void;
  refused(key: KeyOfSession, peer: SubmissionPeer, refusal: Refusal): void;
  accepted(key: KeyOfSession, peer: SubmissionPeer, jobId: string): void;
  ended(peer: SubmissionPeer): void;
  /** Writes what waits now, or tries to. */
  flush(): Promise<void>;
}

const FLUSH_AFTER_MS = 250;
const BATCH_MAX = 100;
const RETRY_MAX_MS = 5_000;
const STOP_MS = 1_000;
/** At most some 10 MB. */
const WAITING_MAX = 1_000;
const REFUSALS_MAX = 20;
const JOBS_MAX = 20;
const TEXT_CHARS_MAX = 500;

export function createRelaySessionLog({ db, clock, log }: { db: Db; clock: Clock; log: Log }): RelaySessionLog {
  const open = new OpenSessions(clock);
  const writer = new BatchWriter<OpenSession>({
    clock,
    log,
    delayMs: FLUSH_AFTER_MS,
    batchMax: BATCH_MAX,
    retryMaxMs: RETRY_MAX_MS,
    failure: 'sessions of the relay wait to be written; trying again',
    write: (batch) => {
      for (const one of batch) one.waits = false;
      return storeSessions(db, [...new Set(batch.map(({ entry }) => entry))]);
    },
  });
  const note = (one: OpenSession): void => {
    if (one.waits || writer.waiting >= WAITING_MAX) return;
    one.waits = true;
    writer.add(one);
  };
  const addRefusal = (key: KeyOfSession, peer: SubmissionPeer, refusal: Refusal): void => {
    const one = open.of(key, peer, true);
    if (one === null) return;
    one.entry.refused += 1;
    const text = storableText(refusal.text.slice(0, TEXT_CHARS_MAX));
    if (one.entry.refusals.length < REFUSALS_MAX)
      one.entry.refusals.push({ ...refusal, text, at: clock.now().toISOString() });
    note(one);
  };
  return {
    name: 'relay session log',
    signedIn(key, peer) {
      const one = open.begin(key, peer);
      if (one !== null) note(one);
    },
    refusedSignIn: (key, peer, { responseCode, status = '5.7.8', message }) =>
      addRefusal(key, peer, { stage: 'AUTH', code: responseCode, status, text: message }),
    refused: addRefusal,
    accepted(key, peer, jobId) {
      const one = open.of(key, peer, false);
      if (one === null) return;
      one.entry.accepted += 1;
      one.entry.jobIds = [...one.entry.jobIds, jobId].slice(-JOBS_MAX);
      note(one);
    },
    ended({ id }) {
      for (const one of open.end(id)) {
        one.entry.endedAt = clock.now();
        note(one);
      }
    },
    flush: () => writer.flush(),
    async start() {},
    async stop() {
      await writer.drain(STOP_MS);
      writer.rest();
    },
  };
}
