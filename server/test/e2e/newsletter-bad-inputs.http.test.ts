/**
 * Values that look nearly right, at every field of newsletters, subscribers and issues that takes their kind: types,
 * null, filters, times and sizes. The answer names the field and nothing is stored.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestAnswer, type TestApp } from '../harness/app.ts';

let app: TestApp;
let newsletter: string;
let subscriber: string;
let issue: string;
let at: Record<'newsletter' | 'subscribers' | 'subscriber' | 'issues' | 'issue', string>;
before(async () => {
  app = await createTestApp();
  const made = async (url: string, body: object) => {
    const answer = await app.request({ url, body });
    assert.equal(answer.status, 201, answer.text);
    return idOf(answer);
  };
  const settings = { name: 'Weekly', slug: 'weekly', from_email: 'news@posthorn.test', double_opt_in: false };
  newsletter = await made('/v1/newsletters', settings);
  subscriber = await made(`/v1/newsletters/${newsletter}/subscribers`, { email: 'ada@example.com' });
  issue = await made(`/v1/newsletters/${newsletter}/issues`, { subject: 'News', html_body: '<p>News</p>' });
  const own = `/v1/newsletters/${newsletter}`;
  at = {
    newsletter: own,
    subscribers: `${own}/subscribers`,
    subscriber: `${own}/subscribers/${subscriber}`,
    issues: `${own}/issues`,
    issue: `${own}/issues/${issue}`,
  };
});
after(() => app.close());

const idOf = (answer: TestAnswer): string => String(Reflect.get(answer.body as object, 'id')); // a record was answered
const field = (answer: TestAnswer, name: string): unknown => Reflect.get(answer.body as object, name); // JSON objects only

async function everythingStored(): Promise<unknown> {
  const { rows } = await sql`
    select (select jsonb_agg(n order by n.id) from newsletters n where n.workspace_id = ${app.workspaceId}) as newsletters,
           (select jsonb_agg(s order by s.id) from subscribers s where s.workspace_id = ${app.workspaceId}) as subscribers,
           (select jsonb_agg(i order by i.id) from issues i where i.workspace_id = ${app.workspaceId}) as issues,
           (select count(*) from emails where workspace_id = ${app.workspaceId}) as emails`.execute(app.db);
  return rows;
}

interface Row {
  method?: string;
  url: string;
  body?: object;
  status: 400 | 422;
  /** The field that the answer names. */
  param: string;
}

async function refused(rows: readonly Row[]): Promise<void> {
  const before = await everythingStored();
  for (const { status, param, ...request } of rows) {
    const answer = await app.request(request);
    const what = `${request.method ?? ''} ${request.url} ${JSON.stringify(request.body)?.slice(0, 200)}: ${answer.text}`;
    assert.deepEqual(
      [answer.status, field(answer, 'name'), field(answer, 'param')],
      [status, 'validation_error', param],
      what,
    );
  }
  assert.deepEqual(await everythingStored(), before);
  assert.deepEqual(app.logged, [], 'nothing unexpected was logged');
}

const NO_BOOLEANS = ['false', 'true', 'no', 0, 1, null, [], {}, ''];
const SWITCHES = [
  'double_opt_in',
  'track_opens',
  'track_clicks',
  'archive_enabled',
  'unsubscribe_confirm_page',
  'signup_enabled',
];

test('400 for what is no boolean, at every switch: nothing is taken for true', () =>
  refused([
    ...SWITCHES.flatMap((param) =>
      NO_BOOLEANS.flatMap((value): Row[] => [
        { url: '/v1/newsletters', body: { name: 'New', slug: 'new', [param]: value }, status: 400, param },
        { method: 'PATCH', url: at.newsletter, body: { [param]: value }, status: 400, param },
      ]),
    ),
    ...['resubscribe', 'skip_confirmation'].flatMap((param) =>
      NO_BOOLEANS.map(
        (value): Row => ({
          url: at.subscribers,
          body: { email: 'new@example.com', [param]: value },
          status: 400,
          param,
        }),
      ),
    ),
  ]));

test('400 for null and for other types where a text has to be', () =>
  refused(
    [null, 5, true, [], {}, ['x']].flatMap((value): Row[] => [
      ...['name', 'slug'].flatMap((param): Row[] => [
        { url: '/v1/newsletters', body: { name: 'New', slug: 'new', [param]: value }, status: 400, param },
        { method: 'PATCH', url: at.newsletter, body: { [param]: value }, status: 400, param },
      ]),
      { url: at.subscribers, body: { email: value }, status: 400, param: 'email' },
      ...['subject', 'html_body'].flatMap((param): Row[] => [
        { url: at.issues, body: { subject: 'x', html_body: 'x', [param]: value }, status: 400, param },
        { method: 'PATCH', url: at.issue, body: { [param]: value }, status: 400, param },
      ]),
      { url: `${at.issue}/schedule`, body: { scheduled_for: value }, status: 400, param: 'scheduled_for' },
      { url: `${at.issue}/send-test`, body: { to: value }, status: 400, param: 'to' },
    ]),
  ));

test('400 for filters that are none, on every list', () =>
  refused(
    ['ACTIVE', 'deleted', 'active,pending', '', 'draft&status=sent'].flatMap((status): Row[] =>
      [at.subscribers, at.issues, `${at.issue}/recipients`].map((url) => ({
        url: `${url}?status=${status}`,
        status: 400,
        param: 'status',
      })),
    ),
  ));

