import { bulkSendFailed, bulkSendReleased, sendPaused, sendResumed } from '#features/outbox';
import type { NewslettersWiring } from '../wiring.ts';
import { failIssueOfSend, finishIssue, notePause, noteResume } from './finish-issue.ts';

/** What happens to an issue because of its send, in the transaction in which it happens to that. */
export function reactToSends(wiring: Pick<NewslettersWiring, 'audit'>): void {
  bulkSendReleased.react((tx, news) => finishIssue(tx, wiring, news));
  bulkSendFailed.react((tx, news) => failIssueOfSend(tx, wiring, news));
  sendPaused.react((tx, news) => notePause(tx, wiring, news));
  sendResumed.react((tx, news) => noteResume(tx, wiring, news));
}
