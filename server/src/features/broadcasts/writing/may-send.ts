import { forbidden } from '#platform/errors/app-error.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';

/** A change of what goes out by itself decides what is sent, which not everybody may who writes one. */
export function requireMaySend({ actor }: Pick<BroadcastsCtx, 'actor'>, which: string): void {
  if (actor.may('broadcasts:send')) return;
  throw forbidden(
    actor.type === 'api_key'
      ? `This key needs the scope "broadcasts:send" to change a broadcast ${which}.`
      : `Your role "${actor.role ?? 'none'}" does not allow changing a broadcast ${which}.`,
  );
}
