import { countAccepted, countAcceptedAbout } from './accepted-queries.ts';
import {
  COUNTS_DIMENSIONS,
  EMAIL_COUNTS,
  findCountingSince,
  isCounted,
  sumEmailCounts,
} from './email-counts-queries.ts';

import { medianOfClasses, DELAY_CLASSES } from './delay-classes.ts';
import { MAILBOX_PROVIDERS } from './mailbox-providers.ts';

/** Counts of emails over time, and the emails behind each. */
export const emailCounts = {
  names: EMAIL_COUNTS,
  dimensions: COUNTS_DIMENSIONS,
  mailboxProviders: MAILBOX_PROVIDERS,
  delayClasses: DELAY_CLASSES,
  medianOfClasses,
  sum: sumEmailCounts,
  since: findCountingSince,
  isCounted,
  accepted: countAccepted,
  acceptedAbout: countAcceptedAbout,
};
