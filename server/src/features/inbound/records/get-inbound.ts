import { findDomainName } from '#features/domains';
import { eventName, findForwardState, type ForwardState } from '#features/webhooks';
import { domainsOfKey } from '#features/workspaces';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { type InboundEmail, inboundView } from './inbound-email.ts';
import { findInbound, listReplyIds } from './queries.ts';

/** A message is answered once or twice. A program that answers more often is not shown in full. */
const REPLIES_MAX = 20;

/** The message of the workspace with this id; 404 also when the key is limited to other domains. */
export async function getInbound(ctx: Ctx, id: string): Promise<InboundEmail> {
  const mail = isUuid(id) ? await findInbound(ctx.db, ctx.workspaceId, id) : undefined;
  const own = domainsOfKey(ctx.actor);
  if (mail === undefined || (own.length > 0 && !own.includes(mail.domainId))) throw notFound('received email', id);
  return mail;
}

/** Everything about a message, with the state of its forwarding. */
export async function showInbound(ctx: Ctx, id: string) {
  const mail = await getInbound(ctx, id);
  const { workspaceId, domainId, eventId } = mail;
  const name = await findDomainName(ctx.db, workspaceId, domainId);
  const state = eventId === null ? undefined : await findForwardState(ctx.db, { workspaceId, domainId, eventId });
  return {
    ...inboundView(mail, ctx),
    domain: name === undefined ? null : { id: domainId, domain: name },
    reply_email_ids: await listReplyIds(ctx.db, { workspaceId, id: mail.id, max: REPLIES_MAX }),
    status: mail.readAt === null ? 'waiting' : 'read',
    forward: eventId === null || state === undefined ? null : { event_id: eventName(eventId), ...forwardView(state) },
  };
}

const forwardView = (state: ForwardState) => ({
  status: state.status,
  attempts: state.attempts,
  response_status: state.responseStatus,
  error: state.error,
  next_attempt_at: state.nextAttemptAt?.toISOString() ?? null,
  delivered_at: state.deliveredAt?.toISOString() ?? null,
});
