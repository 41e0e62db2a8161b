import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { type ChangedFields, changedFields } from '#platform/records/changed-fields.ts';
import { getLockedWebhook, getWebhook } from './get-webhook.ts';
import { type Webhook, withoutQuery } from './webhook.ts';
import { type Filters, readEvents, readFilters, requireReadable } from './webhook-input.ts';
import { clearFailures, updateWebhook } from './webhook-queries.ts';
import type { WebhookPorts } from './wiring.ts';

export interface ChangeWebhook {
  url?: string;
  events?: readonly string[];
  enabled?: boolean;
  description?: string | null;
  newsletter_ids?: readonly string[];
  domain_ids?: readonly string[];
}

/** The parts of the input that had to be judged; undefined where nothing was given. */
export interface ReadChange {
  events: string[] | undefined;
  filters: Filters;
  url: string | undefined;
}

/** Reads and judges the input. It may ask a name server, so it comes before any transaction. */
export async function readChange(ctx: Ctx, id: string, input: ChangeWebhook, ports: WebhookPorts): Promise<ReadChange> {
  const events = input.events === undefined ? undefined : readEvents(input.events);
  // A caller without permission must not learn from us what its URL resolves to, nor make us wait for that.
  requireReadableAfter(ctx, await getWebhook(ctx, id), input);
  const filters = await readFilters(ctx, input, ports);
  const url = input.url === undefined ? undefined : await ports.safeFetch.checkUrl(input.url, 'url');
  return { events, filters, url };
}

/** A change of the URL, or of the events that it receives. The name and the switch tell nobody anything new. */
function requireReadableAfter(ctx: Ctx, current: Pick<Webhook, 'events'>, input: ChangeWebhook): void {
  const { url, events, domain_ids: domains, newsletter_ids: newsletters } = input;
  if ([url, events, domains, newsletters].some((given) => given !== undefined)) {
    requireReadable(ctx.actor, events ?? current.events);
  }
}

const FIELDS = ['url', 'events', 'enabled', 'description', 'newsletterIds', 'domainIds', 'disabledReason'] as const;

/** A query may hold a secret of the receiver. A log that shows one URL twice says that its query changed. */
const withoutQueries = ({ url, ...rest }: ChangedFields): ChangedFields =>
  url === undefined
    ? rest
    : { ...rest, url: { before: withoutQuery(String(url.before)), after: withoutQuery(String(url.after)) } };

/** Changes what is given. Deliveries that wait go to the new URL too. Enabling forgives what failed before. */
export async function changeWebhook(ctx: Ctx, id: string, input: ChangeWebhook, read: ReadChange): Promise<Webhook> {
  const { events, filters, url } = read;
  return inTransaction(ctx.db, async (tx) => {
    const current = await getLockedWebhook(ctx, tx, id);
    requireReadableAfter(ctx, current, input); // somebody may have subscribed it to more meanwhile
    const wanted: Webhook = {
      ...current,
      ...(input.domain_ids === undefined ? {} : { domainIds: filters.domainIds }),
      ...(input.newsletter_ids === undefined ? {} : { newsletterIds: filters.newsletterIds }),
      url: url ?? current.url,
      events: events ?? current.events,
      description: input.description === undefined ? current.description : input.description,
      enabled: input.enabled ?? current.enabled,
      disabledReason: input.enabled === true ? null : current.disabledReason,
      updatedAt: ctx.clock.now(),
    };
    // Enabling one that is enabled changes no field, and still forgives.
    if (input.enabled === true) await clearFailures(tx, ctx.workspaceId, current.id);
    const changes = changedFields(current, wanted, FIELDS);
    if (changes === null) return current;
    await updateWebhook(tx, wanted);
    await recordSecurityEvent(tx, ctx, {
      action: 'webhook.updated',
      targetType: 'webhook',
      targetId: current.id,
      details: { changes: withoutQueries(changes) },
    });
    return wanted;
  });
}
