import { cancelMailOfNewsletter, untilWithdrawn, withdrawSendsOfIssues } from '../pause/withdraw-sends.ts';
import { cancelBulkSend } from './cancel-bulk-send.ts';
import { addUnsubscribed } from './counts-queries.ts';
import { freezeSends } from './freeze-sends.ts';
import { loadRecipientsOf } from '../compose/recipient-store.ts';
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
  /** The work of the service that freezes, for those who do it by hand. */
  freeze: freezeSends,
  loaderOf: loadRecipientsOf,
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
