import { mailOwners, type OwnersMail, type OwnersMailPorts } from '#features/workspaces';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { isDatabaseUnavailable, isTransientConflict } from '#platform/db/database-errors.ts';
import { claimTelling, forgetAlarm, listAlarms, type Refusals } from './policy-refusals-queries.ts';

type Ports = OwnersMailPorts & { db: Db };

/** In one look: mostly one. A mail that fails does not keep the others of the look from theirs. */
const TOLD_AT_ONCE = 100;

/**
 * Tells the owners of a workspace that a receiving domain refuses their mail, once a day. The note of a round stays
 * until the mails are committed, so that another process tells for a dead one. A mail that cannot be written for good
 * is logged, and the next refusal of the day tries again.
 */
export const createRefusedMail = (ports: Ports) => async (): Promise<void> => {
  const failed: unknown[] = [];
  for (const alarm of await listAlarms(ports.db, TOLD_AT_ONCE)) {
    try {
      await tell(ports, alarm);
    } catch (error) {
      failed.push(error);
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, 'the owners of refused mail could not be told yet');
};

async function tell(ports: Ports, alarm: Refusals): Promise<void> {
  const { workspaceId, senderDomain, recipientDomain } = alarm;
  try {
    await inTransaction(ports.db, async (tx) => {
      if (!(await claimTelling(tx, alarm))) return;
      await mailOwners(ports, tx, workspaceId, (workspaceName) => refusedMail(alarm, workspaceName));
    });
  } catch (error) {
    if (isDatabaseUnavailable(error) || isTransientConflict(error)) throw error;
    await forgetAlarm(ports.db, alarm);
    const pair = { workspace: workspaceId, senderDomain, recipientDomain };
    ports.log.error({ err: error, ...pair }, 'the owners of refused mail could not be told');
  }
}

function refusedMail(alarm: Refusals, workspaceName: string): OwnersMail {
  const { senderDomain, recipientDomain, day, refused, words } = alarm;
  return {
    subject: `${recipientDomain} refuses mail from ${senderDomain}`,
    paragraphs: [
      `On ${day} (UTC) ${recipientDomain} refused ${refused} emails from ${senderDomain} (${workspaceName}). The reason is the sender or the message, not the addresses, so nobody was suppressed.`,
      words === '' ? 'The server gave no reason.' : `An answer of the server: “${words}”`,
      `Check that the SPF, DKIM and DMARC records of ${senderDomain} are complete. If you run the server yourself, use: npm start -- doctor`,
      'If the answer names a block list, look up the address of the sending server there, and follow the instructions of the list.',
      'Send more slowly, and only to people who asked for your mail, until the refusals stop. Each further refusal harms your reputation.',
      'You get this mail at most once a day for this sender domain and receiving domain.',
    ],
  };
}
