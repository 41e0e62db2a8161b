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

/** The verbs of a send to many, each in its own file: open, freeze, release by the worker, cancel. */
export const bulkSends = {
  open: openBulkSend,
  /** The sends that are being frozen, of every workspace. */
  freezing: selectFreezing,
  /** The work of the freezing service, for callers that do not run the service. */
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
