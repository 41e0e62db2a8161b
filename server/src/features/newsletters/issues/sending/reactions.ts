import { bulkSendFailed, bulkSendReleased, bulkSends, sendPaused, sendResumed } from '#features/outbox';
import { type Reaction, reactionTo } from '#platform/announcements.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { reopenIssueOfSend } from './finish-queries.ts';
import { failIssueOfSend, finishIssue, notePause, noteResume } from './finish-issue.ts';

/** Changes an issue when its send changes, in the same transaction. */
export const reactionsToSends = (wiring: Pick<NewslettersWiring, 'audit'>): Reaction[] => [
  reactionTo(bulkSendReleased, (tx, news) => finishIssue(tx, wiring, news)),
  reactionTo(bulkSends.reopened, (tx, { workspaceId, sendId }) => reopenIssueOfSend(tx, workspaceId, sendId)),
  reactionTo(bulkSendFailed, (tx, news) => failIssueOfSend(tx, wiring, news)),
  reactionTo(sendPaused, (tx, news) => notePause(tx, wiring, news)),
  reactionTo(sendResumed, (tx, news) => noteResume(tx, wiring, news)),
];
