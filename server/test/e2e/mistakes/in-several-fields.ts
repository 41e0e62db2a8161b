import { SCOPES } from '#features/workspaces';
import { listOfEventTypes } from '../../../src/features/webhooks/catalogue.ts';
import { EMAIL, WITHOUT_TEXT } from './email.ts';
import type { Mistake } from './mistake.ts';

/** One answer names the faults of type (a number for a text) and of meaning (a text that is no address) together. */
const badRequest = (...details: [string, ...string[]]): Mistake['answer'] => ({
  status: 400,
  name: 'validation_error',
  message: details[0],
  param: details[0].split(' ', 1)[0] ?? '',
  details,
});

const NO_AT = 'must be an email address. The address has no @.';
const NO_ZONE =
  'timezone must be a time zone by its name in the IANA database, such as Europe/Berlin or America/New_York, or UTC';
const NO_EVENT = `is no event type. The types are ${listOfEventTypes()}, or * for all of them.`;
const NO_TIME = 'must be an ISO 8601 date and time with an offset, such as 2026-12-01T09:00:00Z';

export const SEVERAL_FIELDS: readonly Mistake[] = [
  {
    what: 'Two types and an address',
    request: { url: '/v1/send', body: { ...EMAIL, to: ['ada@example.com', 'broken'], subject: 5, html: 5 } },
    answer: badRequest('subject must be a string', 'html must be a string', `to[1] ${NO_AT}`),
  },
  {
    what: 'A type, a mistyped `html` and a time in the past',
    request: {
      url: '/v1/send',
      body: { ...WITHOUT_TEXT, htlm: '<p>Hi</p>', tags: 'x', expiresAt: '2020-01-01T09:00:00Z' },
    },
    answer: badRequest(
      'htlm is unknown: did you mean html?',
      'tags must be an array',
      'expiresAt is in the past: the email would never be sent',
    ),
  },
  {
    what: 'A type in one item of a batch, an address in another',
    request: {
      url: '/v1/batch',
      body: [
        { ...EMAIL, to: 'bob', subject: 5 },
        { ...EMAIL, from: 'Acme' },
      ],
    },
    answer: badRequest('emails[0].subject must be a string', `emails[0].to ${NO_AT}`, `emails[1].from ${NO_AT}`),
  },
  {
    what: 'A mode that does not exist, and an address',
    request: { url: '/v1/batch', body: { emails: [{ ...EMAIL, to: 'bob' }], mode: 'lenient' } },
    answer: badRequest('mode must be one of strict, permissive', `emails[0].to ${NO_AT}`),
  },
  {
    what: 'A newsletter with faults of both kinds',
    request: {
      url: '/v1/newsletters',
      body: {
        name: 5,
        slug: 'api',
        from_email: 'bob',
        timezone: 'Mars/Base',
        logo_url: 'example.com',
        redirect_origins: ['https://example.com', 'x', 'y'],
      },
    },
    answer: badRequest(
      'name must be a string',
      `from_email must be one mailbox. The address has no @.`,
      'logo_url must be a whole URL, as in https://cdn.example.com/logo.png.',
      NO_ZONE,
      'redirect_origins[1] must be an origin, as in https://www.example.com: no path, no user name.',
      'redirect_origins[2] must be an origin, as in https://www.example.com: no path, no user name.',
      'slug: The slug api is reserved. Choose another one.',
    ),
  },
  {
    what: 'A newsletter whose sender and zone are none',
    request: {
      url: '/v1/newsletters/{newsletter}',
      method: 'PATCH',
      body: { reply_to: 'bob', from_email: 'bob', double_opt_in: 'yes' },
    },
    answer: badRequest(
      'double_opt_in must be true or false',
      'from_email must be one mailbox. The address has no @.',
      'reply_to must be one mailbox. The address has no @.',
    ),
  },
  {
    what: 'An issue with faults of both kinds',
    request: {
      url: '/v1/newsletters/{newsletter}/issues',
      body: { subject: 'Line\nbreak', html_body: 5, text_body: '{{', scheduled_for: 'tomorrow', timezone: 'Mars/Base' },
    },
    answer: badRequest(
      'html_body must be a string',
      'subject must not have control characters or line breaks',
      NO_ZONE,
      'scheduled_for must be a time that exists, such as 2026-12-01T09:00:00Z, or 2026-12-01T09:00:00 with a timezone, or "in 2 hours"',
      'text_body: Line 1: Output "{{" not closed.',
    ),
  },
  {
    what: 'A subscriber with faults of both kinds',
    request: {
      url: '/v1/newsletters/{newsletter}/subscribers',
      body: { email: 'bob', name: 5, skip_confirmation: true, metadata: { unsubscribe_reason: 'x' } },
    },
    answer: badRequest(
      'name must be a string',
      `email ${NO_AT}`,
      'metadata.unsubscribe_reason is set when somebody unsubscribes.',
      'consent: To skip the confirmation, describe in consent how the person agreed.',
    ),
  },
  {
    what: 'A consent with two faults, and a type',
    request: {
      url: '/v1/newsletters/{newsletter}/subscribers',
      body: { email: 'bob@example.com', name: 5, consent: { ip: 'home', at: '2090-01-01T00:00:00Z' } },
    },
    answer: badRequest(
      'name must be a string',
      'consent.ip must be an IPv4 or IPv6 address',
      'consent.at is in the future. Give the time at which the person agreed.',
    ),
  },
  {
    what: 'A webhook with faults of both kinds',
    request: {
      url: '/v1/webhooks',
      body: { url: 'example.com', events: ['email.sent', 'bounce', 'x'], description: 5 },
    },
    answer: badRequest(
      'description must be a string',
      'url: Give a whole URL, as in https://example.com/hooks.',
      `events[0] ${NO_EVENT}`,
      `events[2] ${NO_EVENT}`,
    ),
  },
  {
    what: 'A key with faults of both kinds',
    request: {
      url: '/v1/api-keys',
      body: { name: 5, scopes: ['*'], allowed_ips: ['10.0.0', 'x'], expires_at: '2020-01-01T00:00:00Z' },
    },
    answer: badRequest(
      'name must be a string',
      'allowed_ips[0] must be an IP address or a range such as 203.0.113.0/24',
      'allowed_ips[1] must be an IP address or a range such as 203.0.113.0/24',
      'expires_at must be in the future',
    ),
  },
  {
    what: 'Several scopes that do not exist, and a range that is none',
    request: {
      url: '/v1/api-keys',
      body: { name: 'app', scopes: ['send', 'emails:read', 'email:send'], allowed_ips: ['x'] },
    },
    answer: badRequest(
      `scopes[0] is not a scope: "send". Scopes are ${SCOPES.join(', ')}, and the presets full_access, sending_access, read_only.`,
      'scopes[2] is not a scope: "email:send".',
      'allowed_ips[0] must be an IP address or a range such as 203.0.113.0/24',
    ),
  },
  {
    what: 'A suppression with faults of both kinds',
    request: { url: '/v1/suppressions', body: { email: 'bob', note: 5, expires_at: 'soon' } },
    answer: badRequest('note must be a string', `expires_at ${NO_TIME}`, `email ${NO_AT}`),
  },
  {
    what: 'Suppressions with faults of both kinds',
    request: { url: '/v1/suppressions/batch', body: { emails: ['bob', { email: 'eve' }], note: 5 } },
    answer: badRequest('note must be a string', `emails[0] ${NO_AT}`, `emails[1].email ${NO_AT}`),
  },
];
