import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { findSendOfIssue, findSendOfMailing } from './count-unsubscribe-queries.ts';
import type { Subscriber } from '../subscriber.ts';

/** Counts who left by the link of an issue or a broadcast, or came back, in the statistics of that mailing. */
export async function countUnsubscribe(
  tx: Db,
  { workspaceId, newsletterId, id: subscriberId }: Pick<Subscriber, 'workspaceId' | 'newsletterId' | 'id'>,
  mailingId: string,
  counted: { change: 1 | -1; at: Date },
): Promise<void> {
  const sendId =
    (await findSendOfIssue(tx, workspaceId, newsletterId, mailingId)) ??
    (await findSendOfMailing(tx, workspaceId, { newsletterId, mailingId, subscriberId }));
  if (sendId !== undefined) await bulkSends.countUnsubscribed(tx, { workspaceId, sendId, subscriberId }, counted);
}
