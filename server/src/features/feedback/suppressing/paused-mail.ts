import { mailOwners, type OwnersMail, type OwnersMailPorts } from '#features/workspaces';
import { type Db, inTransaction } from '#platform/db/database.ts';
import type { PausedBulk } from './bulk-health.ts';

/**
 * Tells the owners of a workspace that a send of theirs was paused: one mail to each, after the pause is committed.
 * Failures of this mail are logged; the pause stands.
 */
export const createPausedMail =
  (ports: OwnersMailPorts & { db: Db }) =>
  async (paused: readonly PausedBulk[]): Promise<void> => {
    for (const one of paused) {
      try {
        const mail = (workspaceName: string): OwnersMail => pausedMail(one, workspaceName);
        await inTransaction(ports.db, (tx) => mailOwners(ports, tx, one.workspaceId, mail));
      } catch (error) {
        ports.log.error({ err: error, send: one.sendId }, 'the owners of a paused send could not be told');
      }
    }
  };

const pausedMail = ({ sendId, reason }: PausedBulk, workspaceName: string): OwnersMail => ({
  subject: `A bulk send of ${workspaceName} was paused`,
  paragraphs: [
    `A bulk send of ${workspaceName} was paused, because providers refuse everything from senders whose mail does this: ${reason}`,
    'The emails that have not left are waiting. The addresses that bounced or complained are already suppressed.',
    'Check the source of the list before you resume the send. The rest of the list probably has the same problem.',
    `See it with GET /v1/send/${sendId}, go on with POST /v1/send/${sendId}/resume, or cancel the rest with DELETE /v1/send/${sendId}.`,
  ],
});
