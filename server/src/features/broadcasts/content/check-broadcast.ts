import { checkComposition, type Sender } from '#features/compositions';
import type { Finding } from '#mail/list-mail/finding.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { type CountedBroadcast, countBroadcast } from '../audience/count-broadcast.ts';
import type { Broadcast } from '../broadcast.ts';
import { wallTimeOf } from '../schedule-time.ts';
import { readDatabaseClock } from '#platform/db/clock-queries.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import { broadcastComposition } from './broadcast-composition.ts';
import { requireSender } from './sender-of-broadcast.ts';
import { type FilledBroadcast, fillBroadcast } from './texts-of-broadcast.ts';

interface CheckedBroadcast {
  ok: boolean;
  checks: Finding[];
  audience: CountedBroadcast;
}

const UNTRACKED = { opens: false, clicks: false };

/** Looks at everything that could be wrong with a broadcast before it is sent, and counts who would get it. */
export async function checkBroadcast(ctx: BroadcastsCtx, broadcast: Broadcast): Promise<CheckedBroadcast> {
  const audience = await countBroadcast(ctx, broadcast);
  const filled = await orRefusal(fillBroadcast(ctx, broadcast));
  const found =
    filled instanceof AppError
      ? [{ id: 'template', level: 'error' as const, message: filled.message }]
      : await checkFilled(ctx, filled, audience.willSend);
  const checks = [...found, checkAudience(audience), ...(await checkTimes(ctx, broadcast, audience))];
  return { ok: checks.every(({ level }) => level !== 'error'), checks, audience };
}

async function checkFilled(ctx: BroadcastsCtx, filled: FilledBroadcast, willSend: number): Promise<Finding[]> {
  const sender: Sender | AppError = await orRefusal(requireSender(ctx, filled));
  const tracking = sender instanceof AppError ? UNTRACKED : sender.domain.tracking;
  const composition = await broadcastComposition(ctx, filled, tracking);
  return checkComposition(ctx, composition, { sender, willSend, sample: [] });
}

/** A refusal is what the check is for. */
async function orRefusal<T>(work: Promise<T>): Promise<T | AppError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function checkAudience({ willSend, suppressed, unsubscribed }: CountedBroadcast): Finding {
  const others = `Left out: ${unsubscribed} unsubscribed, ${suppressed} suppressed.`;
  return willSend === 0
    ? { id: 'recipients', level: 'error', message: `Nobody would get it. ${others}` }
    : { id: 'recipients', level: 'ok', message: `It goes to ${willSend}. ${others}` };
}

/** Of one at a local time of its recipients. */
async function checkTimes(ctx: BroadcastsCtx, broadcast: Broadcast, counted: CountedBroadcast): Promise<Finding[]> {
  if (!broadcast.recipientTimezone) return [];
  const id = 'recipient_timezone';
  const shown = wallTimeOf(broadcast);
  const { starts, withoutTimezone, willSend } = counted;
  if (starts === null || shown === null) {
    return [{ id, level: 'warning', message: 'It has no local time yet. Give scheduled_for when you send it.' }];
  }
  const now = new Date(await readDatabaseClock(ctx.db));
  const atOnce = starts.filter(({ at }) => at <= now).reduce((sum, { recipients }) => sum + recipients, 0);
  const without = withoutTimezone ?? 0;
  const [first, last] = [starts[0]?.at.toISOString(), starts.at(-1)?.at.toISOString()];
  const faults = [
    ...(without > 0
      ? [`${without} of ${willSend} have no known time zone, and get it at ${shown} in ${broadcast.timezone ?? 'UTC'}.`]
      : []),
    ...(atOnce > 0 ? [`For ${atOnce} of ${willSend}, ${shown} has passed: they get it at once.`] : []),
  ];
  const when = first === undefined ? [] : [`It leaves at ${starts.length} times from ${first} to ${last}.`];
  return [
    {
      id,
      level: faults.length > 0 ? 'warning' : 'ok',
      message: [...faults, ...when].join(' ') || 'It waits for recipients.',
    },
  ];
}
