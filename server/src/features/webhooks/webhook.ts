import { domainsOfKey, newslettersOfKey } from '#features/workspaces';
import type { Actor } from '#platform/http/context.ts';
import { maskedSecret, type SealedSecrets } from './endpoint-secret.ts';

/** How many a workspace may have: every event is held against each of them in the statement that writes it. */
export const WEBHOOKS_MAX = 1_000;

/** An endpoint as it is stored. */
export interface Webhook extends SealedSecrets {
  workspaceId: string;
  id: string;
  url: string;
  events: string[];
  /** Empty: every newsletter (domain). */
  newsletterIds: string[];
  domainIds: string[];
  description: string | null;
  enabled: boolean;
  disabledReason: string | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** For logs and mails: what a receiver puts behind the question mark may be a credential. */
export const withoutQuery = (url: string): string => url.split('?', 1)[0] ?? '';

/** A user with read access in the dashboard sees that there is a secret, and how it ends. */
export const maySeeSecret = (actor: Actor): boolean => actor.type !== 'user' || actor.may('webhooks:write');

export const webhookView = (webhook: Webhook, secret: string, actor: Actor) => ({
  id: webhook.id,
  url: webhook.url,
  secret: maySeeSecret(actor) ? secret : maskedSecret(secret),
  events: webhook.events,
  enabled: webhook.enabled,
  description: webhook.description,
  newsletter_ids: webhook.newsletterIds,
  domain_ids: webhook.domainIds,
  disabled_reason: webhook.disabledReason,
  last_success_at: webhook.lastSuccessAt?.toISOString() ?? null,
  last_failure_at: webhook.lastFailureAt?.toISOString() ?? null,
  previous_secret_expires_at: webhook.previousSecretUntil?.toISOString() ?? null,
  created_at: webhook.createdAt.toISOString(),
  updated_at: webhook.updatedAt.toISOString(),
});

/** A key that is limited to some domains or newsletters knows only endpoints that are told of nothing else. */
export const isWithinKey = (actor: Actor, webhook: Pick<Webhook, 'domainIds' | 'newsletterIds'>): boolean =>
  isWithin(domainsOfKey(actor), webhook.domainIds) && isWithin(newslettersOfKey(actor), webhook.newsletterIds);

const isWithin = (own: readonly string[], wanted: readonly string[]): boolean =>
  own.length === 0 || (wanted.length > 0 && wanted.every((id) => own.includes(id)));
