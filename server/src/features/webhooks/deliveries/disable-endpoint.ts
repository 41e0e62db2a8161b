import { listOwners, recordSecurityEvent, type SendSystemMail } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { type Ctx, systemActor } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import { withoutQuery } from '../webhook.ts';
import { disabledMail, type OwnersMail } from './owners-mail.ts';
import { disableEndpointRow, type FailingEndpoint } from './queries/endpoint-health.ts';

export interface DisablePorts {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  sendSystemMail: SendSystemMail;
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
  mail: OwnersMail,
  change: (tx: Db) => Promise<boolean>,
): Promise<boolean> {
  const { db, log } = ports;
  const effects: (() => void)[] = [];
  try {
    const changed = await inTransaction(db, async (tx) => {
      effects.length = 0;
      if (!(await change(tx))) return false;
      await tellOwners(ports, tx, endpoint, mail, effects);
      return true;
    });
    for (const effect of effects) effect();
    return changed;
  } catch (error) {
    log.error({ err: error, webhook: endpoint.id }, 'the owners of a webhook could not be told');
    return inTransaction(db, change);
  }
}

async function tellOwners(
  ports: DisablePorts,
  tx: Db,
  endpoint: FailingEndpoint,
  mail: OwnersMail,
  effects: (() => void)[],
): Promise<void> {
  const { clock, log, settings, secrets, sendSystemMail } = ports;
  const { workspaceId } = endpoint;
  const ctx: Ctx = {
    workspaceId,
    actor: systemActor,
    db: tx,
    clock,
    log,
    requestId: newId(),
    ip: '',
    settings,
    secrets,
    afterCommit: (effect) => effects.push(effect),
  };
  for (const { email, workspaceName } of await listOwners(tx, workspaceId)) {
    await sendSystemMail(ctx, mail(endpoint, workspaceName, email));
  }
}
