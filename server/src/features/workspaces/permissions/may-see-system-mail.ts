import type { Actor } from '#platform/http/context.ts';

/**
 * Mail of the system itself holds links that sign people in (password reset, invitation): whoever may read email must
 * not get a way into an account by it. Of people only an owner sees it: an admin may do everything else, and would
 * become owner with the link of an owner. Of keys those with every scope do.
 */
export const maySeeSystemMail = (actor: Actor): boolean =>
  actor.role === null ? actor.may('*') : actor.role === 'owner';
