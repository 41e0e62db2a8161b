import { listOwners, type SendSystemMail, type SystemMail } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { escapeHtml } from '#platform/html/html.ts';
import { type Ctx, systemActor } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import type { PausedBulk } from './bulk-health.ts';

interface Ports {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  sendSystemMail: SendSystemMail;
}

/**
 * Tells the owners of a workspace that a send of theirs was paused: one mail to each, after the pause is committed.
 * What goes wrong with the mail is logged; the pause stands.
 */
export const createPausedMail =
  (ports: Ports) =>
  async (paused: readonly PausedBulk[]): Promise<void> => {
    for (const one of paused) {
      try {
        await tellOwners(ports, one);
      } catch (error) {
        ports.log.error({ err: error, send: one.sendId }, 'the owners of a paused send could not be told');
      }
    }
  };

async function tellOwners(ports: Ports, paused: PausedBulk): Promise<void> {
  const { db, sendSystemMail, ...rest } = ports;
  let effects: (() => void)[] = [];
  await inTransaction(db, async (tx) => {
    effects = []; // of an earlier try that lost
    const ctx: Ctx = {
      ...rest,
      workspaceId: paused.workspaceId,
      actor: systemActor,
      db: tx,
      requestId: newId(),
      ip: '',
      afterCommit: (effect) => effects.push(effect),
    };
    for (const { email, workspaceName } of await listOwners(tx, paused.workspaceId)) {
      await sendSystemMail(ctx, pausedMail(paused, workspaceName, email));
    }
  });
  for (const effect of effects) effect();
}

function pausedMail({ sendId, reason }: PausedBulk, workspaceName: string, to: string): SystemMail {
  const lines = [
    `A bulk send of ${workspaceName} was paused, because providers refuse everything from senders whose mail does this: ${reason}`,
    'What has not left waits. The addresses that bounced or complained are suppressed already.',
    'Look at where the list came from before you let it go on: the rest of it will not be better.',
    `See it with GET /v1/send/${sendId}, go on with POST /v1/send/${sendId}/resume, or cancel the rest with DELETE /v1/send/${sendId}.`,
  ];
  return {
    to,
    subject: `A bulk send of ${workspaceName} was paused`.replace(/[\p{Cc}\s]+/gu, ' '),
    text: lines.join('\n\n'),
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n'),
  };
}
