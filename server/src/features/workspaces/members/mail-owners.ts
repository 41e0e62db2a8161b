import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { type Ctx, systemActor } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import { mailParagraph } from '#platform/pages/card-mail.ts';
import { postMail } from '../accounts/post-mail.ts';
import type { SendSystemMail } from '../wiring.ts';
import { selectOwners } from './queries.ts';

export interface OwnersMailPorts {
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  sendSystemMail: SendSystemMail;
}

/** Plain text, whoever wrote parts of it: it is made safe for a header and for html here. */
export interface OwnersMail {
  subject: string;
  paragraphs: readonly string[];
}

/**
 * Queues a mail on our own account to every owner of a workspace, in the caller's transaction. The owner who joined
 * first comes first.
 */
export async function mailOwners(
  ports: OwnersMailPorts,
  tx: Db,
  workspaceId: string,
  mail: (workspaceName: string) => OwnersMail,
): Promise<void> {
  const { clock, log, settings, secrets, sendSystemMail } = ports;
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
  };
  for (const { email, workspaceName } of await selectOwners(tx, workspaceId)) {
    const { subject, paragraphs } = mail(workspaceName);
    const content = paragraphs.map((paragraph) => mailParagraph(paragraph));
    await sendSystemMail(ctx, postMail(email, { subject, text: paragraphs, content }));
  }
}
