import { mailOwners, type OwnersMail, type OwnersMailPorts } from '#features/workspaces';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { claimTelling, type Refusals } from './policy-refusals-queries.ts';

/**
 * Tells the owners of a workspace that a receiving domain refuses their mail, once a day. A mail that fails is logged,
 * and the next refusal tries again.
 */
export const createRefusedMail =
  (ports: OwnersMailPorts & { db: Db }) =>
  async (alarms: readonly Refusals[]): Promise<void> => {
    for (const one of alarms) {
      try {
        await inTransaction(ports.db, async (tx) => {
          if (!(await claimTelling(tx, one))) return;
          await mailOwners(ports, tx, one.workspaceId, (workspaceName) => refusedMail(one, workspaceName));
        });
      } catch (error) {
        const { workspaceId, senderDomain, recipientDomain } = one;
        const pair = { workspace: workspaceId, senderDomain, recipientDomain };
        ports.log.error({ err: error, ...pair }, 'the owners of refused mail could not be told');
      }
    }
  };

function refusedMail({ senderDomain, recipientDomain, refused, words }: Refusals, workspaceName: string): OwnersMail {
  return {
    subject: `${recipientDomain} refuses mail from ${senderDomain}`,
    paragraphs: [
      `Today ${recipientDomain} refused ${refused} emails from ${senderDomain} (${workspaceName}). The reason is the sender or the message, not the addresses, so nobody was suppressed.`,
      words === '' ? 'The server gave no reason.' : `An answer of the server: “${words}”`,
      `Check that the SPF, DKIM and DMARC records of ${senderDomain} are complete. If you run the server yourself, use: npm start -- doctor`,
      'If the answer names a block list, look up the address of the sending server there, and follow the instructions of the list.',
      'Send more slowly, and only to people who asked for your mail, until the refusals stop. Each further refusal harms your reputation.',
      'You get this mail at most once a day for this sender domain and receiving domain.',
    ],
  };
}
