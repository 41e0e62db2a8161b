/** The types of events, by what they are about; `event-types.test.ts` compares them with the server. */
export const EVENT_GROUPS: readonly { label: string; types: readonly { type: string; meaning: string }[] }[] = [
  {
    label: 'Emails',
    types: [
      { type: 'send', meaning: 'Accepted and queued' },
      { type: 'delivery', meaning: 'Taken by the mail server of the recipient' },
      { type: 'bounce', meaning: 'Came back' },
      { type: 'complaint', meaning: 'Marked as spam' },
      { type: 'reject', meaning: 'Refused before it left' },
      { type: 'delivery_delay', meaning: 'Delayed, and tried again' },
      { type: 'open', meaning: 'Opened' },
      { type: 'click', meaning: 'A link was followed' },
      { type: 'scheduled.failed', meaning: 'A scheduled email could not be sent' },
      { type: 'email.suppressed', meaning: 'An address was suppressed' },
      { type: 'inbound.received', meaning: 'An email arrived' },
    ],
  },
  {
    label: 'Subscribers',
    types: [
      { type: 'newsletter.subscriber.created', meaning: 'Signed up' },
      { type: 'newsletter.subscriber.confirmed', meaning: 'Confirmed' },
      { type: 'newsletter.subscriber.updated', meaning: 'Changed' },
      { type: 'newsletter.subscriber.unsubscribed', meaning: 'Left' },
    ],
  },
  {
    label: 'Issues, broadcasts and automations',
    types: [
      { type: 'newsletter.issue.sent', meaning: 'An issue was given to every recipient' },
      { type: 'newsletter.issue.finished', meaning: 'Nothing of an issue is pending' },
      { type: 'newsletter.issue.failed', meaning: 'An issue ended with an error' },
      { type: 'broadcast.sent', meaning: 'A broadcast was given to every recipient' },
      { type: 'broadcast.failed', meaning: 'A broadcast ended with an error' },
      { type: 'automation.failed', meaning: 'A run of an automation failed' },
    ],
  },
  {
    label: 'Domains',
    types: [
      { type: 'domain.verified', meaning: 'A domain can be sent from' },
      { type: 'domain.failed', meaning: 'DNS records were not found' },
    ],
  },
];

export const EVENT_TYPES: readonly string[] = EVENT_GROUPS.flatMap(({ types }) => types.map(({ type }) => type));

export const EVENT_TYPE_OPTIONS = EVENT_TYPES.map((type) => ({ value: type, label: type }));

/** A subscription in a few words. */
export function describeEvents(events: readonly string[]): string {
  if (events.includes('*')) return 'Every event';
  return events.length <= 2 ? events.join(', ') : `${events.length} types`;
}
