/** The operations whose answers are stale once a subscriber has changed. */
export const SUBSCRIBERS_CHANGE = [
  'listSubscribers',
  'getSubscriber',
  'getNewsletter',
  'listNewsletters',
  'listSubscriberConsents',
];
