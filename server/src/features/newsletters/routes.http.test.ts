import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { aDomain, aNewsletter, aWorkspace } from '../../../test/harness/builders.ts';

const MISSING = '01999999-0000-7000-8000-00000000000e';

let app: TestApp;
before(async () => {
  app = await createTestApp({ env: { POSTHORN_DASHBOARD_URL: 'https://app.example.com' } });
});
beforeEach(async () => {
  await sql`delete from newsletters where workspace_id = ${app.workspaceId}`.execute(app.db);
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

interface Reply {
  status: number;
  body: Body;
  headers: Record<string, unknown>;
}

const call = (method: string, url: string, body?: unknown, key?: string, headers = {}): Promise<Reply> =>
  app.request({ method, url, headers, ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) });

const create = (body: object = {}, key?: string): Promise<Reply> =>
  call('POST', '/v1/newsletters', { name: 'Acme Weekly', slug: 'acme-weekly', ...body }, key);

async function aRecord(body: object = {}): Promise<Body> {
  const reply = await create(body);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

async function aKey(body: object): Promise<string> {
  const reply = await call('POST', '/v1/api-keys', { name: 'test', scopes: ['*'], ...body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.key;
}

const get = (id: string, key?: string): Promise<Reply> => call('GET', `/v1/newsletters/${id}`, undefined, key);
const patch = (id: string, body: unknown, key?: string): Promise<Reply> =>
  call('PATCH', `/v1/newsletters/${id}`, body, key);
const slugs = async (): Promise<string[]> => {
  const { rows } = await sql<{ slug: string }>`
    select slug from newsletter_slugs where workspace_id = ${app.workspaceId} order by slug`.execute(app.db);
  return rows.map((row) => row.slug);
};
const logOf = async (targetId: string): Promise<Body[]> => {
  const { rows } = await sql<Body>`select action, details from security_log
    where workspace_id = ${app.workspaceId} and target_id = ${targetId} order by id`.execute(app.db);
  return rows;
};

const WHOLE = {
  name: 'Acme Weekly',
  slug: 'acme-weekly',
  description: 'One email every Friday.',
  from_email: 'news@posthorn.test',
  from_name: 'Acme',
  reply_to: 'Desk <desk@other.example>',
  double_opt_in: false,
  accent_color: '#4f46E5',
  logo_url: 'https://cdn.invalid/logo.png',
  postal_address: 'Acme Inc.\n1 Main St',
  timezone: 'Europe/Berlin',
  language: 'en',
  track_opens: false,
  track_clicks: false,
  archive_enabled: false,
  archive_indexable: false,
  ask_name: false,
  unsubscribe_confirm_page: true,
  signup_enabled: false,
  redirect_origins: ['https://www.example.com', 'http://localhost:3000'],
  pending_purge_days: 7,
};
const NOTHING = {
  confirmations_paused_at: null,
  subscriber_count: 0,
  subscriber_counts: { total: 0, active: 0, pending: 0, unsubscribed: 0 },
  issue_count: 0,
  last_issue_sent_at: null,
  subscribe_url: 'https://app.example.com/n/acme-weekly',
  embed_url: 'https://app.example.com/n/acme-weekly/embed',
  archive_url: 'https://app.example.com/n/acme-weekly/archive',
  feed_url: 'https://app.example.com/n/acme-weekly/feed.xml',
};

test('201 on create: the record with its defaults', async () => {
  const { id, created_at, updated_at, ...rest } = await aRecord();
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.equal(created_at, updated_at);
  assert.deepEqual(rest, {
    name: 'Acme Weekly',
    slug: 'acme-weekly',
    description: null,
    from_email: null,
    from_name: null,
    reply_to: null,
    double_opt_in: true,
    accent_color: null,
    logo_url: null,
    postal_address: null,
    timezone: 'UTC',
    language: 'en',
    track_opens: true,
    track_clicks: true,
    archive_enabled: true,
    archive_indexable: true,
    ask_name: true,
    unsubscribe_confirm_page: false,
    signup_enabled: true,
    redirect_origins: [],
    pending_purge_days: null,
    ...NOTHING,
  });
  assert.deepEqual((await get(id)).body, { id, created_at, updated_at, ...rest });
  assert.deepEqual(await logOf(id), [
    { action: 'newsletter.created', details: { name: 'Acme Weekly', slug: 'acme-weekly' } },
  ]);
});

test('201 with every field as it was given, and 200 with each of them back', async () => {
  const { id, created_at, updated_at, ...rest } = await aRecord(WHOLE);
  assert.deepEqual(rest, { ...WHOLE, ...NOTHING });
  assert.deepEqual((await get(id)).body, { id, created_at, updated_at, ...rest });
});

test('201 with null for what is optional', async () => {
  const optional = ['description', 'from_email', 'from_name', 'reply_to', 'accent_color', 'logo_url', 'timezone'];
  const record = await aRecord(Object.fromEntries(optional.map((name) => [name, null])));
  assert.deepEqual([record.from_email, record.timezone], [null, 'UTC']);
});

test('200 patches only what is given: null clears, an empty patch changes nothing', async () => {
  const before = await aRecord(WHOLE);
  app.clock.advance(1_000);
  for (const nothing of [{}, undefined]) assert.deepEqual((await patch(before.id, nothing)).body, before);
  const changed = await patch(before.id, { name: 'New', accent_color: null, language: null, track_opens: true });
  assert.equal(changed.status, 200);
  const { updated_at } = changed.body;
  assert.ok(updated_at > before.updated_at);
  assert.deepEqual(changed.body, { ...before, name: 'New', accent_color: null, track_opens: true, updated_at });
  assert.deepEqual((await get(before.id)).body, changed.body);
  const all = ['description', 'from_email', 'from_name', 'reply_to', 'logo_url', 'postal_address', 'timezone'];
  const cleared = await patch(
    before.id,
    Object.fromEntries([...all, 'pending_purge_days'].map((name) => [name, null])),
  );
  for (const name of all) assert.equal(cleared.body[name], name === 'timezone' ? 'UTC' : null, name);
  assert.equal(cleared.body.pending_purge_days, null);
  assert.deepEqual(
    (await logOf(before.id)).map((entry) => entry.action),
    ['newsletter.created', 'newsletter.updated', 'newsletter.updated'],
  );
});

test('200 with another slug at once, and the old one is free for anybody', async () => {
  const { id } = await aRecord();
  assert.equal((await patch(id, { slug: 'acme-daily' })).body.subscribe_url, 'https://app.example.com/n/acme-daily');
  assert.deepEqual(await slugs(), ['acme-daily']);
  assert.equal((await create()).status, 201);
  assert.equal((await patch(id, { slug: 'acme-daily' })).status, 200, 'its own slug is no conflict');
});

test('400 for a slug that is none, 422 for a word that is reserved, and nothing is stored', async () => {
  const { id } = await aRecord({ slug: 'good' });
  const bad = [
    '',
    '-',
    '-a',
    'a-',
    'A',
    'a_b',
    'a/b',
    '../x',
    '%2e',
    'a b',
    'ü',
    'a\n',
    'a'.repeat(64),
    null,
    1,
    ['a'],
  ];
  const reserved = ['confirm', 'unsubscribe', 'preferences', 'api', 'embed', 'archive', 'feed', 'static', 'admin'];
  const table: [number, unknown][] = [
    ...bad.map((slug): [number, unknown] => [400, slug]),
    ...reserved.map((slug): [number, unknown] => [422, slug]),
  ];
  for (const [status, slug] of table) {
    for (const reply of [await create({ slug }), await patch(id, { slug })]) {
      assert.deepEqual([reply.status, reply.body.param], [status, 'slug'], String(slug));
    }
  }
  assert.deepEqual(await slugs(), ['good']);
  for (const slug of ['a', '1', 'a--b', 'a'.repeat(63)]) assert.equal((await create({ slug })).status, 201, slug);
});

test('409 for a slug that is taken, in the same words whoever has it', async () => {
  const other = await aWorkspace(app.db);
  await aNewsletter(app.db, other, { slug: 'theirs' });
  await aRecord({ slug: 'ours' });
  const { id } = await aRecord({ slug: 'mine' });
  const messages = new Set<string>();
  for (const slug of ['theirs', 'ours']) {
    for (const reply of [await create({ slug }), await patch(id, { slug })]) {
      assert.deepEqual([reply.status, reply.body.name, reply.body.param], [409, 'conflict_error', 'slug']);
      messages.add(reply.body.message.replace(slug, ''));
    }
  }
  assert.equal(messages.size, 1);
  assert.deepEqual(await slugs(), ['mine', 'ours']);
  assert.equal((await get(id)).body.slug, 'mine');
});

test('of 20 that create the same slug at once one gets it', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => create({ slug: 'race' })));
  assert.deepEqual(replies.map((reply) => reply.status).toSorted(), [201, ...Array.from({ length: 19 }, () => 409)]);
  assert.equal((await call('GET', '/v1/newsletters')).body.total, 1, 'the others left no row');
});

test('two newsletters that swap slugs at once never end with one slug', async () => {
  const [a, b] = [await aRecord({ slug: 'a' }), await aRecord({ slug: 'b' })];
  const replies = await Promise.all([patch(a.id, { slug: 'b' }), patch(b.id, { slug: 'a' })]);
  for (const reply of replies) assert.ok([200, 409].includes(reply.status), JSON.stringify(reply.body));
  const now = [(await get(a.id)).body.slug, (await get(b.id)).body.slug];
  assert.deepEqual((await slugs()).toSorted(), now.toSorted());
});

test('64 patches at once lose no field', async () => {
  const { id } = await aRecord();
  const fields: [string, unknown][] = [
    ['name', 'A'],
    ['description', 'B'],
    ['from_name', 'C'],
    ['reply_to', 'd@example.com'],
    ['postal_address', 'E'],
    ['accent_color', '#fff'],
    ['timezone', 'Asia/Tokyo'],
    ['track_clicks', false],
  ];
  const wanted = Array.from({ length: 64 }, (_, n) => fields[n % fields.length] ?? ['name', 'A']);
  const replies = await Promise.all(wanted.map(([name, value]) => patch(id, { [name]: value })));
  assert.ok(replies.every((reply) => reply.status === 200));
  const { body } = await get(id);
  for (const [name, value] of fields) assert.equal(body[name], value, name);
});

test('400 or 422 naming the field, and nothing is stored', async () => {
  const good = await aRecord(WHOLE);
  const long = (n: number): string => 'x'.repeat(n);
  const table: [number, string, unknown][] = [
    ...['', ' ', long(201), null, 1, [], {}, 'a\nb', 'a\u0000'].map((v): [number, string, unknown] => [400, 'name', v]),
    ...[long(1_001), 1, 'a\u0000b'].map((v): [number, string, unknown] => [400, 'description', v]),
    ...['', long(129), 'a\r\nBcc: x@y.example', 'a\nb', 7].map((v): [number, string, unknown] => [400, 'from_name', v]),
    [422, 'from_name', 'billing@bank.example'],
    ...[
      'x',
      'a@b',
      'a@x.test, b@y.test',
      'a@x.test\r\nBcc: b@y.test',
      '',
      'A <news@posthorn.test>',
      'ü@posthorn.test',
    ].map((v): [number, string, unknown] => [400, 'from_email', v]),
    [422, 'from_email', 'news@unverified.example'],
    ...['x', 'a@x.example, b@y.example', ''].map((v): [number, string, unknown] => [400, 'reply_to', v]),
    ...['red', '#12345G', '#12345', 'url(x)', '#fff;}body{', '#ffffff\n', ' #fff', '#fff ', 'expression(1)', ''].map(
      (v): [number, string, unknown] => [400, 'accent_color', v],
    ),
    ...['javascript:alert(1)', 'data:image/svg+xml,<svg/>', 'data:text/html,x'].map((v): [number, string, unknown] => [
      422,
      'logo_url',
      v,
    ]),
    ...['//cdn.invalid/x.png', '/x.png', 'x'].map((v): [number, string, unknown] => [400, 'logo_url', v]),
    ...[
      'http://cdn.invalid/x.png',
      'https://u:p@cdn.invalid/x.png',
      'https://127.0.0.1/x.png',
      'https://[::1]/x.png',
    ].map((v): [number, string, unknown] => [422, 'logo_url', v]),
    ...['https://169.254.169.254/x', 'https://10.0.0.1/x', 'https://2130706433/', 'https://cdn.invalid:22/x'].map(
      (v): [number, string, unknown] => [422, 'logo_url', v],
    ),
    [400, 'logo_url', 'https://cdn.invalid/ "onload=x'],
    [400, 'logo_url', 'https://cdn.invalid/\u0000'],
    [400, 'logo_url', ''],
    [400, 'logo_url', `https://cdn.invalid/${long(2_048)}`],
    [400, 'postal_address', long(501)],
    ...['EST', 'GMT+5', 'Etc/GMT+5', 'Mars/Phobos', '', '../../etc/passwd', 'UTC\u0000', '+02:00'].map(
      (v): [number, string, unknown] => [400, 'timezone', v],
    ),
    ...['xx', 'EN', '', 1].map((v): [number, string, unknown] => [400, 'language', v]),
    ...[
      'double_opt_in',
      'track_opens',
      'track_clicks',
      'archive_enabled',
      'archive_indexable',
      'ask_name',
      'signup_enabled',
    ].flatMap((name) => ['false', 0, null, []].map((v): [number, string, unknown] => [400, name, v])),
    [400, 'redirect_origins', 'https://a.example'],
    [400, 'redirect_origins', null],
    ...[
      'https://a.example/path',
      'a.example',
      'https://u@a.example',
      'javascript:x',
      'https://a.example?x',
      'https://*.com',
      'https://*.a.example',
    ].map((v): [number, string, unknown] => [400, 'redirect_origins[0]', [v]]),
    [422, 'redirect_origins[0]', ['http://a.example']],
    ...[-1, 1.5, 3_651, '7', true].map((v): [number, string, unknown] => [400, 'pending_purge_days', v]),
  ];
  for (const [status, param, value] of table) {
    const name = param.replace(/\[.*/, '');
    for (const reply of [await create({ slug: 'other', [name]: value }), await patch(good.id, { [name]: value })]) {
      assert.deepEqual([reply.status, reply.body.param], [status, param], `${name} ${JSON.stringify(value)}`);
      assert.equal(reply.body.name, 'validation_error');
    }
  }
  assert.deepEqual((await get(good.id)).body, good);
  assert.deepEqual(await slugs(), ['acme-weekly']);
});

test('400 without a name or a slug, and for a body that is none', async () => {
  for (const [body, param] of [
    [{ slug: 'a' }, 'name'],
    [{ name: 'A' }, 'slug'],
  ] as const) {
    assert.equal((await call('POST', '/v1/newsletters', body)).body.param, param);
  }
  for (const body of ['null', '[]', '"x"', '{'])
    assert.equal((await call('POST', '/v1/newsletters', body)).status, 400);
  assert.deepEqual(await slugs(), []);
});

test('stored values are text, not markup: names with HTML and templates are returned unchanged', async () => {
  const name = '<script>alert(1)</script> {{7*7}} "><img src=x onerror=alert(1)>';
  const { id } = await aRecord({ name, description: name, postal_address: name });
  const { body } = await get(id);
  assert.deepEqual([body.name, body.description, body.postal_address], [name, name, name]);
});

test('from_email needs a domain that is verified in this workspace, and one that the key may send from', async () => {
  const other = await aWorkspace(app.db);
  await aDomain(app.db, other, 'theirs.example');
  await aDomain(app.db, app.workspaceId, 'pending.example', { sendingEnabled: false });
  const refusal = async (from_email: string): Promise<unknown[]> => {
    const { status, body } = await create({ from_email });
    return [status, body.param, body.message.replace(from_email.slice(2), '')];
  };
  const unknown = await refusal('a@nobody.example');
  assert.deepEqual(unknown.slice(0, 2), [422, 'from_email']);
  assert.deepEqual(await refusal('a@theirs.example'), unknown);
  assert.deepEqual(await refusal('a@pending.example'), unknown);
  const domainId = await aDomain(app.db, app.workspaceId, 'ours.example');
  const key = await aKey({ domain_ids: [domainId] });
  assert.equal((await create({ from_email: 'a@posthorn.test' }, key)).status, 403);
  assert.equal((await create({ from_email: 'a@ours.example' }, key)).status, 201);
});

test('200 lists newest first, by page and by cursor, with counts that nobody counted', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await aRecord({ slug: `n-${n}` })).id);
  const first = await call('GET', '/v1/newsletters?limit=2');
  const { data, next_cursor, ...page } = first.body;
  assert.deepEqual(page, { page: 1, limit: 2, total: 5, total_pages: 3, has_more: true });
  const second = await call('GET', `/v1/newsletters?limit=2&cursor=${next_cursor}`);
  const third = await call('GET', '/v1/newsletters?limit=2&page=3');
  const seen = [...data, ...second.body.data, ...third.body.data];
  assert.deepEqual(
    seen.map((one: Body) => one.id),
    ids,
  );
  const { subscriber_counts: _, ...expected } = (await get(ids[0] ?? '')).body;
  assert.deepEqual(data[0], expected);
  assert.deepEqual((await call('GET', '/v1/newsletters?page=9')).body.data, []);
  assert.equal((await call('GET', '/v1/newsletters?page=0')).status, 400);
});

