import fc from 'fast-check';
import { TEST_ADMIN, type TestRequest } from '../../harness/app.ts';
import { anything, fitting, nastyText, type Schema, spoilt } from './generate.ts';

/** Bodies that are accepted, with every field in use: what is spoilt in these gets past the first check. */
const SEND = {
  from: 'Acme <hello@posthorn.test>',
  to: ['Ada <ada@example.com>', 'bob@example.com'],
  cc: ['carol@example.com'],
  bcc: ['dave@example.com'],
  replyTo: ['support@posthorn.test'],
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
  preheader: 'Hello there',
  attachments: [
    { filename: 'a.txt', content: 'aGVsbG8=', contentType: 'text/plain', contentId: null, disposition: 'attachment' },
  ],
  headers: { 'X-Order': '42' },
  tags: [{ name: 'kind', value: 'receipt' }],
  metadata: { order: { id: 42 } },
  trackOpens: true,
  trackClicks: false,
  groupRecipients: true,
  inReplyTo: '<1@example.com>',
  expiresAt: '2099-01-01T00:00:00Z',
  sandbox: false,
};
const NEWSLETTER = {
  name: 'Acme Weekly',
  slug: 'acme-weekly',
  description: 'One email every Friday.',
  from_email: 'news@posthorn.test',
  from_name: 'Acme',
  reply_to: 'Desk <desk@example.com>',
  double_opt_in: true,
  accent_color: '#4f46e5',
  logo_url: 'https://cdn.invalid/logo.png',
  postal_address: '1 Main St',
  timezone: 'Europe/Berlin',
  language: 'en',
  track_opens: true,
  track_clicks: true,
  archive_enabled: true,
  unsubscribe_confirm_page: false,
  signup_enabled: true,
  redirect_origins: ['https://www.example.com'],
  pending_purge_days: 30,
};
const ISSUE = {
  subject: 'Hello {{ subscriber.name }}',
  preheader: 'There',
  html_body: '<p>Hello {{ subscriber.name | default: "there" }}</p>',
  text_body: 'Hello',
};
const AUTOMATION = {
  name: 'Paid',
  trigger: { type: 'event:order.paid', newsletter_id: null, filter: [{ field: 'email', op: 'exists' }] },
  reentry: 'after:30 days',
  correlation: 'order_id',
  exit_on: [{ type: 'newsletter_unsubscribed' }],
  goal: { type: 'event:order.repeated' },
  steps: [
    { key: 'wait', type: 'delay', config: { until_local: '09:00', timezone: 'Europe/Berlin' } },
    { key: 'big', type: 'condition', config: { field: 'payload.total', op: 'greater_than', value: 9, else: 'end' } },
    { key: 'more', type: 'wait_for_event', config: { event: 'event:order.sent', timeout: '2 days' } },
    { key: 'done', type: 'end', config: {}, on_error: 'stop' },
  ],
};

/** Soon enough for every bound. */
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

const WHOLE_BODIES: Readonly<Record<string, unknown>> = {
  send_email: SEND,
  send_batch: {
    emails: [SEND, { from: SEND.from, to: 'x@example.com', subject: 'Hello', text: 'Hi' }],
    mode: 'strict',
  },
  create_broadcast: { name: 'Sale', from: SEND.from, subject: 'Hello', html: '<p>Hello</p>', tags: [] },
  create_template: { name: 'Made', subject: 'Hi {{ name }}', text: 'Hello {{ name }}', variables: [{ key: 'name' }] },
  update_template: { subject: 'Hi {{ name }}', text: 'Hello {{ name }}' },
  schedule_email: { from: SEND.from, to: 'x@example.com', subject: 'Hello', text: 'Hi', scheduled_for: inAnHour() },
  create_automation: AUTOMATION,
  update_automation: AUTOMATION,
  start_automation_run: { email: 'ran@example.com', payload: { order_id: 1 } },
  test_automation: { email: 'me@example.com', payload: { order_id: 1 } },
  simulate_automation: {
    email: 'me@example.com',
    at: '2026-12-01T00:00:00Z',
    until: '2026-12-31T00:00:00Z',
    events: [{ at: '2026-12-02T00:00:00Z', name: 'order.paid', payload: { order_id: 1 } }],
  },
  sign_in: TEST_ADMIN,
  create_domain: { domain: 'fuzzed.test', region: 'eu-north-1' },
  change_domain_limits: { maxDailyEmails: 100, maxMonthlyEmails: null },
  create_webhook: { url: 'http://127.0.0.1:9999/hooks', events: ['bounce'], description: 'Bounces' },
  update_webhook: { events: ['bounce', 'complaint'], enabled: true, description: 'Bounces' },
  replay_webhook: { since: '2026-01-01T00:00:00Z', event_types: ['send'], only_failed: true },
  create_issue: ISSUE,
  update_issue: ISSUE,
  schedule_issue: { scheduled_for: inAnHour(), timezone: 'Europe/Berlin' },
  send_template_test: { to: 'me@example.com', from: SEND.from },
  send_test_of_issue: { to: 'me@example.com' },
  create_subscriber: {
    email: 'new@example.com',
    name: 'Ada',
    source: 'footer-form',
    metadata: { plan: { level: 1 } },
    resubscribe: true,
    skip_confirmation: true,
    consent: { text: 'Ticked the box.', ip: '203.0.113.7', at: '2026-11-20T10:00:00Z' },
  },
  subscribe_publicly: {
    email: 'new@example.com',
    name: 'Ada',
    source: 'form',
    redirect_url: 'https://www.example.com/',
  },
  resend_publicly: { email: 'new@example.com' },
  create_newsletter: { ...NEWSLETTER, slug: 'made-here' },
  update_newsletter: { ...NEWSLETTER, slug: 'changed-here' },
  preview_newsletter: { ...NEWSLETTER, slug: 'looked-at' },
  create_api_key: {
    name: 'prod',
    scopes: ['emails:send'],
    domain_ids: [],
    newsletter_ids: [],
    allowed_ips: ['203.0.113.0/24'],
    expires_at: '2099-01-01T00:00:00Z',
    mode: 'test',
    limits: { hourly: 1, daily: 2, monthly: 3 },
  },
};

