import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createEmailsApp, type EmailsApp } from '../../../test/harness/emails-app.ts';

let api: EmailsApp;
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

type Given = Partial<Parameters<EmailsApp['call']>[0]>;
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown, given: Given = {}) =>
  api.call({ method, url: `/v1/templates${url}`, body, ...given });
const post = (url: string, body?: unknown, given: Given = {}) => call('POST', url, body, given);

let made = 0;
async function aTemplate(given: Record<string, unknown> = {}) {
  made += 1;
  const { status, body } = await post('', { name: 'T', alias: `t${made}`, html: '<p>Hi {{ name }}</p>', ...given });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}
const countOf = async (): Promise<number> => (await call('GET', '?limit=1')).body.total;

test('201 with the template, its variables found by reading it', async () => {
  const { status, body } = await post('', {
    name: 'Welcome',
    alias: 'welcome',
    subject: 'Welcome {{ name }}',
    html: '<p>Hi {{ name }}, {{ city | default: "there" }}</p>',
    from: 'Acme <hello@posthorn.test>',
    replyTo: ['help@posthorn.test'],
    variables: [
      { key: 'name', fallback: 'you' },
      { key: 'age', type: 'number', required: true },
    ],
  });
  assert.equal(status, 201);
  const { id, created_at, updated_at, ...rest } = body;
  assert.ok(id && created_at && updated_at);
  assert.deepEqual(rest, {
    name: 'Welcome',
    alias: 'welcome',
    version: 1,
    published_version: 1,
    status: 'published',
    subject: 'Welcome {{ name }}',
    preheader: null,
    html: '<p>Hi {{ name }}, {{ city | default: "there" }}</p>',
    text: null,
    from: 'Acme <hello@posthorn.test>',
    reply_to: ['help@posthorn.test'],
    layout: null,
    variables: [
      { key: 'age', type: 'number', required: true, fallback: null, declared: true },
      { key: 'city', type: 'string', required: false, fallback: null, declared: false },
      { key: 'name', type: 'string', required: false, fallback: 'you', declared: true },
    ],
    samples: [],
  });
  for (const name of [id, 'welcome']) assert.deepEqual((await call('GET', `/${name}`)).body, body);
  assert.deepEqual((await api.call({ method: 'GET', url: '/api/v1/templates/welcome' })).body, body);
});

test('201 once for one Idempotency-Key', async () => {
  const headers = { 'idempotency-key': 'template-1' };
  const first = await post('', { name: 'Once', text: 'x' }, { headers });
  const second = await post('', { name: 'Once', text: 'x' }, { headers });
  assert.equal(second.body.id, first.body.id);
  assert.equal(second.headers['idempotent-replayed'], 'true');
});

const bad: [name: string, status: number, param: string, body: Record<string, unknown>][] = [
  ['no name', 400, 'name', { html: 'x' }],
  ['no body', 400, 'html', { name: 'x' }],
  ['an alias in capitals', 400, 'alias', { alias: 'Welcome', html: 'x' }],
  ['an alias that is an id', 400, 'alias', { alias: '0197f400-1c2d-7abc-8def-0123456789ab', html: 'x' }],
  ['a sender that is none', 400, 'from', { from: 'nobody', html: 'x' }],
  ['a variable that reaches the language', 400, 'variables[0].key', { html: 'x', variables: [{ key: 'a.__proto__' }] }],
  ['html that cannot be read', 422, 'html', { html: '{% if %}' }],
  ['a subject that cannot be read', 422, 'subject', { html: 'x', subject: '{{ a' }],
  ['a tag that reads files', 422, 'html', { html: "{% include '/etc/passwd' %}" }],
  ['a partial that is not there', 422, 'html', { html: "{% render 'nope' %}" }],
  ['a layout that is not there', 422, 'layout', { html: 'x', layout: 'nope' }],
  ['itself', 422, 'html', { html: "{% render 'self' %}", alias: 'self' }],
  [
    'a sample that does not render',
    422,
    'samples[0]',
    { html: '{{ a }}', samples: [{ name: 'empty', variables: {} }] },
  ],
];
for (const [name, status, param, body] of bad) {
  test(`${status} ${name}, and nothing is stored`, async () => {
    const before = await countOf();
    const answer = await post('', name === 'no name' ? body : { name: 'x', ...(name === 'no body' ? {} : body) });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.equal(answer.body.param, param);
    assert.equal(await countOf(), before);
  });
}

