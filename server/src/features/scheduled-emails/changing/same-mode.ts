import { forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { ScheduledSummary } from '../scheduled-email.ts';

/** A test key can reach nobody: it can neither change nor send an email that was scheduled with a live one. */
export function requireSameMode(ctx: Pick<Ctx, 'actor'>, { isTest }: Pick<ScheduledSummary, 'isTest'>): void {
  if (ctx.actor.mode === 'test' && !isTest) {
    throw forbidden('A test key cannot change an email that was scheduled with a live key.');
  }
}
