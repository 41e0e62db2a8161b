import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { rawMime } from '../../../../test/harness/raw-messages.ts';
import { type RelayClient, relayClient } from '../../../../test/harness/relay-client.ts';
import { type Body, createScheduledApp, inSeconds, type ScheduledApp } from '../test-kit.ts';
import type { DueService } from '#platform/work/due-service.ts';
import { createDueService } from './due-service.ts';

let t: ScheduledApp;
let due: DueService;
let key: string;
const clients: RelayClient[] = [];
before(async () => {
  t = await createScheduledApp({ relay: true });
  due = createDueService(t.wiring);
  key = await t.key({});
});
afterEach(() => {
  for (const client of clients.splice(0)) client.socket.destroy();
});
after(() => t.close());

async function client(ofKey = key): Promise<RelayClient> {
  const one = await relayClient(t.app.relayPort, ofKey);
  clients.push(one);
  return one;
}
const jobOf = (reply: string): string =>
  /^250 2\.0\.0 Queued as ([0-9a-f-]{36})$/.exec(reply)?.[1] ?? assert.fail(reply);
let made = 0;
const message = (fields: readonly string[], body = 'See you\r\n.\r\n  trailing \t\r\n'): string => {
  made += 1;
  return rawMime(body, { fields }).toString('latin1').replace('<4711@', `<${made}@`);
};
const inAnHour = (): string => `X-Service-Schedule: ${inSeconds(3_600)}`;
const rowCount = async (): Promise<Body> =>
  (
    await sql<Body>`select (select count(*) from scheduled_emails) as kept, (select count(*) from emails) as emails`.execute(
      t.app.db,
    )
  ).rows[0];

test('a message with X-Service-Schedule waits for its time, and leaves byte for byte for the addresses of its envelope', async () => {
  const at = inSeconds(3_600);
  const plain = message(['X-Own: stays']);
  const given = plain.replace('X-Own', `X-Service-Schedule: ${at}\r\nX-Service-Tags: kind=reminder\r\nX-Own`);
  const id = jobOf(await (await client()).send(given, ['ada@example.com', 'Bob@example.com']));
  const { body } = await t.call('GET', `/${id}`);
  assert.partialDeepStrictEqual(body, {
    status: 'scheduled',
    scheduled_for: at,
    from: '"Acme, Inc" <hello@posthorn.test>',
    to: ['ada@example.com', 'Bob@example.com'],
    subject: 'Grüße',
    text: 'See you\r\n.\r\n  trailing \t\r\n',
    tags: [{ name: 'kind', value: 'reminder' }],
    attachments: [{ filename: 'message.eml', content_type: 'message/rfc822', size: plain.length }],
  });
  assert.equal((await t.call('GET', `/v1/send/${id}`)).body.status, 'scheduled');
  assert.deepEqual((await t.stored(id)).emails, [], 'nothing is queued before its time');

  await t.dueAgo(id, 1);
  assert.equal(await due.runOnce(), 1);
  const { row, emails, files } = await t.stored(id);
  assert.deepEqual([row.status, emails, files], ['processing', ['queued', 'queued'], 0]);
  const { rows } = await sql<{ recipient: string; mime: Buffer; tags: Body }>`
    select e.recipient, c.mime, c.tags from emails e
      join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
      join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and r.scheduled_id = ${id} order by e.recipient`.execute(t.app.db);
  assert.deepEqual(
    rows.map(({ recipient, mime, tags }) => [recipient, mime.toString('latin1'), tags]),
    ['ada@example.com', 'bob@example.com'].map((to) => [to, plain, [{ name: 'kind', value: 'reminder' }]]),
  );
});

test('with a template, the email keeps the version that the template had', async () => {
  const template = { name: 'Later', alias: 'later', subject: 'Hi {{ name }}', text: 'First for {{ name }}' };
  const { body } = await t.call('POST', '/v1/templates', { body: template });
  const fields = [inAnHour(), 'X-Service-Template: later', 'X-Service-Variables: {"name":"Ada"}'];
  const id = jobOf(await (await client()).send(message(fields)));
  await t.call('PATCH', `/v1/templates/${body.id}`, { body: { text: 'Second' } });
  await t.dueAgo(id, 1);
  assert.equal(await due.runOnce(), 1);
  const { job_id: jobId } = (await t.call('GET', `/${id}`)).body;
  const [email] = (await t.call('GET', `/v1/send/${jobId}`)).body.emails.data;
  const content = (await t.call('GET', `/v1/emails/${email.id}/content`)).body;
  assert.deepEqual([content.subject, content.text], ['Grüße', 'First for Ada']);
});