test('422 for one of two templates that name each other at the same time', async () => {
  const naming = (alias: string) => ({ html: `{% render '${alias}' %}` });
  // Several pairs, because one may come one after the other by chance.
  for (let pair = 0; pair < 4; pair += 1) {
    const [first, second] = [await aTemplate(), await aTemplate()];
    const changed = await Promise.all([
      call('PATCH', `/${first.id}`, naming(second.alias)),
      call('PATCH', `/${second.id}`, naming(first.alias)),
    ]);
    assert.deepEqual(changed.map(({ status }) => status).toSorted(), [200, 422]);
    const versions = [first, second].map(async ({ id }) => (await call('GET', `/${id}`)).body.version);
    assert.deepEqual((await Promise.all(versions)).toSorted(), [1, 2]);
  }
});

test('409 an alias that is taken, also when a template is changed', async () => {
  const { alias } = await aTemplate();
  const other = await aTemplate();
  assert.equal((await post('', { name: 'x', alias, html: 'x' })).status, 409);
  const { status, body } = await call('PATCH', `/${other.id}`, { alias });
  assert.deepEqual([status, body.param], [409, 'alias']);
  assert.equal((await call('GET', `/${other.id}`)).body.alias, other.alias);
});

test('200 a list without bodies: newest first, searched, by status, page by page', async () => {
  const draft = await aTemplate({ name: 'Needle_draft', publish: false });
  const published = await aTemplate({ name: 'Needle_published' });
  const { body } = await call('GET', '?search=needle_');
  assert.deepEqual(
    body.data.map((one: { id: string }) => one.id),
    [published.id, draft.id],
  );
  assert.equal(body.data[0].html, undefined);
  assert.deepEqual(
    (await call('GET', '?search=needle_&status=draft')).body.data.map((one: { id: string }) => one.id),
    [draft.id],
  );
  const first = await call('GET', '?search=needle_&limit=1');
  const second = await call('GET', `?search=needle_&limit=1&cursor=${first.body.next_cursor}`);
  assert.deepEqual([first.body.total, second.body.data[0].id, second.body.has_more], [2, draft.id, false]);
});

test('200 a change makes the next version and publishes it; publish:false makes a draft', async () => {
  const { id } = await aTemplate();
  const second = await call('PATCH', `/${id}`, { html: 'two' });
  assert.deepEqual([second.status, second.body.version, second.body.published_version], [200, 2, 2]);
  const draft = await call('PATCH', `/${id}`, { html: 'three', publish: false });
  assert.deepEqual([draft.body.version, draft.body.published_version], [3, 2]);
  const { body } = await call('GET', `/${id}/versions`);
  assert.deepEqual(
    body.data.map((one: { version: number; status: string }) => [one.version, one.status]),
    [
      [3, 'draft'],
      [2, 'published'],
      [1, 'superseded'],
    ],
  );
  const page = await call('GET', `/${id}/versions?limit=1`);
  const next = await call('GET', `/${id}/versions?limit=1&cursor=${page.body.next_cursor}`);
  assert.equal(next.body.data[0].version, 2);
  assert.equal((await call('GET', `/${id}?version=2`)).body.html, 'two');
  const published = await post(`/${id}/publish`, { version: 3 });
  assert.equal(published.body.published_version, 3);
  const again = await post(`/${id}/publish`, { version: 1 });
  assert.deepEqual([again.body.version, again.body.published_version], [1, 1]);
});

test('200 a change that changes nothing makes no version', async () => {
  const { id } = await aTemplate();
  const { body } = await call('PATCH', `/${id}`, { html: '<p>Hi {{ name }}</p>', name: 'Renamed' });
  assert.deepEqual([body.version, body.name], [1, 'Renamed']);
});

