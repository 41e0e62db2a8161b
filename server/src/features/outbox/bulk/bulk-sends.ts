import { bulkWork } from './bulk-signal.ts';
import { cancelMailOfNewsletter, untilWithdrawn, withdrawSendsOfIssues } from '../pause/withdraw-sends.ts';
import { cancelBulkSend } from './cancel-bulk-send.ts';
import { addUnsubscribed } from './counts-queries.ts';
import { freezeRecipients } from './freeze-recipients.ts';
import { selectFreezing } from './freeze-queries.ts';
import { openBulkSend } from './open-bulk-send.ts';
import { progressOfSend } from './progress-of-send.ts';
import { pageOfRecipients } from './recipients.ts';
import { retryRefused } from './retry-refused.ts';
import { countsOfSends } from './send-counts.ts';
import { stopUnsubscribed } from './stop-unsubscribed.ts';

/** What may be done with a send to many, each verb in its own file: opened, frozen, released by the worker, cancelled. */
export const bulkSends = {
  open: openBulkSend,
  /** Those that are being frozen, of every workspace. */
  freezing: selectFreezing,
  /** Calls back when this process has made work for whoever freezes; returns how to stop that. */
  work: bulkWork,
  freeze: freezeRecipients,
  cancel: cancelBulkSend,
  countsOf: countsOfSends,
  progressOf: progressOfSend,
  pageOfRecipients,
  retryRefused,
  stopUnsubscribed,
  countUnsubscribed: addUnsubscribed,
  withdrawSendsOfIssues,
  untilWithdrawn,
  cancelMailOfNewsletter,
};
