import { scopeOfFiles } from '#features/transfers';
import { isEventType, isWithinKey, scopeOfEvents, SCOPES_OF_EVENTS } from '#features/webhooks';
import { domainsOfKey, maySeeMail, mayUseNewsletter } from '#features/workspaces';
import { type Actor, actorShownTo } from '#platform/http/context.ts';
import { type Facts, type Kind, KINDS, type RecordRow } from './queries.ts';

interface Rule {
  /** One of them is enough to ask for this kind. */
  scopes: readonly string[];
  /** Whether a caller with the scope may know of this one. Left out: of all. */
  shown?: (actor: Actor, facts: Facts) => boolean;
}

const mail = (actor: Actor, { source = null, newsletterId = null }: Facts): boolean =>
  maySeeMail(actor, { source, newsletterId });
const ofNewsletter = (actor: Actor, { newsletterId = null }: Facts): boolean =>
  newsletterId === null || mayUseNewsletter(actor, newsletterId);
/** Of a run: that of its automation and its own. */
const ofNewsletters = (actor: Actor, { newsletterIds = [] }: Facts): boolean =>
  newsletterIds.every((id) => mayUseNewsletter(actor, id));
const ofDomain = (actor: Actor, { domainId }: Facts): boolean => {
  const own = domainsOfKey(actor);
  return own.length === 0 || (domainId !== undefined && own.includes(domainId));
};
const ofEndpoint = (actor: Actor, { newsletterIds = [], domainIds = [] }: Facts): boolean =>
  isWithinKey(actor, { newsletterIds, domainIds });
const ofFile = (actor: Actor, { targetType, newsletterId = null }: Facts): boolean =>
  targetType !== undefined &&
  actor.may(scopeOfFiles(targetType, 'read')) &&
  (targetType !== 'newsletter' || (newsletterId !== null && mayUseNewsletter(actor, newsletterId)));
/** A key that is limited to some domains or newsletters knows only what it made itself. */
const ownOfLimited = (actor: Actor, { madeBy }: Facts): boolean => {
  const only = actorShownTo(actor);
  return only === null || madeBy === only;
};
const ofEvent = (actor: Actor, facts: Facts): boolean =>
  facts.eventType === undefined
    ? actor.may('emails:read') && mail(actor, facts)
    : isEventType(facts.eventType) && actor.may(scopeOfEvents(facts.eventType)) && ofNewsletter(actor, facts);

/** By the same rules as the routes that read one. */
const RULES: Readonly<Record<Kind, Rule>> = {
  email: { scopes: ['emails:read'], shown: mail },
  scheduled_email: { scopes: ['scheduled:read'], shown: mail },
  send: { scopes: ['emails:read'], shown: mail },
  batch: { scopes: ['emails:read'] },
  captured_email: { scopes: ['emails:read'], shown: mail },
  inbound_email: { scopes: ['inbound:read'], shown: ofDomain },
  broadcast: { scopes: ['broadcasts:read'], shown: ofNewsletter },
  template: { scopes: ['templates:read'] },
  contact: { scopes: ['contacts:read'] },
  list: { scopes: ['contacts:read'] },
  segment: { scopes: ['contacts:read'] },
  bulk_job: { scopes: ['contacts:read'] },
  newsletter: { scopes: ['newsletters:read'], shown: ofNewsletter },
  issue: { scopes: ['issues:read'], shown: ofNewsletter },
  subscriber: { scopes: ['subscribers:read'], shown: ofNewsletter },
  automation: { scopes: ['automations:read'], shown: ofNewsletter },
  automation_run: { scopes: ['automations:read'], shown: ofNewsletters },
  webhook: { scopes: ['webhooks:read'], shown: ofEndpoint },
  webhook_delivery: { scopes: ['webhooks:read'], shown: ofEndpoint },
  event: { scopes: SCOPES_OF_EVENTS, shown: ofEvent },
  domain: { scopes: ['domains:read'], shown: ofDomain },
  api_key: { scopes: ['api_keys:read'] },
  suppression: { scopes: ['suppressions:read'] },
  import: { scopes: ['subscribers:read', 'contacts:read', 'suppressions:read'], shown: ofFile },
  export: { scopes: ['subscribers:read', 'contacts:read'], shown: ofFile },
  image: { scopes: ['issues:read'], shown: ownOfLimited },
  request: { scopes: ['logs:read'], shown: ownOfLimited },
};

export const SCOPES_OF_KINDS = [...new Set(KINDS.flatMap((kind) => RULES[kind].scopes))];

/** The kinds whose records a caller has the scope for. */
export const readableKinds = (actor: Actor): Kind[] =>
  KINDS.filter((kind) => RULES[kind].scopes.some((scope) => actor.may(scope)));

export const isShownTo = (actor: Actor, { kind, facts }: RecordRow): boolean =>
  RULES[kind].shown?.(actor, facts ?? {}) ?? true;

const ofTarget = (facts: Facts | null): Kind | undefined =>
  facts?.targetType === 'newsletter' ? 'newsletter' : undefined;

/** The kind of the record whose page leads to one of this kind. */
export const PARENT_OF: Readonly<Partial<Record<Kind, (facts: Facts | null) => Kind | undefined>>> = {
  captured_email: () => 'email',
  issue: () => 'newsletter',
  subscriber: () => 'newsletter',
  automation_run: () => 'automation',
  webhook_delivery: () => 'webhook',
  event: () => 'email',
  import: ofTarget,
  export: ofTarget,
};
