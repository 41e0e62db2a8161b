import { checkComposition, type Sender } from '#features/compositions';
import type { Finding } from '#mail/list-mail/finding.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { type AudienceCount, countAudience } from '../audience/audience-queries.ts';
import { choosePeople } from '../audience/choose-people.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import { broadcastComposition } from './broadcast-composition.ts';
import { requireSender } from './sender-of-broadcast.ts';
import { type FilledBroadcast, fillBroadcast } from './texts-of-broadcast.ts';

interface CheckedBroadcast {
  ok: boolean;
  checks: Finding[];
  audience: AudienceCount;
}

const UNTRACKED = { opens: false, clicks: false };

/** Looks at everything that could be wrong with a broadcast before it is sent, and counts who would get it. */
export async function checkBroadcast(ctx: BroadcastsCtx, broadcast: Broadcast): Promise<CheckedBroadcast> {
  const people = await choosePeople(ctx, broadcast, { counting: true });
  const audience = await countAudience(ctx.db, broadcast.workspaceId, people);
  const filled = await orRefusal(fillBroadcast(ctx, broadcast));
  const found =
    filled instanceof AppError
      ? [{ id: 'template', level: 'error' as const, message: filled.message }]
      : await checkFilled(ctx, filled, audience.willSend);
  const checks = [...found, checkAudience(audience)];
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

function checkAudience({ willSend, suppressed, unsubscribed }: AudienceCount): Finding {
  const others = `not to ${unsubscribed} who left and ${suppressed} who are suppressed`;
  return willSend === 0
    ? { id: 'recipients', level: 'error', message: `Nobody would get it: ${others}.` }
    : { id: 'recipients', level: 'ok', message: `It goes to ${willSend}; ${others}.` };
}
