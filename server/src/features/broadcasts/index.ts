export { contactLeavingUrl } from './content/contact-link.ts';
export { createBroadcastsFeature } from './feature.ts';
/** The broadcasts of each day of a span, for the calendar. */
export { listPlannedBroadcasts } from './reading/planned-queries.ts';