test('counts are the sum of the changes, and issues say how many and when the last one went', async () => {
  const { id } = await aRecord();
  const subscriber = (status: string) =>
    sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    values (${app.workspaceId}, ${newId()}, ${id}, ${`${newId()}@example.com`}, ${status})`.execute(app.db);
  for (const status of ['pending', 'active', 'active', 'unsubscribed']) await subscriber(status);
  await sql`update subscribers set status = 'active' where workspace_id = ${app.workspaceId} and status = 'pending'`.execute(
    app.db,
  );
  for (const [slug, sentAt] of [
    ['one', '2026-11-13T09:00:04.120Z'],
    ['two', null],
  ]) {
    await sql`insert into issues (workspace_id, id, newsletter_id, slug, subject, html_body, status, sent_at)
      values (${app.workspaceId}, ${newId()}, ${id}, ${slug}, 'Hi', '<p>Hi</p>', ${sentAt === null ? 'draft' : 'sent'},
        ${sentAt}::timestamptz)`.execute(app.db);
  }
  assert.partialDeepStrictEqual((await get(id)).body, {
    subscriber_count: 3,
    subscriber_counts: { total: 4, active: 3, pending: 0, unsubscribed: 1 },
    issue_count: 2,
    last_issue_sent_at: '2026-11-13T09:00:04.120Z',
  });
  const [listed] = (await call('GET', '/v1/newsletters')).body.data;
  assert.deepEqual([listed.subscriber_count, listed.issue_count], [3, 2]);
});

test('403 for a key of other newsletters, which lists only its own and creates none', async () => {
  const [mine, other] = [await aRecord({ slug: 'mine' }), await aRecord({ slug: 'other' })];
  const key = await aKey({ newsletter_ids: [mine.id] });
  const listed = (await call('GET', '/v1/newsletters', undefined, key)).body;
  assert.deepEqual([listed.total, listed.data.map((one: Body) => one.id)], [1, [mine.id]]);
  assert.equal((await get(mine.id, key)).status, 200);
  assert.equal((await patch(mine.id, { name: 'Changed' }, key)).status, 200);
  const refused = [
    await get(other.id, key),
    await patch(other.id, { name: 'Changed' }, key),
    await call('DELETE', `/v1/newsletters/${other.id}`, undefined, key),
    await call('POST', `/v1/newsletters/${other.id}/resume-confirmations`, undefined, key),
    await create({ slug: 'third' }, key),
  ];
  for (const reply of refused) assert.deepEqual([reply.status, reply.body.name], [403, 'permission_error']);
  assert.deepEqual((await get(other.id)).body, other);
  assert.deepEqual(await slugs(), ['mine', 'other']);
  assert.equal((await get(MISSING, key)).status, 404, 'what is not there is not forbidden');
});

test('keys and webhooks may name newsletters of their workspace, and 422 for any other', async () => {
  const { id } = await aRecord();
  const foreign = await aNewsletter(app.db, await aWorkspace(app.db));
  const webhook = { url: 'http://127.0.0.1:59999/', events: ['*'] };
  const made = [
    await call('POST', '/v1/api-keys', { name: 'limited', scopes: ['*'], newsletter_ids: [id] }),
    await call('POST', '/v1/webhooks', { ...webhook, newsletter_ids: [id] }),
  ];
  for (const reply of made) {
    assert.deepEqual([reply.status, reply.body.newsletter_ids], [201, [id]], JSON.stringify(reply.body));
  }
  for (const newsletterId of [foreign.id, MISSING]) {
    const ids = { newsletter_ids: [id, newsletterId] };
    const refused = [
      await call('POST', '/v1/api-keys', { name: 'limited', scopes: ['*'], ...ids }),
      await call('PATCH', `/v1/api-keys/${made[0]?.body.id}`, ids),
      await call('POST', '/v1/webhooks', { ...webhook, ...ids }),
      await call('PATCH', `/v1/webhooks/${made[1]?.body.id}`, ids),
    ];
    for (const reply of refused) assert.deepEqual([reply.status, reply.body.param], [422, 'newsletter_ids[1]']);
  }
  const kept = await call('GET', `/v1/webhooks/${made[1]?.body.id}`);
  assert.deepEqual(kept.body.newsletter_ids, [id]);
});

test('404 for an id that is none, unknown, or of another workspace', async () => {
  const foreign = await aNewsletter(app.db, await aWorkspace(app.db));
  for (const id of [MISSING, foreign.id, '1', "'", 'undefined', foreign.id.toUpperCase()]) {
    for (const reply of [
      await get(encodeURIComponent(id)),
      await patch(encodeURIComponent(id), { name: 'X' }),
      await call('DELETE', `/v1/newsletters/${encodeURIComponent(id)}`),
      await call('POST', `/v1/newsletters/${encodeURIComponent(id)}/resume-confirmations`),
    ]) {
      assert.deepEqual([reply.status, reply.body.name], [404, 'not_found_error'], id);
    }
  }
});

test('resume-confirmations: 200 and they go on, 409 when they do not rest', async () => {
  const { id } = await aRecord();
  const resume = () => call('POST', `/v1/newsletters/${id}/resume-confirmations`);
  assert.equal((await resume()).status, 409);
  await sql`update newsletters set confirmations_paused_at = now()
    where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
  assert.match((await get(id)).body.confirmations_paused_at, /^\d{4}-/);
  const resumed = await resume();
  assert.deepEqual([resumed.status, resumed.body.confirmations_paused_at], [200, null]);
  assert.equal((await logOf(id)).at(-1)?.action, 'newsletter.confirmations_resumed');
  assert.equal(
    (await patch(id, { confirmations_paused_at: '2026-01-01T00:00:00Z' })).headers['x-unknown-fields'],
    'confirmations_paused_at',
  );
});

test('an Idempotency-Key makes one newsletter', async () => {
  const headers = { 'idempotency-key': 'once' };
  const body = { name: 'Once', slug: 'once' };
  const first = await call('POST', '/v1/newsletters', body, undefined, headers);
  const second = await call('POST', '/v1/newsletters', body, undefined, headers);
  assert.deepEqual([first.status, second.status, second.headers['idempotent-replayed']], [201, 201, 'true']);
  assert.deepEqual(second.body, first.body);
  assert.deepEqual(await slugs(), ['once']);
});

test('422 for a logo that browsers would not show, and 400 for what is no URL, speak of logos', async () => {
  const { id } = await aRecord();
  for (const [status, url, said] of [
    [422, 'javascript:alert(1)', /^logo_url must be a whole URL, as in https:.*logo\.png/],
    [400, 'no url', /^logo_url must be a whole URL/],
    [422, 'http://cdn.example.com/logo.png', /^logo_url must be https: other images are not shown/],
  ] as const) {
    const answer = await patch(id, { logo_url: url });
    assert.equal(answer.status, status);
    assert.match(String(answer.body['message']), said);
  }
});