test('200 stores metadata as it is, whatever its keys and values mean elsewhere', async () => {
  const metadata = {
    $where: '1=1',
    $gt: '',
    "'; drop table subscribers; --": '{{ subscriber.email }}',
    deep: [[[[{ a: null }]]]],
    at: '2026-02-30T00:00:00Z',
    constructor: { prototype: 1 },
    '': 0,
  };
  const answer = await app.request({ method: 'PATCH', url: at.subscriber, body: { metadata } });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(field(answer, 'metadata'), metadata);
  assert.deepEqual(field(await app.request({ url: at.subscriber }), 'metadata'), metadata);
  await refused([
    ...[[], 'x', 5].flatMap((value): Row[] => [
      { url: at.subscribers, body: { email: 'b@example.com', metadata: value }, status: 400, param: 'metadata' },
      { method: 'PATCH', url: at.subscriber, body: { metadata: value }, status: 400, param: 'metadata' },
    ]),
    {
      url: at.subscribers,
      body: { email: 'b@example.com', metadata: { unsubscribe_reason: 'user' } },
      status: 422,
      param: 'metadata.unsubscribe_reason',
    },
    {
      method: 'PATCH',
      url: at.subscriber,
      body: { metadata: { unsubscribe_reason: null } },
      status: 422,
      param: 'metadata.unsubscribe_reason',
    },
  ]);
});

/** The three ways to a time, and storing one on a draft. */
const timed = (body: Record<string, unknown>, status: 400 | 422, param = 'scheduled_for'): Row[] => [
  { url: at.issues, body: { subject: 'x', html_body: 'x', ...body }, status, param },
  { method: 'PATCH', url: at.issue, body, status, param },
  { url: `${at.issue}/schedule`, body, status, param },
];
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

test('400 for times that no calendar and no clock shows, 422 for those that are too near or too far', () =>
  refused([
    ...[
      'tomorrow',
      '1767225600',
      '2026-02-30T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-02-29T00:00:00Z',
      '2026-12-01T24:00:00Z',
      '2026-12-01T23:59:60Z',
      '2026-12-01T25:00:00Z',
      '2026-12-01T09:00:00+24:00',
      '2026-12-01T09:00:00+00:60',
      '2026-12-01T09:00:00Z\n',
      '２０２６-12-01T09:00:00Z',
      ' ',
      '',
    ].flatMap((scheduled_for) => timed({ scheduled_for }, 400)),
    ...[inHours(-24), inHours(-0.001), inHours(29 / 3_600), inHours(30 * 24 + 1), '9999-12-31T23:59:59Z'].flatMap(
      (scheduled_for) => timed({ scheduled_for }, 422),
    ),
    ...['Mars/Phobos', '', '../../etc/passwd', 'UTC\u0000', 'Europe/Berlin '].flatMap((timezone) =>
      timed({ scheduled_for: inHours(2).slice(0, 19), timezone }, 400, 'timezone'),
    ),
  ]));

test('a time with an offset is the same instant everywhere, cut off below the millisecond', async () => {
  const day = inHours(7 * 24).slice(0, 10);
  for (const [given, wanted] of [
    [`${day}T09:00:00+05:45`, `${day}T03:15:00.000Z`],
    [`${day}T09:00:00-02:30`, `${day}T11:30:00.000Z`],
    [`${day}T14:00:00+14:00`, `${day}T00:00:00.000Z`],
    [`${day}T09:00:00-12:00`, `${day}T21:00:00.000Z`],
    [`${day}T09:00:00-00:00`, `${day}T09:00:00.000Z`],
    [`${day}t09:00:00.123456789z`, `${day}T09:00:00.123Z`],
  ] as const) {
    const answer = await app.request({ url: `${at.issue}/schedule`, body: { scheduled_for: given } });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(field(answer, 'scheduled_for'), wanted, given);
  }
  const back = await app.request({ method: 'PATCH', url: at.issue, body: { scheduled_for: null } });
  assert.equal(field(back, 'status'), 'draft');
});

test('sizes: the largest is stored, one more is 400', async () => {
  const html = (bytes: number): string => 'x'.repeat(bytes);
  const MB = 1_048_576;
  const json = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
  const limits: [url: string, name: string, make: (size: number) => unknown, most: number][] = [
    [at.newsletter, 'name', html, 200],
    [at.newsletter, 'description', html, 1_000],
    [at.newsletter, 'from_name', html, 128],
    [at.newsletter, 'slug', html, 63],
    [at.subscriber, 'name', html, 200],
    [at.issue, 'subject', html, 998],
    [at.issue, 'preheader', html, 500],
    [at.issue, 'html_body', html, 2 * MB],
    [at.issue, 'text_body', html, 2 * MB],
    // Two bytes each in UTF-8.
    [at.issue, 'html_body', (size) => 'é'.repeat(Math.ceil(size / 2)), 2 * MB],
  ];
  for (const [url, name, make, most] of limits) {
    const largest = await app.request({ method: 'PATCH', url, body: { [name]: make(most) } });
    assert.deepEqual([largest.status, field(largest, name)], [200, make(most)], name);
    await refused([{ method: 'PATCH', url, body: { [name]: make(most + 1) }, status: 400, param: name }]);
  }
  const most = await app.request({ url: at.subscribers, body: { email: 'large@example.com', metadata: json(16_384) } });
  assert.equal(most.status, 201, most.text);
  const body = { email: 'larger@example.com', metadata: json(16_385) };
  await refused([{ url: at.subscribers, body, status: 400, param: 'metadata' }]);
});
