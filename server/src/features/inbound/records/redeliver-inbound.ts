import { findDomainName } from '#features/domains';
import { eventName, redeliverForward } from '#features/webhooks';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { forwardBody } from './forward-body.ts';
import { getInbound } from './get-inbound.ts';
import { holdEvent } from './queries.ts';

/**
 * Forwards a message once more with a full round of attempts: the same event with the same bytes, as long as these are
 * kept (30 days). A message that was never forwarded gets its event now. Returns the name of the event.
 */
export async function redeliverInbound(ctx: Ctx, id: string): Promise<string> {
  const mail = await getInbound(ctx, id);
  if (mail.readAt === null) throw conflict('This message is not read yet. It is forwarded within seconds.');
  const { workspaceId, domainId } = mail;
  return inTransaction(ctx.db, async (tx) => {
    // Of two calls at once the second finds what the first has queued.
    const eventId = await holdEvent(tx, { workspaceId, id, eventId: newId() });
    if (eventId === undefined) throw notFound('received email', id);
    const domain = await findDomainName(tx, workspaceId, domainId);
    const render = async (): Promise<string> => forwardBody(mail, { eventId, domain: domain ?? '', linking: ctx });
    if (!(await redeliverForward(tx, { workspaceId, domainId, eventId }, render))) {
      throw conflict('The domain of this message has no webhook. Set one with PATCH /v1/domains/:id/webhook.');
    }
    return eventName(eventId);
  });
}
