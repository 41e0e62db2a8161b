import { countAccepted } from './accepted-queries.ts';
import { EMAIL_COUNTS, findCountingSince, isCounted, sumEmailCounts } from './email-counts-queries.ts';

/** Counts of emails over time, and the emails behind each. */
export const emailCounts = {
  names: EMAIL_COUNTS,
  sum: sumEmailCounts,
  since: findCountingSince,
  isCounted,
  accepted: countAccepted,
};
