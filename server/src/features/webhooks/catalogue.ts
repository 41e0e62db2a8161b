/**
 * The types of events there are. An endpoint that names them gets no other; `*` also means those that come later, so
 * its receiver must pass over what it does not know.
 */
export const EMAIL_EVENTS = {
  send: 'The email was accepted and is queued for sending.',
  delivery: "The recipient's mail server took the email.",
  bounce: 'The email came back. `bounceType` tells Permanent from Transient and Undetermined.',
  complaint: 'The recipient marked the email as spam.',
  reject:
    'The email was refused and never left: by the provider, or by us. `reason` is one of `Bad content`, `suppressed`, `unsubscribed`, `expired`, `domain_unverified`, `content_missing` and `provider`; `message` has the words of the provider or of our check, or is null.',
  delivery_delay: 'Delivery is delayed; it is still being tried.',
  open: 'The tracking pixel was loaded. `is_bot` tells programs from people.',
  click: 'A tracked link was followed. `is_bot` tells programs from people.',
} as const;

export const NEWSLETTER_EVENTS = {
  'newsletter.subscriber.created': 'Somebody signed up and was sent the confirmation email.',
  'newsletter.subscriber.confirmed': 'A subscriber confirmed, or signed up where no confirmation is asked for.',
  'newsletter.subscriber.unsubscribed':
    'A subscriber left: by hand, by the link, or because the address was suppressed.',
  'newsletter.issue.sent': 'An issue has been given to every recipient.',
  'newsletter.issue.failed': 'Sending an issue ended with an error.',
} as const;

/** Beside the others, for those who ask for them. */
export const EXTENSION_EVENTS = {
  'newsletter.subscriber.updated':
    'The address, name, source or metadata of a subscriber was changed, by the API or on the preferences page.',
  'newsletter.issue.finished': 'Nothing of an issue is pending any more: these are its final figures.',
  'email.suppressed': 'An address was put on the suppression list.',
  'inbound.received': 'An email arrived at a receiving domain.',
  'domain.verified': 'A domain can be sent from.',
  'domain.failed': 'The DNS records of a domain were not found as they should be.',
  'broadcast.sent': 'A broadcast has been given to every recipient.',
  'broadcast.failed': 'Sending a broadcast ended with an error.',
  'scheduled.failed': 'A scheduled email could not be sent.',
  'automation.failed': 'A run of an automation ended with an error.',
} as const;

const MEANINGS = { ...EMAIL_EVENTS, ...NEWSLETTER_EVENTS, ...EXTENSION_EVENTS } as const;

export type EmailEventType = keyof typeof EMAIL_EVENTS;
export type EventType = keyof typeof MEANINGS;
/** Of events that belong to no email. */
export type WorkspaceEventType = Exclude<EventType, EmailEventType>;

// The keys of an object literal, which has no others.
export const EVENT_TYPES = Object.keys(MEANINGS) as EventType[];

/** The scope that shows the events of a type: the one that reads the records they tell of. */
export const scopeOfEvents = (type: EventType): string => {
  if (isEmailEventType(type)) return 'emails:read';
  if (type.startsWith('newsletter.subscriber.')) return 'subscribers:read';
  if (type.startsWith('newsletter.issue.')) return 'issues:read';
  return OTHER_SCOPES[type as keyof typeof EXTENSION_EVENTS]; // all others are extensions
};

const OTHER_SCOPES: Readonly<Record<keyof typeof EXTENSION_EVENTS, string>> = {
  'newsletter.subscriber.updated': 'subscribers:read',
  'newsletter.issue.finished': 'issues:read',
  'email.suppressed': 'suppressions:read',
  'inbound.received': 'inbound:read',
  'domain.verified': 'domains:read',
  'domain.failed': 'domains:read',
  'broadcast.sent': 'broadcasts:read',
  'broadcast.failed': 'broadcasts:read',
  'scheduled.failed': 'scheduled:read',
  'automation.failed': 'automations:read',
};

/** Stands for every type, also for those that come later. */
export const EVERY_TYPE = '*';

export const isEventType = (name: string): name is EventType => Object.hasOwn(MEANINGS, name);

export const isEmailEventType = (type: string): type is EmailEventType => Object.hasOwn(EMAIL_EVENTS, type);

/** For descriptions and for whoever mistyped one. */
export const listOfEventTypes = (): string => EVENT_TYPES.join(', ');

/** Each of them shows some events. */
export const SCOPES_OF_EVENTS: readonly string[] = [...new Set(EVENT_TYPES.map(scopeOfEvents))];
