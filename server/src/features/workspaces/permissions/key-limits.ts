import { forbidden } from '#platform/errors/app-error.ts';
import type { Actor } from '#platform/http/context.ts';

/** The limits of an API key. Empty: it is not limited, and neither are signed-in users. */
export const newslettersOfKey = (actor: Actor): readonly string[] => actor.apiKey?.newsletterIds ?? [];

export const domainsOfKey = (actor: Actor): readonly string[] => actor.apiKey?.domainIds ?? [];

/** Whether an id lies within what a key is limited to. null: something that has no id of its own, and lies outside. */
export const isWithinLimit = (limit: readonly string[], id: string | null): boolean =>
  limit.length === 0 || (id !== null && limit.includes(id));

export const mayUseNewsletter = (actor: Actor, newsletterId: string): boolean =>
  isWithinLimit(newslettersOfKey(actor), newsletterId);

/** Throws 403 for a newsletter outside of what the caller's key is limited to. */
export function requireKeyForNewsletter(actor: Actor, newsletterId: string, param?: string): void {
  if (!mayUseNewsletter(actor, newsletterId)) throw forbidden('This API key may not use this newsletter.', param);
}

/** Throws 403 for a sender domain outside of what the caller's key is limited to. */
export function requireKeyForDomain(
  actor: Actor,
  { domainId, domain }: { domainId: string | null; domain: string },
  param: string,
): void {
  if (isWithinLimit(domainsOfKey(actor), domainId)) return;
  throw forbidden(`This key may not send from ${domain}: it is restricted to other domains.`, param);
}
