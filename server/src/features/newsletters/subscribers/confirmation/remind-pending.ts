import { AppError, conflict } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../newsletter.ts';
import { requireConfirmationSender } from './confirmation-mail.ts';
import { listToRemind } from './remind-queries.ts';
import { resendConfirmation } from './resend-confirmation.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

/** In one call, so that it ends soon; who has more calls again. */
const REMINDED_AT_ONCE = 100;

export interface Reminded {
  queued: number;
  /** Passed over: their address has been sent enough, or they confirmed or left at that moment. */
  skipped: number;
  hasMore: boolean;
}

/**
 * Asks pending subscribers once more who were asked at most once, and not within these days. Calling it again goes on
 * where the last call ended. Throws what a single resend throws, but for limits of one address.
 */
export async function remindPending(
  ctx: SubscribersCtx,
  newsletter: Newsletter,
  { olderThanDays }: { olderThanDays: number },
): Promise<Reminded> {
  if (newsletter.confirmationsPausedAt !== null) {
    throw conflict('Confirmation emails of this newsletter rest, because sign-ups came unusually fast.');
  }
  await requireConfirmationSender(ctx, newsletter);
  const before = new Date(ctx.clock.now().getTime() - olderThanDays * 86_400_000);
  const asked = { newsletterId: newsletter.id, before, after: null, limit: REMINDED_AT_ONCE + 1 };
  const rows = await listToRemind(ctx.db, ctx.workspaceId, asked);
  const reminded = { queued: 0, skipped: 0, hasMore: rows.length > REMINDED_AT_ONCE };
  for (const row of rows.slice(0, REMINDED_AT_ONCE)) {
    if (await remind(ctx, newsletter, row.id)) reminded.queued += 1;
    else reminded.skipped += 1;
  }
  return reminded;
}

async function remind(ctx: SubscribersCtx, newsletter: Newsletter, id: string): Promise<boolean> {
  try {
    await resendConfirmation(ctx, newsletter, { id }, { via: 'public' });
    return true;
  } catch (error) {
    const passedOver = ['rate_limit_error', 'conflict_error', 'not_found_error'];
    if (error instanceof AppError && passedOver.includes(error.name)) return false;
    throw error;
  }
}
