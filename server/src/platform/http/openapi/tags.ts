/** The groups of the reference, in its order: sending stands first. */
export const TAGS = {
  Sending: 'Mail goes out here: one email, or up to 100 different ones, answered when they are on disk.',
  Emails: 'What became of each email, with its events. Something unclear? Ask `explain`.',
  Newsletters: 'Lists of people who asked for mail, with their branding, their sender and how people join.',
  Subscribers: 'Who is on a list, how they came there and what shows it. Imports and exports of millions.',
  Issues: 'What is sent to everybody on a list: drafts, schedules, sending once, cancelling exactly, statistics.',
  'Sign-up pages':
    'For forms on your own site: no key, any origin, JSON or a plain form. Nothing here tells who is on a list.',
  Webhooks:
    'Your server is told of every event by a signed POST. `test` sends a sample; deliveries of 30 days can be looked at and sent again.',
  Events: 'The same events to read in your own time, without an endpoint.',
  Suppressions:
    'Addresses that get no mail: bounced, complained, unsubscribed, or put here by you. Lists move in and out as CSV.',
  'Captured emails': 'While nothing is configured, mail stays here, to look at while you develop.',
  'API keys': 'What a program may do, from which domains, and how much of it.',
  Workspaces: 'A workspace has its own mail, keys, people and settings, tracking of opens and clicks among them.',
  Audit: 'Who did what, and what the system did by itself. For people who signed in: owners and admins.',
  'Sign-in': 'Accounts and sessions of people. Programs use API keys.',
  Operations: 'For whoever runs this: health, metrics, what keeps mail or its events from arriving.',
} as const;
