import { LRUCache } from 'lru-cache';
import { takeShare } from '#platform/attempts/attempt-limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';

const WINDOW_SECONDS = 60;
/** A process takes a fiftieth of the limit at a time: so many questions a minute to the database, at most. */
const SHARES = 50;
const KEYS_MAX = 10_000;

/** Places of a key that this process has taken. */
interface Share {
  left: number;
  /** By the clock that nobody sets. */
  endsMs: number;
  /** There are no more in this minute. */
  isLast: boolean;
}

/**
 * So many messages of a key in a minute, on all processes together. A program that sends in a loop by mistake is told
 * to wait; a queue that is only long is not its concern. Never more pass; with several processes, up to a share of each
 * but one may stay unused. Throws the refusal.
 */
export function createFloodLimit(
  parts: { db: Db; secrets: Secrets; clock: Clock },
  perMinute: number,
): (keyId: string) => Promise<void> {
  const { clock } = parts;
  const shares = new LRUCache<string, Share>({ max: KEYS_MAX });
  const taking = new Map<string, Promise<void>>();
  const wanted = Math.ceil(perMinute / SHARES);

  const take = async (keyId: string): Promise<void> => {
    const limit = { subject: `relay messages, minute ${keyId}`, max: perMinute, windowSeconds: WINDOW_SECONDS };
    const now = clock.now();
    const { granted, resetsAt } = await takeShare(parts, limit, wanted, now);
    // A clock that is set back makes no minute longer.
    const leftMs = Math.min(resetsAt.getTime() - now.getTime(), WINDOW_SECONDS * 1_000);
    shares.set(keyId, { left: granted, endsMs: clock.monotonicMs() + leftMs, isLast: granted < wanted });
  };

  /** Messages that come at once wait for one share together. */
  const takeTogether = (keyId: string): Promise<void> => {
    const running = taking.get(keyId) ?? take(keyId).finally(() => taking.delete(keyId));
    taking.set(keyId, running);
    return running;
  };

  return async (keyId) => {
    if (perMinute === 0) return;
    for (;;) {
      const share = shares.get(keyId);
      const leftMs = share === undefined ? 0 : share.endsMs - clock.monotonicMs();
      if (share !== undefined && leftMs > 0) {
        if (share.left > 0) {
          share.left -= 1;
          return;
        }
        if (share.isLast) throw flood(perMinute, leftMs);
      }
      await takeTogether(keyId);
    }
  };
}

const flood = (perMinute: number, leftMs: number): SmtpReply =>
  new SmtpReply(
    451,
    `More than ${perMinute} messages a minute with this key; try again in ${Math.ceil(leftMs / 1_000)} s`,
    '4.7.1',
  );
