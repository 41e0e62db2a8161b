import type { Db } from '#platform/db/database.ts';
import { bulkSendFailed } from '../../announcements.ts';
import { takeOutOfQueue } from '../../pause/pause-send.ts';
import type { SendKey } from '../bulk-send.ts';
import { markCancelling } from '../cancel/cancel-queries.ts';
import { markWithdrawn } from './release-queries.ts';

interface Fault {
  code: string;
  message: string;
}

/** Why a bulk send fails. */
export const FAULTS = {
  workspaceBlocked: { code: 'workspace_blocked', message: 'The workspace was blocked.' },
  contentMissing: { code: 'content_missing', message: 'The content of this send is gone.' },
  domainDeleted: (domain: string): Fault => ({
    code: 'domain_deleted',
    message: `The domain ${domain} was deleted. Add and verify it again, then send to those who are left.`,
  }),
  domainUnverified: (domain: string, hours: number): Fault => ({
    code: 'domain_unverified',
    message: `The domain ${domain} was not verified again within ${hours} hours.`,
  }),
};

/**
 * Ends a send with an error. From the commit on nothing of it is handed over; what waits, in the queue too, is settled
 * as cancelled, page by page.
 */
export async function failSend(tx: Db, key: SendKey, fault: Fault): Promise<true> {
  await markCancelling(tx, key);
  await markWithdrawn(tx, key);
  await takeOutOfQueue(tx, key.workspaceId, key.sendId, true);
  await bulkSendFailed.announce(tx, { ...key, ...fault });
  return true;
}
