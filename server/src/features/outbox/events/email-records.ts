import type { EmailEvents } from '#features/webhooks';
import { countLinkClicks } from '../counting/count-link-clicks.ts';
import { emailCounts } from '../counting/email-counts.ts';
import { eraseEmails } from '../erasing/erase-emails.ts';
import { listAddresses, listEmailsToErase } from '../erasing/queries.ts';
import { findMentionedEmails } from './queries/find-mentioned-emails.ts';
import { insertToldEvents } from './queries/insert-told-events.ts';
import { originsOf } from '../queries/origins-of-emails.ts';
import { outcomesOfSends } from '../queries/outcomes-of-sends.ts';
import { newestDeliveries } from './queries/newest-deliveries.ts';
import { eventIds, eventSubjects, loadEvents } from './queries/read-events.ts';
import { settleByEvents } from './queries/settle-by-events.ts';
import { sendUnconfirmedAgain, treatUnconfirmedAsSent } from '../worker/settle-unconfirmed.ts';

/** The data of emails and their events that webhooks read. */
const forWebhooks: EmailEvents = { load: loadEvents, ids: eventIds, subjects: eventSubjects };

/** The verbs of others on emails that were handed over, and on their events, each in its own file. */
export const emailRecords = {
  ...forWebhooks,
  counts: emailCounts,
  findMentioned: findMentionedEmails,
  insertTold: insertToldEvents,
  countLinkClicks,
  settle: settleByEvents,
  newestDeliveries,
  outcomesOfSends,
  originsOf,
  sendUnconfirmedAgain,
  treatUnconfirmedAsSent,
  listToErase: listEmailsToErase,
  addressesOf: listAddresses,
  erase: eraseEmails,
};