test('409 a change of what somebody else has changed', async () => {
  const { id } = await aTemplate();
  const { etag } = (await call('GET', `/${id}`)).headers;
  const headers = { 'if-match': String(etag) };
  assert.equal((await call('PATCH', `/${id}`, { html: 'a' }, { headers })).status, 200);
  const { status } = await call('PATCH', `/${id}`, { html: 'b' }, { headers });
  assert.equal(status, 409);
  assert.equal((await call('GET', `/${id}`)).body.html, 'a');
});

test('200 a rollback makes a new version of the old one and publishes it', async () => {
  const { id } = await aTemplate({ html: 'one' });
  await call('PATCH', `/${id}`, { html: 'two' });
  const { body } = await post(`/${id}/rollback`, { version: 1 });
  assert.deepEqual([body.version, body.published_version, body.html], [3, 3, 'one']);
  assert.equal((await post(`/${id}/rollback`, { version: 9 })).status, 404);
});

test('200 a change of what sends is in the log with the version before', async () => {
  const { id } = await aTemplate({ html: 'one' });
  await call('PATCH', `/${id}`, { html: 'two', name: 'Renamed' });
  await call('PATCH', `/${id}`, { html: 'three', publish: false });
  await post(`/${id}/publish`, { version: 3 });
  await post(`/${id}/publish`, { version: 3 });
  await post(`/${id}/rollback`, { version: 1 });
  const { rows } = await sql<{ action: string; details: Record<string, unknown> }>`
    select action, details - 'name' - 'published' as details from security_log
     where workspace_id = ${api.workspaceId} and target_id = ${id} order by at, id offset 1`.execute(api.t.db);
  const sends = (before: number, after: number) => ({ published_version: { before, after } });
  assert.deepEqual(
    rows.map(({ action, details }) => [action, details]),
    [
      ['template.updated', { version: 2, changes: { name: { before: 'T', after: 'Renamed' }, ...sends(1, 2) } }],
      ['template.updated', { version: 3 }],
      ['template.published', { version: 3, changes: sends(2, 3) }],
      ['template.rolled_back', { version: 4, to_version: 1, changes: sends(3, 4) }],
    ],
  );
});

test('201 a duplicate has a new id and no alias', async () => {
  const { id, html } = await aTemplate();
  const { status, body } = await post(`/${id}/duplicate`);
  assert.deepEqual([status, body.alias, body.html, body.version, body.name], [201, null, html, 1, 'Copy of T']);
  assert.notEqual(body.id, id);
});

test('200 rendering escapes html, leaves text, and names what is missing', async () => {
  const { alias } = await aTemplate({ subject: 'Hi {{ name }}', text: 'Hi {{ name }} {{ city }}' });
  const { status, body } = await post(`/${alias}/render`, { variables: { name: '<b>\r\nBcc: x' } });
  assert.equal(status, 200);
  assert.deepEqual(body, {
    subject: 'Hi <b> Bcc: x',
    preheader: null,
    html: '<p>Hi &lt;b&gt;\r\nBcc: x</p>',
    text: 'Hi <b>\r\nBcc: x ',
    missing: ['city'],
  });
});

test('422 a rendering beyond its limits names the field', async () => {
  const { id } = await aTemplate({ html: '{% for i in (1..max) %}{% endfor %}' });
  const { status, body } = await post(`/${id}/render`, { variables: { max: 10_001 } });
  assert.deepEqual([status, body.param], [422, 'html']);
});

test('200 a version keeps the layout and partials that it was published with', async () => {
  await aTemplate({ alias: 'frame', html: '<x>{{ content }}{{ sender }}</x>', publish: true });
  await aTemplate({ alias: 'foot', html: 'v1' });
  const { id, variables } = await aTemplate({ html: "{{ name }}{% render 'foot' %}", layout: 'frame' });
  assert.deepEqual(
    variables.map((one: { key: string; required: boolean }) => [one.key, one.required]),
    [
      ['name', true],
      ['sender', true],
    ],
  );
  const render = async () => (await post(`/${id}/render`, { variables: { name: 'A', sender: 'S' } })).body.html;
  assert.equal(await render(), '<x>Av1S</x>');
  await call('PATCH', '/foot', { html: 'v2' });
  assert.equal(await render(), '<x>Av1S</x>');
  assert.deepEqual((await call('GET', '/foot/used-by')).body, {
    templates: [{ id, name: 'T', alias: `t${made}` }],
    scheduled_emails: [],
    automations: [],
  });
  const refused = await call('DELETE', '/foot');
  assert.equal(refused.status, 409);
  await call('PATCH', `/${id}`, { preheader: 'again' });
  assert.equal(await render(), '<x>Av2S</x>');
  assert.deepEqual((await call('DELETE', '/foot?force=true')).body, { success: true });
  assert.equal(await render(), '<x>Av2S</x>');
});

