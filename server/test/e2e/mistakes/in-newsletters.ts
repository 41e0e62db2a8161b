import type { Mistake } from './mistake.ts';

export const NEWSLETTERS: readonly Mistake[] = [
  {
    what: 'A newsletter without a name',
    request: { url: '/v1/newsletters', body: {} },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'name is required',
      param: 'name',
      details: ['name is required', 'slug is required'],
    },
  },
  {
    what: 'A slug with capital letters and spaces',
    request: { url: '/v1/newsletters', body: { name: 'Weekly', slug: 'My Weekly' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'slug may have only lower-case letters, digits, and hyphens between them, such as acme-weekly',
      param: 'slug',
    },
  },
  {
    what: 'A slug that is taken',
    request: { url: '/v1/newsletters', body: { name: 'Weekly', slug: 'weekly' } },
    answer: { status: 409, name: 'conflict_error', message: 'The slug weekly is taken.', param: 'slug' },
  },
  {
    what: 'A reserved slug',
    request: { url: '/v1/newsletters', body: { name: 'Weekly', slug: 'api' } },
    answer: {
      status: 422,
      name: 'validation_error',
      message: 'The slug api is reserved. Choose another one.',
      param: 'slug',
    },
  },
  {
    what: 'A sender at a domain that is not verified',
    request: { url: '/v1/newsletters', body: { name: 'Weekly', slug: 'news', from_email: 'me@gmail.com' } },
    answer: {
      status: 422,
      name: 'validation_error',
      message:
        'The domain gmail.com is not verified for sending in this workspace. Use an address at a verified domain. Add your domain in the dashboard under Domains or with POST /v1/domains and verify it, or name it in POSTHORN_SENDER_DOMAINS and start again.',
      param: 'from_email',
    },
  },
  {
    what: 'A name for a colour',
    request: { url: '/v1/newsletters', body: { name: 'Weekly', slug: 'news', accent_color: 'red' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'accent_color must be a colour in hexadecimal digits, such as #4f46e5',
      param: 'accent_color',
    },
  },
  {
    what: 'A logo that browsers refuse',
    request: {
      url: '/v1/newsletters',
      body: { name: 'Weekly', slug: 'news', logo_url: 'http://example.com/logo.png' },
    },
    answer: {
      status: 422,
      name: 'validation_error',
      message: 'logo_url must be https: other images are not shown in mail and on pages.',
      param: 'logo_url',
    },
  },
  {
    what: 'An abbreviation for a time zone',
    request: { url: '/v1/newsletters', body: { name: 'Weekly', slug: 'news', timezone: 'CEST' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message:
        'timezone must be a time zone by its name in the IANA database, such as Europe/Berlin or America/New_York, or UTC',
      param: 'timezone',
    },
  },
  {
    what: 'A text for a boolean',
    request: { url: '/v1/newsletters', body: { name: 'Weekly', slug: 'news', double_opt_in: 'yes' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'double_opt_in must be true or false',
      param: 'double_opt_in',
    },
  },
  {
    what: 'An issue without a subject',
    request: { url: '/v1/newsletters/{newsletter}/issues', body: { html_body: '<p>Hi</p>' } },
    answer: { status: 400, name: 'validation_error', message: 'subject is required', param: 'subject' },
  },
  {
    what: '`html` for `html_body`',
    request: { url: '/v1/newsletters/{newsletter}/issues', body: { subject: 'News', html: '<p>Hi</p>' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'html is unknown: did you mean html_body?',
      param: 'html',
    },
  },
  {
    what: 'A time in the past',
    request: {
      url: '/v1/newsletters/{newsletter}/issues/{issue}/schedule',
      body: { scheduled_for: '2020-01-01T09:00:00Z' },
    },
    answer: {
      status: 422,
      name: 'validation_error',
      message: 'scheduled_for has passed. Give a later time, or send the issue at once.',
      param: 'scheduled_for',
    },
  },
  {
    what: 'A time in words',
    request: {
      url: '/v1/newsletters/{newsletter}/issues/{issue}/schedule',
      body: { scheduled_for: 'tomorrow at nine' },
    },
    answer: {
      status: 400,
      name: 'validation_error',
      message:
        'scheduled_for must be a time that exists, such as 2026-12-01T09:00:00Z, or 2026-12-01T09:00:00 with a timezone, or "in 2 hours"',
      param: 'scheduled_for',
    },
  },
  {
    what: 'No time',
    request: { url: '/v1/newsletters/{newsletter}/issues/{issue}/schedule', body: {} },
    answer: { status: 400, name: 'validation_error', message: 'scheduled_for is required', param: 'scheduled_for' },
  },
  {
    what: 'A change to an issue that was sent',
    request: {
      method: 'PATCH',
      url: '/v1/newsletters/{newsletter}/issues/{sentIssue}',
      body: { subject: 'Other news' },
    },
    answer: {
      status: 409,
      name: 'conflict_error',
      message: 'The issue was sent and cannot be changed or sent again. Duplicate it to write a new one from it.',
    },
  },
  {
    what: 'A cancelled draft',
    request: { method: 'POST', url: '/v1/newsletters/{newsletter}/issues/{issue}/cancel' },
    answer: { status: 409, name: 'conflict_error', message: 'The issue is a draft: there is nothing to cancel.' },
  },
  {
    what: 'A subscriber without an address',
    request: { url: '/v1/newsletters/{newsletter}/subscribers', body: { name: 'Ada' } },
    answer: { status: 400, name: 'validation_error', message: 'email is required', param: 'email' },
  },
  {
    what: 'A subscriber with a broken address',
    request: { url: '/v1/newsletters/{newsletter}/subscribers', body: { email: 'ada@' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'email must be an email address. The domain after the @ is missing.',
      param: 'email',
    },
  },
  {
    what: 'A subscriber with a name in the address',
    request: { url: '/v1/newsletters/{newsletter}/subscribers', body: { email: 'Ada <ada@example.com>' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'email must be an address alone, without a name',
      param: 'email',
    },
  },
  {
    what: 'An array of subscribers',
    request: { url: '/v1/newsletters/{newsletter}/subscribers', body: [{ email: 'ada@example.com' }] },
    answer: { status: 400, name: 'validation_error', message: 'The body must be a JSON object.' },
  },
  {
    what: 'A mistyped dry run of an import',
    request: {
      url: '/v1/newsletters/{newsletter}/subscribers/import?dryrun=true',
      body: 'email\nada@example.com\n',
      headers: { 'content-type': 'text/csv' },
    },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'dryrun is unknown: did you mean dry_run?',
      param: 'dryrun',
    },
  },
  {
    what: 'An import that neither states consent nor asks for it',
    request: {
      url: '/v1/newsletters/{newsletter}/subscribers/import',
      body: 'email\nada@example.com\n',
      headers: { 'content-type': 'text/csv' },
    },
    answer: {
      status: 422,
      name: 'validation_error',
      message:
        'consent is required, because this newsletter asks for confirmation: add consent=already_confirmed if ' +
        'everybody in the file has agreed, or send_confirmation=true to ask them.',
      param: 'consent',
    },
  },
  {
    what: 'An import of JSON',
    request: {
      url: '/v1/newsletters/{newsletter}/subscribers/import?consent=already_confirmed',
      body: [{ email: 'ada@example.com' }],
    },
    answer: {
      status: 415,
      name: 'request_error',
      message:
        'The content type must be text/csv or application/jsonl or application/x-ndjson or application/gzip or application/x-gzip in UTF-8.',
    },
  },
];

export const OTHERS: readonly Mistake[] = [
  {
    what: 'A webhook without a URL',
    request: { url: '/v1/webhooks', body: { events: ['*'] } },
    answer: { status: 400, name: 'validation_error', message: 'url is required', param: 'url' },
  },
  {
    what: 'A webhook URL without `https://`',
    request: { url: '/v1/webhooks', body: { url: 'example.com/hook', events: ['*'] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'Give a whole URL, as in https://example.com/hooks.',
      param: 'url',
    },
  },
  {
    what: 'A webhook in a private network',
    request: { url: '/v1/webhooks', body: { url: 'https://10.0.0.1/hook', events: ['*'] } },
    answer: {
      status: 422,
      name: 'validation_error',
      message:
        'The URL leads to an address that is not public. Use one that can be reached from the internet, or ask the operator to allow its network in POSTHORN_EGRESS_ALLOW.',
      param: 'url',
    },
  },
  {
    what: 'An event that does not exist',
    request: { url: '/v1/webhooks', body: { url: 'https://example.com/hook', events: ['email.sent'] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message:
        'events[0] is no event type. The types are send, delivery, bounce, complaint, reject, delivery_delay, open, click, newsletter.subscriber.created, newsletter.subscriber.confirmed, newsletter.subscriber.unsubscribed, newsletter.issue.sent, newsletter.issue.failed, newsletter.subscriber.updated, newsletter.issue.finished, email.suppressed, inbound.received, domain.verified, domain.failed, broadcast.sent, broadcast.failed, scheduled.failed, automation.failed, or * for all of them.',
      param: 'events[0]',
    },
  },
  {
    what: 'A mistyped `events`',
    request: { url: '/v1/webhooks', body: { url: 'https://example.com/hook', evnts: ['*'] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'evnts is unknown: did you mean events?',
      param: 'evnts',
    },
  },
  {
    what: 'No events',
    request: { url: '/v1/webhooks', body: { url: 'https://example.com/hook', events: [] } },
    answer: { status: 400, name: 'validation_error', message: 'events needs at least one item', param: 'events' },
  },
  {
    what: 'A scope that does not exist',
    request: { url: '/v1/api-keys', body: { name: 'app', scopes: ['send'] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message:
        'scopes[0] is not a scope: "send". Scopes are emails:send, emails:read, scheduled:read, scheduled:write, templates:read, templates:write, broadcasts:read, broadcasts:write, broadcasts:send, contacts:read, contacts:write, newsletters:read, newsletters:write, subscribers:read, subscribers:write, issues:read, issues:write, issues:send, domains:read, domains:write, webhooks:read, webhooks:write, suppressions:read, suppressions:write, automations:read, automations:write, events:write, inbound:read, inbound:write, analytics:read, logs:read, audit:read, api_keys:read, api_keys:write, and the presets full_access, sending_access, read_only.',
      param: 'scopes[0]',
    },
  },
  {
    what: 'A key without scopes',
    request: { url: '/v1/api-keys', body: { name: 'app' } },
    answer: { status: 400, name: 'validation_error', message: 'scopes is required', param: 'scopes' },
  },
  {
    what: 'A network that is none',
    request: { url: '/v1/api-keys', body: { name: 'app', scopes: ['emails:send'], allowed_ips: ['10.0.0'] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'allowed_ips[0] must be an IP address or a range such as 203.0.113.0/24',
      param: 'allowed_ips[0]',
    },
  },
  {
    what: 'A suppression of a domain',
    request: { url: '/v1/suppressions', body: { email: 'example.com' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'email must be an email address. The address has no @.',
      param: 'email',
    },
  },
  {
    what: 'A reason that does not exist',
    request: { url: '/v1/suppressions', body: { email: 'ada@example.com', reason: 'spam' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'reason must be one of manual, unsubscribe',
      param: 'reason',
    },
  },
];
