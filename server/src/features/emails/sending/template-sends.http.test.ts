import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { countStored, createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';

let api: EmailsApp;
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

type Given = { url?: string; token?: string; headers?: Record<string, string> };
const send = (body: object, { url = '/v1/send', ...given }: Given = {}) =>
  api.call({ method: 'POST', url, body, ...given });
const from = 'hello@posthorn.test';
const to = ['ada@example.com'];

let made = 0;
async function aTemplate(given: object = {}): Promise<{ id: string; alias: string }> {
  made += 1;
  const { status, body } = await api.call({
    method: 'POST',
    url: '/v1/templates',
    body: { name: 'T', alias: `t${made}`, subject: 'Hi {{ name }}', html: '<p>{{ name }}</p>', ...given },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

interface Stored {
  recipient: string;
  subject: string;
  html: string | null;
  text: string | null;
  from: string;
  templateId: string | null;
  templateVersion: number | null;
}

async function storedBy(jobId: string): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select e.recipient, c.subject, c.html, c.text, c.from_address as "from", s.template_id as "templateId",
           s.template_version as "templateVersion"
      from emails e
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
      join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.send_id = ${jobId} order by e.id`.execute(api.t.db);
  return rows;
}

async function accepted(body: object, given: Given = {}): Promise<Stored[]> {
  const answer = await send(body, given);
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  return storedBy(answer.body.jobId);
}

test('202 a template by its alias or id, with its subject and sender', async () => {
  const { id, alias } = await aTemplate({ from: 'Acme <acme@posthorn.test>' });
  for (const templateId of [id, alias]) {
    const [email] = await accepted({ to, templateId, variables: { name: 'A & B' } });
    assert.deepEqual(email, {
      recipient: 'ada@example.com',
      subject: 'Hi A & B',
      html: '<p>A &amp; B</p>',
      text: null,
      from: 'acme@posthorn.test',
      templateId: id,
      templateVersion: 1,
    });
  }
  const { body } = await api.call({ method: 'GET', url: `/v1/emails?template_id=${id}` });
  assert.deepEqual([body.total, body.data[0].template_id, body.data[0].template_version], [2, id, 1]);
});

test('202 the request wins over the template', async () => {
  const { alias } = await aTemplate({ from: 'acme@posthorn.test' });
  const given = { from, subject: '{{ name }}!', replyTo: 'r@posthorn.test' };
  const [email] = await accepted({ ...given, to, template_id: alias, variables: { name: 'Ada' } });
  assert.deepEqual([email?.from, email?.subject], [from, 'Ada!']);
});

test('202 texts without variables and template are sent byte for byte', async () => {
  const html = '<p>{{ name }}{% if %}\r\n\u00a0</p>';
  for (const variables of [undefined, null, {}]) {
    const [email] = await accepted({ from, to, subject: '{{ a }}', html, text: '{% b %}', variables });
    assert.deepEqual([email?.subject, email?.html, email?.text], ['{{ a }}', html, '{% b %}']);
  }
});

test('202 texts with variables are Liquid, and a preheader stays out of the text', async () => {
  const [email] = await accepted({
    from,
    to,
    subject: 'Hi {{ name }}',
    html: '<p>{{ name | raw }}</p>',
    preheader: 'For {{ name }}',
    variables: { name: '<b>A</b>\r\nX' },
  });
  assert.equal(email?.subject, 'Hi <b>A</b> X');
  assert.match(email?.html ?? '', /For &lt;b&gt;A&lt;\/b&gt; X/);
  assert.equal(email?.text, 'A X');
});

test('202 every recipient gets their own values, others those of all, files included', async () => {
  const { alias } = await aTemplate();
  const many = ['a@example.com', 'Bea <B@example.com>', 'c@example.com', 'd@example.com'];
  const answer = await send({
    from,
    to: many,
    templateId: alias,
    variables: { name: 'all' },
    recipientVariables: { 'b@example.com': { name: 'Bea' }, 'c@example.com': { name: 'Cy' } },
    attachments: [{ filename: 'a.txt', content: 'AAEC' }],
  });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  const stored = await storedBy(answer.body.jobId);
  assert.deepEqual(
    stored.map(({ recipient, subject, html }) => [recipient, subject, html]),
    [
      ['a@example.com', 'Hi all', '<p>all</p>'],
      ['b@example.com', 'Hi Bea', '<p>Bea</p>'],
      ['c@example.com', 'Hi Cy', '<p>Cy</p>'],
      ['d@example.com', 'Hi all', '<p>all</p>'],
    ],
  );
  for (const { id } of answer.body.emails) {
    const { body } = await api.call({ method: 'GET', url: `/v1/emails/${id}/content` });
    assert.deepEqual(
      body.attachments.map((file: { filename: string }) => file.filename),
      ['a.txt'],
    );
  }
});

test('202 a later version does not change what was accepted', async () => {
  const { alias } = await aTemplate();
  const answer = await send({ from, to, templateId: alias, variables: { name: 'Ada' } });
  await api.call({ method: 'PATCH', url: `/v1/templates/${alias}`, body: { html: 'changed' } });
  assert.equal((await storedBy(answer.body.jobId))[0]?.html, '<p>Ada</p>');
});

test('202 a live key sends a version that was published once; a test key a draft', async () => {
  const { alias } = await aTemplate({ html: 'one' });
  await api.call({ method: 'PATCH', url: `/v1/templates/${alias}`, body: { html: 'two' } });
  await api.call({ method: 'PATCH', url: `/v1/templates/${alias}`, body: { html: 'three', publish: false } });
  const body = { from, to, templateId: alias, variables: { name: 'x' } };
  const of = async (templateVersion: unknown, given: Given = {}) =>
    (await accepted({ ...body, templateVersion }, given))[0]?.html;
  assert.deepEqual([await of(undefined), await of('published'), await of(1)], ['two', 'two', 'one']);
  const refused = await send({ ...body, templateVersion: 3 });
  assert.deepEqual([refused.status, refused.body.param], [422, 'templateVersion']);
  const token = await api.caller({ mode: 'test' });
  assert.equal(await of(3, { token }), 'three');
  assert.equal((await send({ ...body, templateVersion: 9 }, { token })).body.param, 'templateVersion');
});

test('202 a missing variable is empty when the send is not strict', async () => {
  const { alias } = await aTemplate();
  const [email] = await accepted({ from, to, templateId: alias, strictVariables: false });
  assert.deepEqual([email?.subject, email?.html], ['Hi', '<p></p>']);
});

test('202 items of a batch have templates too, and a bad one is named by its place', async () => {
  const { alias, id } = await aTemplate();
  const good = { from, to, templateId: alias, variables: { name: 'Ada' } };
  const bad = await send({ emails: [good, { from, to, templateId: alias }] }, { url: '/v1/batch' });
  assert.deepEqual([bad.status, bad.body.param], [422, 'emails[1].variables.name']);
  const { status, body } = await send(
    { emails: [{ ...good, recipientVariables: { 'ada@example.com': { name: 'Own' } } }, good], mode: 'strict' },
    { url: '/v1/batch' },
  );
  assert.equal(status, 202, JSON.stringify(body));
  const stored = await Promise.all(body.results.map(({ jobId }: { jobId: string }) => storedBy(jobId)));
  assert.deepEqual(
    stored.flat().map(({ html, templateId }) => [html, templateId]),
    [
      ['<p>Own</p>', id],
      ['<p>Ada</p>', id],
    ],
  );
});

test('200 a dry run shows the rendered template and stores nothing', async () => {
  const { alias } = await aTemplate();
  const before = await countStored(api.t);
  const { status, body } = await send(
    { from, to, templateId: alias, variables: { name: 'Ada' } },
    { url: '/v1/send?dryRun=true' },
  );
  assert.deepEqual([status, body.rendered], [200, { subject: 'Hi Ada', html: '<p>Ada</p>', text: 'Ada' }]);
  assert.deepEqual(await countStored(api.t), before);
});

test('202 once for one Idempotency-Key, also with values of single recipients', async () => {
  const { alias } = await aTemplate();
  const body = { from, to, templateId: alias, recipientVariables: { 'ada@example.com': { name: 'Ada' } } };
  const headers = { 'idempotency-key': 'own-values' };
  const [first, second] = [await send(body, { headers }), await send(body, { headers })];
  assert.equal(second.body.jobId, first.body.jobId);
  assert.equal((await storedBy(first.body.jobId)).length, 1);
});

const good = { from, to, subject: 'Hi', html: '{{ name }}', variables: { other: 1 } };
const rows: [name: string, status: 400 | 422, param: string, body: object][] = [
  ['a missing variable', 422, 'variables.name', good],
  ['a missing field of a record', 422, 'variables.a.b', { ...good, html: '{{ a.b }}', variables: { a: {} } }],
  [
    'a missing value of one recipient',
    422,
    'variables.name',
    { ...good, to: ['ada@example.com', 'b@example.com'], recipientVariables: { 'ada@example.com': { name: 'x' } } },
  ],
  ['html that cannot be read', 422, 'html', { ...good, html: '{% if' }],
  ['a loop over the limit', 422, 'html', { ...good, html: '{% for i in (1..10001) %}{% endfor %}' }],
  ['a file', 422, 'html', { ...good, html: "{% render '/etc/passwd' %}" }],
  ['a subject that becomes empty', 422, 'subject', { ...good, subject: '{{ s }}', variables: { name: 'x', s: ' ' } }],
  [
    'control characters in a subject',
    422,
    'subject',
    { ...good, subject: '{{ s }}', variables: { name: 'x', s: 'a\u0007b' } },
  ],
  [
    'a subject that becomes too long',
    422,
    'subject',
    { ...good, subject: '{{ s }}', variables: { name: 'x', s: 'x'.repeat(999) } },
  ],
  [
    'values of somebody who gets nothing',
    422,
    'recipientVariables.zoe@example.com',
    { ...good, recipientVariables: { 'zoe@example.com': { name: 'x' } } },
  ],
  [
    'values of an address that is none',
    400,
    'recipientVariables.zoe',
    { ...good, recipientVariables: { zoe: { name: 'x' } } },
  ],
  [
    'values of one address in two spellings',
    400,
    'recipientVariables.ADA@example.com',
    { ...good, recipientVariables: { 'ada@example.com': { name: 'x' }, 'ADA@example.com': { name: 'y' } } },
  ],
  [
    'own values in one message to all',
    422,
    'recipientVariables',
    { ...good, groupRecipients: true, recipientVariables: { 'ada@example.com': { name: 'x' } } },
  ],
  ['variables that are no record', 400, 'variables', { ...good, variables: 'name' }],
  ['a template that is not there', 422, 'templateId', { from, to, templateId: 'nope' }],
  ['a template beside html', 422, 'html', { ...good, templateId: 'nope' }],
  ['a version without a template', 422, 'templateVersion', { ...good, templateVersion: 1 }],
  ['no sender and no template', 400, 'from', { to, subject: 'Hi', html: 'x' }],
];
for (const [name, status, param, body] of rows) {
  test(`${status} ${name}, and nothing is stored`, async () => {
    const before = await countStored(api.t);
    const answer = await send(body);
    assert.deepEqual([answer.status, answer.body.param], [status, param], JSON.stringify(answer.body));
    assert.deepEqual(await countStored(api.t), before);
  });
}

test('400 a template without a sender or a subject, when the send has none', async () => {
  const { alias } = await aTemplate({ subject: null });
  const variables = { name: 'x' };
  assert.equal((await send({ to, templateId: alias, variables, subject: 'Hi' })).body.param, 'from');
  assert.equal((await send({ from, to, templateId: alias, variables })).body.param, 'subject');
});

test('422 a draft with a live key, and a template of another workspace', async () => {
  const { alias } = await aTemplate({ publish: false });
  const body = { from, to, templateId: alias, variables: { name: 'x' } };
  assert.deepEqual([(await send(body)).status, (await send(body)).body.param], [422, 'templateId']);
  const { id } = await aTemplate();
  const token = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  assert.equal((await send({ ...body, templateId: id }, { token })).body.param, 'templateId');
});

test('422 a value of another type than the template declares', async () => {
  const { alias } = await aTemplate({ variables: [{ key: 'name', type: 'number' }] });
  const { status, body } = await send({ from, to, templateId: alias, variables: { name: 'x' } });
  assert.deepEqual([status, body.param], [422, 'variables.name']);
});

test('202 a thousand recipients with values of their own, and the process serves others meanwhile', async () => {
  const rows = Array.from({ length: 150 }, (_, n) => `<tr><td>${n}</td><td>{{ name | upcase }}</td></tr>`).join('');
  const { alias } = await aTemplate({ html: `<table>${rows}</table>` });
  const many = Array.from({ length: 1_000 }, (_, n) => `p${n}@example.com`);
  const recipientVariables = Object.fromEntries(many.map((address, n) => [address, { name: `Name${n}` }]));
  const body = { from, to: many, templateId: alias, variables: { name: 'x' }, recipientVariables };
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  // A dry run renders and stores nothing: it has few turns of its own.
  assert.equal((await send(body, { url: '/v1/send?dryRun=true' })).status, 200);
  clearInterval(timer);
  assert.ok(turns > 20, `${turns} turns`);
  const answer = await send(body);
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  assert.deepEqual([answer.body.accepted, answer.body.emails.length], [1_000, 100]);
  const { rows: stored } = await sql<{ emails: number; subjects: number }>`
    select count(*)::integer as emails, count(distinct c.subject)::integer as subjects
      from emails e join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
     where e.send_id = ${answer.body.jobId}`.execute(api.t.db);
  assert.deepEqual(stored, [{ emails: 1_000, subjects: 1_000 }]);
});