test('422 two templates inside one another', async () => {
  await aTemplate({ alias: 'a', html: 'a' });
  await aTemplate({ alias: 'b', html: "{% render 'a' %}" });
  const { status, body } = await call('PATCH', '/a', { html: "{% render 'b' %}" });
  assert.deepEqual([status, body.param], [422, 'html']);
  assert.equal((await call('GET', '/a')).body.version, 1);
  const own = await call('PATCH', '/a', { html: 'x', layout: 'a' });
  assert.deepEqual([own.status, own.body.param], [422, 'layout']);
});

test('422 a layout or partial of another workspace is not there', async () => {
  const token = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  await post('', { name: 'Secret', alias: 'secret', html: 'secret {{ content }}' }, { token });
  for (const given of [{ html: "{% render 'secret' %}" }, { html: 'x', layout: 'secret' }]) {
    assert.equal((await post('', { name: 'x', ...given })).status, 422);
  }
});

test('200 a test goes to one address, from a draft too, and counts as a test', async () => {
  const { id } = await aTemplate({ subject: 'Hi {{ name }}', publish: false });
  const { status, body } = await post(`/${id}/send-test`, {
    to: 'ada@example.com',
    variables: { name: 'Ada' },
    version: 1,
  });
  assert.equal(status, 200, JSON.stringify(body));
  const { rows } = await sql<object>`
    select c.subject, s.source, s.template_id as "templateId" from emails e
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
      join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.id = ${body.emailId}`.execute(api.t.db);
  assert.deepEqual(rows, [{ subject: '[Test] Hi Ada', source: 'test', templateId: id }]);
  const missing = await post(`/${id}/send-test`, { to: 'ada@example.com' });
  assert.deepEqual([missing.status, missing.body.param], [422, 'variables.name']);
});

test('403 without the scope, 404 for a template of another workspace', async () => {
  const { id } = await aTemplate();
  const reader = await api.caller({ scopes: ['templates:read'] });
  assert.equal((await call('GET', `/${id}`, undefined, { token: reader })).status, 200);
  assert.equal((await call('PATCH', `/${id}`, { html: 'x' }, { token: reader })).status, 403);
  assert.equal((await post(`/${id}/send-test`, { to: 'a@example.com' }, { token: reader })).status, 403);
  const stranger = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  for (const name of [id, 'welcome', 'nothing']) {
    assert.equal((await call('GET', `/${name}`, undefined, { token: stranger })).status, 404);
    assert.equal((await call('DELETE', `/${name}`, undefined, { token: stranger })).status, 404);
  }
  assert.equal((await call('GET', `/${id}`)).body.version, 1);
});

test('400 for a test with every fault of type and of meaning at once', async () => {
  const { id } = await aTemplate();
  const { status, body } = await post(`/${id}/send-test`, { to: 'no address', version: 'first' });
  assert.deepEqual([status, body.details.map((fault: string) => fault.split(' ')[0])], [400, ['version', 'to']]);
});

test('drafts that are a hundred versions behind end with the next one; what was published stays', async () => {
  const { id } = await aTemplate();
  // Numbers as a hundred drafts would leave them.
  await sql`update templates set version = 150 where id = ${id}`.execute(api.t.db);
  await sql`
    insert into template_versions (workspace_id, template_id, version, html, variables, pinned)
    select workspace_id, template_id, n, html, variables, pinned from template_versions, (values (2), (150)) as v (n)
     where template_id = ${id}`.execute(api.t.db);
  await call('PATCH', `/${id}`, { html: 'next', publish: false });
  const { body } = await call('GET', `/${id}/versions`);
  assert.deepEqual(
    body.data.map((one: { version: number }) => one.version),
    [151, 150, 1],
  );
});