/** Of an alias, that of its operation. */
export const wholeBodyOf = (operationId: string): unknown => WHOLE_BODIES[operationId.replace(/_at_.*$/, '')];

export interface Documented {
  operationId: string;
  parameters?: { in: 'path' | 'query'; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const percent = (text: string): string => encodeURIComponent(text.toWellFormed());
function bodyFor(schema: Schema, whole: unknown): fc.Arbitrary<unknown> {
  const fit = whole === undefined ? fitting(schema) : fc.oneof(fitting(schema), fc.constant(whole));
  const near =
    whole === undefined ? spoilt(fitting(schema)) : fc.oneof(spoilt(fitting(schema)), spoilt(fc.constant(whole)));
  return fc.oneof({ weight: 2, arbitrary: fit }, { weight: 3, arbitrary: near }, { weight: 1, arbitrary: anything });
}
const rawText = fc.oneof(
  { weight: 3, arbitrary: nastyText.map((text) => percent(text.slice(0, 5_000))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%', '%ff', '%c0%80', '%2e%2e', '..%2f', '%EF%BF%BD', ';x=1', '1;drop', '{}'),
  },
);

export interface GeneratedRequest extends TestRequest {
  /** `key` or `token` for good ones, else a wrong credential. */
  as: string;
}

/**
 * Requests to one operation of the document; `idsFor` gives the ids that stand in a path parameter most of the time.
 */
export function requestsFor(
  method: string,
  path: string,
  documented: Documented,
  idsFor: (name: string) => readonly string[],
): fc.Arbitrary<GeneratedRequest> {
  const parameters = documented.parameters ?? [];
  const schema = documented.requestBody?.content['application/json']?.schema;
  const pathValues = fc.record(
    Object.fromEntries(
      parameters
        .filter((one) => one.in === 'path')
        .map(({ name }) => [
          name,
          fc.oneof(
            { weight: 6, arbitrary: fc.constantFrom(...idsFor(name)) },
            { weight: 1, arbitrary: fc.uuid() },
            { weight: 1, arbitrary: rawText },
          ),
        ]),
    ),
  );
  const queryParameters = parameters.filter((one) => one.in === 'query');
  const query = fc.array(
    queryParameters.length === 0
      ? rawText.map((value) => `x=${value}`)
      : fc.oneof(
          ...queryParameters.map(({ name, schema: one }) =>
            fc.oneof(
              fitting(one).map((value) => `${name}=${percent(String(value))}`),
              rawText.map((value) => `${name}=${value}`),
              rawText.map((value) => `${name}[]=${value}`),
            ),
          ),
        ),
    { maxLength: 3 },
  );
  const idempotency = fc.option(fc.oneof(fc.uuid(), fc.constantFrom('', 'a b', 'x'.repeat(300), 'same')), { freq: 3 });
  const as = fc.oneof(
    { weight: 5, arbitrary: fc.constant('key') },
    { weight: 5, arbitrary: fc.constant('token') },
    { weight: 1, arbitrary: fc.constantFrom('', 'x', 'ph_live_x', 'eyJhbGciOiJub25lIn0.e30.') },
  );
  const body =
    schema === undefined
      ? fc.option(anything, { nil: undefined, freq: 2 })
      : bodyFor(schema, wholeBodyOf(documented.operationId));
  return fc.record({ values: pathValues, query: fc.oneof(fc.constant([]), query), idempotency, as, body }).map(
    (one): GeneratedRequest => ({
      method,
      url: `${path.replace(/\{([^}]+)\}/g, (_match, name: string) => Reflect.get(one.values, name))}${one.query.length > 0 ? `?${one.query.join('&')}` : ''}`,
      as: one.as,
      headers: one.idempotency === null ? {} : { 'idempotency-key': one.idempotency },
      ...(one.body === undefined || method === 'GET' ? {} : { body: one.body === null ? 'null' : one.body }),
    }),
  );
}
