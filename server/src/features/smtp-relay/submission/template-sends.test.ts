import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { rawMime } from '../../../../test/harness/raw-messages.ts';
import { type RelayClient, relayClient } from '../../../../test/harness/relay-client.ts';

let api: TestApp;
const clients: RelayClient[] = [];
before(async () => {
  api = await createTestApp({ relay: true });
  const { status } = await api.request({
    url: '/v1/templates',
    body: {
      name: 'Welcome',
      alias: 'welcome',
      subject: 'Welcome, {{ name }}',
      html: '<p>Hi {{ name }}, see <a href="https://example.com/">this</a></p>',
      text: 'Hi {{ name }}',
    },
  });
  assert.equal(status, 201);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.socket.destroy();
});
after(() => api.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
type Body = any;

async function client(body: object = {}): Promise<RelayClient> {
  const made = await api.request({ url: '/v1/api-keys', body: { name: 'relay', scopes: ['emails:send'], ...body } });
  const one = await relayClient(api.relayPort, (made.body as Body).key);
  clients.push(one);
  return one;
}
const jobOf = (reply: string): string =>
  /^250 2\.0\.0 Queued as ([0-9a-f-]{36})$/.exec(reply)?.[1] ?? assert.fail(reply);
const get = async (url: string): Promise<Body> => (await api.request({ url })).body;
const emailsOf = async (jobId: string): Promise<Body[]> => (await get(`/v1/send/${jobId}`)).emails.data;
const emailCount = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from emails
    where workspace_id = ${api.workspaceId}`.execute(api.db);
  return rows[0]?.n ?? 0;
};

const ADA = ['X-Service-Template: welcome', 'X-Service-Variables: {"name":"Ada"}'];
let made = 0;
/** With an id of its own, and without a subject unless `fields` have one. */
const message = (fields: readonly string[], body?: string, type?: string): Buffer =>
  Buffer.from(
    rawMime(body ?? 'The text of the message\r\n', { fields, ...(type === undefined ? {} : { type }) })
      .toString('latin1')
      .replace('<4711@', `<${(made += 1)}@`)
      .replace(/^Subject:.*\r\n/m, ''),
    'latin1',
  );

test('X-Service-Template sends the texts of a template to each address of the envelope, and not those of the message', async () => {
  const one = await client();
  const jobId = jobOf(
    await one.send(message([...ADA, 'X-Service-Tags: kind=welcome']), ['ada@example.com', 'b@example.com']),
  );
  const emails = await emailsOf(jobId);
  assert.deepEqual(emails.map(({ to }) => to).toSorted(), ['ada@example.com', 'b@example.com']);
  for (const { id } of emails) {
    const email = await get(`/v1/emails/${id}`);
    assert.partialDeepStrictEqual(email, {
      source: 'relay',
      from: 'Acme, Inc <hello@posthorn.test>',
      subject: 'Welcome, Ada',
      tags: [{ name: 'kind', value: 'welcome' }],
      template_version: 1,
      request_id: null,
    });
    assert.partialDeepStrictEqual(await get(`/v1/emails/${id}/content`), {
      html: '<p>Hi Ada, see <a href="https://example.com/">this</a></p>',
      text: 'Hi Ada',
    });
  }
});

test('sender, Reply-To, subject, In-Reply-To, fields with X- and files of the message go with the template', async () => {
  const parts = [
    '--b\r\nContent-Type: text/plain\r\n\r\nThe text of the message\r\n',
    '--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n',
    'Content-Transfer-Encoding: base64\r\n\r\nAAEC\r\n--b--\r\n',
  ].join('');
  const fields = [
    ...ADA,
    'Subject: For {{ name }}',
    'Reply-To: Help <help@posthorn.test>',
    'In-Reply-To: <earlier@example.com>',
    'X-Own: stays',
  ];
  const jobId = jobOf(await (await client()).send(message(fields, parts, 'multipart/mixed; boundary=b')));
  const [{ id }] = await emailsOf(jobId);
  const content = await get(`/v1/emails/${id}/content`);
  assert.partialDeepStrictEqual(content, { subject: 'For Ada', text: 'Hi Ada' });
  assert.equal(content.attachments.length, 1);
  assert.partialDeepStrictEqual(content.attachments[0], { filename: 'a.pdf', size: 3 });
  const { rows } = await sql<Body>`
    select reply_to, headers, in_reply_to from contents c join emails e on e.workspace_id = c.workspace_id and e.content_id = c.id
     where e.workspace_id = ${api.workspaceId} and e.id = ${id}`.execute(api.db);
  assert.match(JSON.stringify(rows[0].reply_to), /help@posthorn\.test/);
  assert.deepEqual(rows[0].in_reply_to, '<earlier@example.com>');
  assert.deepEqual(
    Object.entries(rows[0].headers).map(([name, value]) => `${name.toLowerCase()}: ${String(value)}`),
    ['x-own: stays'],
  );
});

test('a message with a template that comes again is the one that was taken', async () => {
  const one = await client();
  const mime = message(ADA);
  const first = jobOf(await one.send(mime));
  const before = await emailCount();
  assert.equal(jobOf(await one.send(mime)), first);
  const keyed = ['X-Idempotency-Key: welcome-1', ...ADA];
  assert.equal(jobOf(await one.send(message(keyed))), jobOf(await one.send(message(keyed))));
  assert.equal(await emailCount(), before + 1);
});

test('a message with a template may be tracked, and says so by field; others follow the workspace', async () => {
  const one = await client();
  const tracked = async (fields: readonly string[]): Promise<Body> => {
    const jobId = jobOf(await one.send(message([...ADA, ...fields])));
    const { rows } = await sql<Body>`
      select c.track_opens, c.track_clicks from contents c join send_requests s on s.workspace_id = c.workspace_id and s.content_id = c.id
       where s.workspace_id = ${api.workspaceId} and s.id = ${jobId}`.execute(api.db);
    return [rows[0].track_opens, rows[0].track_clicks];
  };
  assert.deepEqual(await tracked(['X-Service-Track-Opens: yes', 'X-Service-Track-Clicks: no']), [true, false]);
  assert.deepEqual(await tracked(['X-Service-Track-Opens: no', 'X-Service-Track-Clicks: yes']), [false, true]);
});

test('554 for a template or variables that cannot be sent, with the reason, and nothing is sent', async () => {
  const before = await emailCount();
  const one = await client();
  for (const [fields, reply] of [
    [['X-Service-Template: welcome'], 'variables\\.name'],
    [['X-Service-Template: nobody'], 'There is no template nobody in this workspace'],
    [['X-Service-Template:'], 'X-Service-Template must be the id or the alias'],
    [[`X-Service-Template: ${'x'.repeat(101)}`], 'X-Service-Template must be the id or the alias'],
    [['X-Service-Template: a', 'X-Service-Template: b'], 'X-Service-Template stands more than once'],
    [['X-Service-Variables: {"name":"Ada"}'], 'X-Service-Variables are the values of a template'],
    [['X-Service-Template: welcome', 'X-Service-Variables: [1]'], 'X-Service-Variables must be a JSON object'],
    [['X-Service-Template: welcome', 'X-Service-Variables: {"a":'], 'X-Service-Variables: it is not valid JSON'],
    [[...ADA, 'Subject: {{ name'], 'subject'],
    [[...ADA, `X-Own: ${'x'.repeat(900)}`], 'headers\\.x-own: The value is longer'],
    [[...ADA, 'X-Service-Track-Opens: perhaps'], 'X-Service-Track-Opens must be yes or no'],
  ] as const)
    assert.match(await one.send(message(fields)), new RegExp(`^554 5\\.6\\.0 .*${reply}`, 'i'), fields.join());
  assert.equal(await emailCount(), before);
});

test('a draft is sent with a test key only, and stays on the server', async () => {
  const { body } = await api.request({
    url: '/v1/templates',
    body: { name: 'Draft', alias: 'draft', subject: 'S', text: 'T', publish: false },
  });
  assert.equal((body as Body).published_version, null);
  const fields = ['X-Service-Template: draft'];
  assert.match(await (await client()).send(message(fields)), /^554 5\.6\.0 .*was never published/);
  const [email] = await emailsOf(jobOf(await (await client({ mode: 'test' })).send(message(fields))));
  assert.equal((await get(`/v1/emails/${email.id}`)).sandbox, true);
});
