import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import type { OutgoingMessage } from '../email-provider.ts';
import { keepToQuota } from './captured-retention.ts';

/** The sum is looked at again after this part of the quota, or this many bytes. */
const LOOKS = 32;
const LOOK_BYTES = 64 * 1024 * 1024;

/** Counts what this process stores for each workspace, and removes the oldest before it can be much too much. */
export function createQuotaGuard({ db, log, quotaBytes }: { db: Db; log: Log; quotaBytes: number }) {
  const lookAfter = Math.min(quotaBytes / LOOKS, LOOK_BYTES);
  const since = new Map<string, number>();
  let looking = Promise.resolve();

  async function look(workspaceId: string): Promise<void> {
    await keepToQuota(db, workspaceId, quotaBytes).catch((error: unknown) => {
      log.warn({ err: error, workspaceId }, 'captured mail could not be kept to its quota; trying again later');
    });
  }

  return {
    /** Does not fail: the messages are stored. */
    async stored(messages: readonly Pick<OutgoingMessage, 'workspaceId' | 'mime'>[]): Promise<void> {
      if (quotaBytes === 0) return;
      const due = new Set<string>();
      for (const { workspaceId, mime } of messages) {
        const sum = (since.get(workspaceId) ?? 0) + mime.length;
        since.set(workspaceId, sum);
        if (sum >= lookAfter) due.add(workspaceId);
      }
      for (const workspaceId of due) {
        since.delete(workspaceId);
        // One after another: two that look at once would both remove the same excess.
        looking = looking.then(() => look(workspaceId));
      }
      await looking;
    },
  };
}
