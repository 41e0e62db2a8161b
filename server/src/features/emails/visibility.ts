import type { Actor } from '#platform/http/context.ts';

/**
 * Mail of the system itself holds links that sign people in (password reset, invitation): a key that may read email
 * must not become a way into an account. Only who may do everything anyway sees it.
 */
export const maySeeSystemMail = (actor: Actor): boolean => actor.role === 'owner' || actor.may('*');
