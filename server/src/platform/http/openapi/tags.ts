/** The groups of the reference, in its order: sending stands first. */
export const TAGS = {
  Sending: 'Send one email, or up to 100 different ones. The answer comes after they are stored on disk.',
  Emails: 'The state of each email, with its events. `explain` says in plain words what happened to one.',
  Templates:
    'Texts with places for data, kept in versions: render them, send tests, and name them in sends by id or alias.',
  'Scheduled emails':
    'Emails that leave later, at an instant or at the time of a zone. They can be changed until then.',
  Automations:
    'Emails to one person when something happens: a trigger, steps with delays and branches, and the run of each person.',
  Analytics: 'Counts of emails over time, the rates that providers watch, and the state of sending.',
  Domains:
    'The domains that you send from. Add one, publish its DNS records, and verify it. Cloud edition only: 403 in the ' +
    'self-hosted edition, where the operator sets the domains.',
  'SMTP relay':
    'The sessions of programs that hand in mail over SMTP: what was accepted, and what was refused and why.',
  'Received emails':
    'Mail that arrived at your receiving domains, with its files, its raw bytes, and the email of yours that it answers.',
  Contacts: 'The people that a workspace knows, with properties of its own.',
  Broadcasts: 'Mail that is written once and goes to contacts: drafts, previews, sending and statistics.',
  Newsletters: 'Lists of people who asked for mail, with their branding, their sender and how people join.',
  Subscribers:
    'The people on a list, how they joined, and the proof of consent. Imports and exports of millions of rows.',
  Issues: 'Emails to all subscribers of a newsletter: drafts, schedules, sending, cancelling and statistics.',
  Images: 'Images for mail: uploaded once, made smaller, without metadata, served at an address that never changes.',
  'Sign-up pages':
    'For forms on your own site: no key, any origin, JSON or a plain form. No answer shows whether an address ' +
    'is on a list.',
  Webhooks:
    'Posthorn sends every event to your server in a signed POST. `test` sends a sample. Deliveries of the last ' +
    '30 days can be read and repeated.',
  Events: 'The events of webhooks, as a list that you read without an endpoint.',
  Suppressions:
    'Addresses that receive no mail: they bounced, complained or unsubscribed, or you added them. Lists are ' +
    'imported and exported as CSV.',
  'Captured emails': 'Posthorn keeps mail here instead of delivering it when no provider is configured.',
  'API keys': 'Keys for programs, with their scopes, sender domains and limits.',
  Workspaces:
    'A workspace has its own mail, keys, people and settings, for example for the tracking of opens and clicks.',
  Requests: 'The requests to this API of the last seven days with their answers, without secrets and texts of mail.',
  Audit: 'The changes that people, keys and the system made. Only owners and admins can read them.',
  'Sign-in': 'Accounts and sessions of people. Programs use API keys.',
  Operations: 'For the operator: health, metrics, and faults that stop mail or its events.',
} as const;
