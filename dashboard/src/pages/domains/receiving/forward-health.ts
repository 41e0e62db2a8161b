import type { Domain } from '../../../api/generated/types.gen.ts';
import { exactTime } from '../../../lib/time.ts';
import type { Tone } from '../../../ui/StatusBadge.tsx';

type Health = Domain['webhook_health'];

/** The fault of the forwarding that a person must know of; undefined: there is none. */
export function faultOfForward(health: Health): { tone: Tone; words: string } | undefined {
  if (health === null) return undefined;
  const { enabled, disabled_reason: reason, failing_since: since } = health;
  if (!enabled) {
    const why = reason === null ? 'It was disabled.' : `Posthorn disabled it: ${reason}`;
    const then = 'Received mail waits for it, for 29 days at most. Save the address again to enable it.';
    return { tone: 'bad', words: `${why} ${then}` };
  }
  if (since === null) return undefined;
  const words = `Every delivery has failed since ${exactTime(since)}. Posthorn continues to try; after five days without a success it is disabled. The page of a received message shows its last answer.`;
  return { tone: 'warn', words };
}