test('a message that comes again is kept once, also with its key and another boundary', async () => {
  const one = await client();
  const mime = message([inAnHour()]);
  const first = jobOf(await one.send(mime));
  const before = await rowCount();
  assert.equal(jobOf(await one.send(mime)), first);
  assert.deepEqual(await rowCount(), before);
  const keyed = ['X-Idempotency-Key: later-1', inAnHour()];
  const second = jobOf(await one.send(message(keyed)));
  assert.equal(jobOf(await one.send(message(keyed))), second);
  assert.match(await one.send(message(keyed), ['bob@example.com']), /^554 5\.6\.0 X-Idempotency-Key was used/);
  assert.equal(Number((await rowCount()).kept), Number(before.kept) + 1);
});

test('554 for a time that has passed, is too far or cannot be read, with the reason, and nothing is kept or sent', async () => {
  const before = await rowCount();
  const one = await client();
  for (const [field, reply] of [
    [`X-Service-Schedule: ${inSeconds(-60)}`, 'X-Service-Schedule has passed'],
    [`X-Service-Schedule: ${inSeconds(366 * 86_400)}`, 'X-Service-Schedule must be at most 365 days ahead'],
    ['X-Service-Schedule: tomorrow', 'X-Service-Schedule'],
    ['X-Service-Schedule:', 'X-Service-Schedule is empty'],
    [`${inAnHour()}\r\n${inAnHour()}`, 'X-Service-Schedule stands more than once'],
  ] as const)
    assert.match(await one.send(message([field])), new RegExp(`^554 5\\.[36]\\.[03] ${reply}`), field);
  assert.deepEqual(await rowCount(), before);
});

test('a message that waits can be moved and cancelled, and 409 says that its content cannot be changed', async () => {
  const id = jobOf(await (await client()).send(message([inAnHour()])));
  const changed = await t.call('PATCH', `/${id}`, { body: { subject: 'Another' } });
  assert.equal(changed.status, 409, changed.text);
  assert.match(changed.body.message, /leaves as it came/);
  assert.equal((await t.call('GET', `/${id}`)).body.subject, 'Grüße');
  const moved = await t.call('PATCH', `/${id}/reschedule`, { body: { scheduled_for: inSeconds(7_200) } });
  assert.equal(moved.status, 200, moved.text);
  assert.equal((await t.stored(id)).files, 1);
  assert.equal((await t.call('DELETE', `/${id}`)).status, 200);
  const { row, files, sends } = await t.stored(id);
  assert.deepEqual([row.status, files, sends], ['cancelled', 0, 0]);
});

test('the tracking that a message asks for counts when it leaves', async () => {
  const html = (fields: readonly string[]): string =>
    message([inAnHour(), ...fields], '<p>Hi</p>\r\n').replace('text/plain', 'text/html');
  const one = await client();
  const ids = [
    jobOf(await one.send(html(['X-Service-Track-Opens: yes']))),
    jobOf(await one.send(html(['X-Service-Track-Clicks: no']))),
  ];
  for (const id of ids) await t.dueAgo(id, 1);
  assert.equal(await due.runOnce(), 2);
  const { rows } = await sql<{ opens: boolean; clicks: boolean }>`
    select c.track_opens as opens, c.track_clicks as clicks from contents c
      join send_requests r on r.workspace_id = c.workspace_id and r.content_id = c.id
     where r.workspace_id = ${t.app.workspaceId} and r.scheduled_id = any(${ids}::uuid[])
     order by c.track_opens`.execute(t.app.db);
  assert.deepEqual(rows, [
    { opens: false, clicks: false },
    { opens: true, clicks: false },
  ]);
});

test('a message of a test key stays on the server when its time comes', async () => {
  const one = await client(await t.key({ mode: 'test', scopes: ['emails:send'] }));
  const id = jobOf(await one.send(message([inAnHour()])));
  await t.dueAgo(id, 1);
  assert.equal(await due.runOnce(), 1);
  const { rows } = await sql<{ sandbox: boolean }>`
    select e.sandbox from emails e join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and r.scheduled_id = ${id}`.execute(t.app.db);
  assert.deepEqual(rows, [{ sandbox: true }]);
});
