import { findAddressOfRecipient } from './reading/address-queries.ts';
import { cancelMailOfNewsletter, untilWithdrawn, withdrawSendsOfIssues } from '../pause/withdraw-sends.ts';
import { bulkPageFrozen, bulkSendCancelled, bulkSendReopened } from '../announcements.ts';
import { changeContent, holdPaused } from './release/change-content.ts';
import { findContentVersion, findReplaced } from './release/change-content-queries.ts';
import { pauseBulkSend } from './release/pause-bulk-send.ts';
import { cancelBulkSend } from './cancel/cancel-bulk-send.ts';
import { linksOfSend } from '../counting/count-link-clicks.ts';
import { createLinkRedirects } from '../counting/link-redirects.ts';
import { redirectLink } from '../counting/redirect-link.ts';
import { addUnsubscribed } from './counts-queries.ts';
import { FREEZE_PAGE, freezeSends } from './freeze/freeze-sends.ts';
import { loadRecipientsOf } from '../compose/recipient-store.ts';
import { selectFreezing } from './freeze/freeze-queries.ts';
import { openBulkSend } from './freeze/open-bulk-send.ts';
import { courseFields, CourseQuery, readCourse } from './reading/course-of-send.ts';
import { finishSends, finishService } from './reading/finish-sends.ts';
import { originOfSend } from './reading/origin-queries.ts';
import { listPausedSends } from './reading/paused-sends-queries.ts';
import { progressOfSend } from './reading/progress-of-send.ts';
import { findParts } from './reading/progress-queries.ts';
import { recipientFields } from './reading/recipient-fields.ts';
import { RECIPIENT_COUNTS } from './reading/recipients-queries.ts';
import { pageOfReleased } from './reading/released-queries.ts';
import { pageOfRecipients } from './reading/recipients.ts';
import { countRecipients } from './reading/recipients-queries.ts';
import { requireSent } from './reading/require-sent.ts';
import { selectSent } from './reading/sent-queries.ts';
import { retryable, retryRefused } from './release/retry-refused.ts';
import { countsOfSends } from './send-counts.ts';
import { statsFields, statsOfOwners, statsView } from './reading/stats-of-sends.ts';
import { wasMailed } from './was-mailed-queries.ts';
import { stopUnsubscribed } from './stops/stop-unsubscribed.ts';

/** The verbs of a send to many, each in its own file: open, freeze, release by the worker, cancel. */
export const bulkSends = {
  open: openBulkSend,
  /** The sends that are being frozen, of every workspace. */
  freezing: selectFreezing,
  /** The work of the freezing service, for callers that do not run the service. */
  freeze: freezeSends,
  recipientsPerPage: FREEZE_PAGE,
  loaderOf: loadRecipientsOf,
  cancel: cancelBulkSend,
  pause: pauseBulkSend,
  /** For a change of the content, which only a paused send allows. */
  holdPaused,
  changeContent,
  contentVersion: findContentVersion,
  replacedContent: findReplaced,
  countsOf: countsOfSends,
  /** The statistics of issues or broadcasts, by their id. */
  statsOf: statsOfOwners,
  statsFields,
  recipientFields,
  noStats: statsView(),
  linksOf: linksOfSend,
  /** When an issue or a broadcast was opened and clicked. */
  readCourse,
  courseFields,
  CourseQuery,
  redirectLink,
  createLinkRedirects,
  finish: finishSends,
  finishService,
  progressOf: progressOfSend,
  partsOf: findParts,
  originOf: originOfSend,
  addressOf: findAddressOfRecipient,
  wasMailed,
  /** The counts whose recipients can be listed. */
  recipientCounts: RECIPIENT_COUNTS,
  pageOfRecipients,
  pageOfReleased,
  listPaused: listPausedSends,
  countRecipients,
  /** The recipients who were sent a version of the content, for a correction. */
  requireSent,
  selectSent,
  retryRefused,
  retryable,
  pageFrozen: bulkPageFrozen,
  cancelled: bulkSendCancelled,
  reopened: bulkSendReopened,
  stopUnsubscribed,
  countUnsubscribed: addUnsubscribed,
  withdrawSendsOfIssues,
  untilWithdrawn,
  cancelMailOfNewsletter,
};
