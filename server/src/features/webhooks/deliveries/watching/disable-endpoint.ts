import { mailOwners, type OwnersMailPorts, recordSecurityEvent } from '#features/workspaces';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import { withoutQuery } from '../../webhook.ts';
import { disabledMail, type EndpointMail } from './owners-mail.ts';
import { disableEndpointRow, type FailingEndpoint } from '../queries/endpoint-health.ts';

export interface DisablePorts extends OwnersMailPorts {
  db: Db;
}

/**
 * Disables an endpoint on our own account, with an entry in the security log and a mail to each owner, together. When
 * the mails cannot be queued it is disabled without them. False: it was disabled already, or works again.
 */
export async function disableEndpoint(
  ports: DisablePorts,
  endpoint: FailingEndpoint,
  change: { reason: string; stillFailing: boolean },
): Promise<boolean> {
  return withMails(ports, endpoint, disabledMail(change.reason), async (tx) => {
    if (!(await disableEndpointRow(tx, endpoint, change))) return false;
    const source = { actor: systemActor, ip: null, clock: ports.clock, workspaceId: endpoint.workspaceId };
    await recordSecurityEvent(tx, source, {
      action: 'webhook.disabled',
      targetType: 'webhook',
      targetId: endpoint.id,
      details: { url: withoutQuery(endpoint.url), reason: change.reason },
    });
    return true;
  });
}

/** Commits a change and the mails that tell the owners of it; the change alone when the mails fail. */
export async function withMails(
  ports: DisablePorts,
  endpoint: FailingEndpoint,
  mail: EndpointMail,
  change: (tx: Db) => Promise<boolean>,
): Promise<boolean> {
  const { db, log } = ports;
  try {
    return await inTransaction(db, async (tx) => {
      if (!(await change(tx))) return false;
      await mailOwners(ports, tx, endpoint.workspaceId, (workspaceName) => mail(endpoint, workspaceName));
      return true;
    });
  } catch (error) {
    log.error({ err: error, webhook: endpoint.id }, 'the owners of a webhook could not be told');
    return inTransaction(db, change);
  }
}
