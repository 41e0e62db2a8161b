import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.ts';
import { SmtpReply } from '#platform/smtp/smtp-reply.ts';

const WINDOW_MS = 60_000;
const KEYS_MAX = 10_000;

/**
 * So many messages of a key in a minute, in this process. A program that sends in a loop by mistake is told to wait; a
 * queue that is only long is not its concern.
 */
export function createFloodLimit(clock: Clock, perMinute: number): (keyId: string) => void {
  const counts = new LRUCache<string, { messages: number; endsMs: number }>({ max: KEYS_MAX });
  return (keyId) => {
    if (perMinute === 0) return;
    const nowMs = clock.monotonicMs();
    const kept = counts.get(keyId);
    const window = kept !== undefined && nowMs < kept.endsMs ? kept : { messages: 0, endsMs: nowMs + WINDOW_MS };
    counts.set(keyId, window);
    if (window.messages >= perMinute) {
      const seconds = Math.ceil((window.endsMs - nowMs) / 1_000);
      throw new SmtpReply(
        451,
        `More than ${perMinute} messages a minute with this key; try again in ${seconds} s`,
        '4.7.1',
      );
    }
    window.messages += 1;
  };
}
