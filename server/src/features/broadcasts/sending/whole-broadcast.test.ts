import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { aDomain } from '../../../../test/harness/builders.ts';
import { BROADCAST_MOVES, BROADCAST_STATUSES } from '../broadcast.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp } from '../test-kit.ts';
import { forgetRecipients } from './services.ts';

let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp({
    worker: true,
    env: { POSTHORN_SEND_RATE: '900', POSTHORN_PROVIDER_CEILING: '1000' },
  });
});
after(() => t.close());

const finished = (id: string): Promise<void> =>
  t.until('the broadcast is finished', async () => (await t.read(id)).finished_at !== null);

const send = async (id: string): Promise<Body> => {
  const reply = await t.call('POST', `/${id}/send`);
  assert.equal(reply.status, 202, reply.text);
  return { ...reply.body, requestId: reply.headers['x-request-id'] };
};

async function mailsOf(id: string): Promise<{ to: string; mime: Buffer }[]> {
  const { rows } = await sql<{ to: string; mime: Buffer }>`
    select c.envelope_to[1] as to, c.mime from captured_emails c
      join emails e on e.workspace_id = c.workspace_id and e.id = c.email_id
      join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where c.workspace_id = ${t.app.workspaceId} and e.workspace_id = c.workspace_id and s.workspace_id = c.workspace_id
       and s.broadcast_id = ${id} order by 1`.execute(t.app.db);
  return rows;
}

test('each contact of the lists gets it once, in pages of 500, but not who left, is suppressed or is excluded', async () => {
  const ids = await t.contacts(604, 'whole');
  const [unsubscribed = '', left = '', suppressed = '', excluded = '', ...others] = ids;
  const list = await t.list(ids.slice(0, 500));
  const second = await t.list(ids.slice(450));
  const out = await t.list([excluded]);
  await t.app.request({ url: `/v1/contacts/${unsubscribed}/unsubscribe`, body: {} });
  await t.app.request({ url: `/v1/contacts/${left}/unsubscribe`, body: { list_id: list } });
  const { email } = (await t.app.request({ url: `/v1/contacts/${suppressed}` })).body as Body;
  await t.app.request({ url: '/v1/suppressions', body: { email } });
  const made = await t.draft({ audience: { list_ids: [list, second], exclude_list_ids: [out] } });
  const answer = await send(made.id);
  assert.deepEqual([answer.status, answer.total_recipients], ['sending', 601]);
  await finished(made.id);

  const done = await t.read(made.id);
  assert.equal(done.status, 'sent');
  const { total, sent, failed, pending, suppressed: stopped, skipped_unsubscribed: skipped } = done.stats;
  assert.deepEqual([total, sent, failed, pending, stopped, skipped], [601, 600, 1, 0, 1, 2]);
  assert.deepEqual(
    done.audit_log.map(({ action, details }: Body) => [action, details]),
    [
      ['created', {}],
      ['send_started', { total_recipients: 601 }],
      ['page_sent', { page: 1, sent: 497, failed: 1, skipped_unsubscribed: 2 }],
      ['page_sent', { page: 2, sent: 103, failed: 0, skipped_unsubscribed: 0 }],
      ['completed', { total_recipients: 601, total_failed: 1 }],
    ],
  );
  const mails = await mailsOf(made.id);
  assert.equal(new Set(mails.map(({ to }) => to)).size, mails.length);
  assert.equal(mails.length, others.length);
  assert.ok(!mails.some(({ to }) => /^whole-0000[0-3]@/.test(to)));
  assert.deepEqual((await t.stored(made.id)).events, ['broadcast.sent']);
  const emails = (await t.app.request({ url: `/v1/emails?broadcast_id=${made.id}&limit=100` })).body as Body;
  assert.deepEqual([...new Set(emails.data.map((one: Body) => one.request_id))], [answer.requestId]);
  await forgetRecipients(t.app);
  const { rows } = await sql`select from broadcast_recipients where workspace_id = ${t.app.workspaceId}`.execute(
    t.app.db,
  );
  assert.equal(rows.length, 0, 'the addresses of its audience are gone');
});

test('the message has the contact’s own values, both ways to leave, and the labels; a template is kept as it was', async () => {
  const template = await t.app.request({
    url: '/v1/templates',
    body: {
      name: 'Kept',
      html: '<p>{{ first_name }}: {{ code }} {{ properties.plan }}</p>',
      subject: 'For {{ first_name }}',
    },
  });
  const { id: templateId } = template.body as Body;
  const ids = await t.contacts(2, 'own');
  const made = await t.draft({
    subject: null,
    html: null,
    template_id: templateId,
    variables: { code: 'X1' },
    audience: { contact_ids: ids },
    tags: [{ name: 'campaign', value: 'sale' }],
  });
  await send(made.id);
  await t.app.request({ method: 'PATCH', url: `/v1/templates/${templateId}`, body: { html: '<p>Changed</p>' } });
  await finished(made.id);
  const mails = await mailsOf(made.id);
  assert.equal(mails.length, 2);
  for (const [index, { mime }] of mails.entries()) {
    const email = await PostalMime.parse(mime);
    assert.equal(email.subject, `For R${index}`);
    assert.ok(email.html?.includes(`<p>R${index}: X1 pro</p>`), email.html ?? '');
    assert.match(email.text ?? '', /You receive this email from Acme\./);
    const text = mime.toString('latin1').replace(/\r\n[ \t]/g, '');
    assert.match(text, /^List-Unsubscribe: ?<https:\/\/app\.example\.com\/api\/c\/unsubscribe\?token=[\w.-]+>\r$/m);
    assert.match(text, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    assert.match(text, /^List-Id: Acme <contacts-[0-9a-f-]+\.posthorn\.test>\r$/m);
  }
  assert.equal((await t.read(made.id)).template_version, 1);
  const [email] = ((await t.app.request({ url: `/v1/emails?broadcast_id=${made.id}` })).body as Body).data;
  assert.deepEqual([email.source, email.broadcast_id, email.template_id], ['broadcast', made.id, templateId]);
  assert.deepEqual(email.tags, [{ name: 'campaign', value: 'sale' }]);
});

test('every state is one that the column allows, and no move leads elsewhere', async () => {
  const { rows } = await sql<{ rule: string }>`
    select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'broadcast_status_check'`.execute(
    t.app.db,
  );
  const allowed = [...(rows[0]?.rule ?? '').matchAll(/'(\w+)'::text/g)].map((match) => match[1]);
  assert.deepEqual([...BROADCAST_STATUSES].sort(), allowed.sort());
  for (const target of Object.values(BROADCAST_MOVES).flatMap((moves) => Object.values<string>(moves))) {
    assert.ok(target in BROADCAST_MOVES, target);
  }
});

test('a domain that is deleted while it is being sent fails the broadcast, with its event, and nobody gets it any more', async () => {
  const { db, workspaceId } = t.app;
  const domainId = await aDomain(db, workspaceId, 'doomed.test', { daily: 0 });
  const made = await t.draft({
    from: 'hello@doomed.test',
    audience: { contact_ids: await t.contacts(3, 'doomed') },
  });
  await send(made.id);
  await t.until('its limit pauses it', async () => (await t.read(made.id)).progress.code === 'domain_limit');
  await sql`delete from domains where workspace_id = ${workspaceId} and id = ${domainId}`.execute(db);
  await t.until('it has failed', async () => (await t.read(made.id)).status === 'failed');
  const failed = await t.read(made.id);
  assert.equal(failed.error_code, 'domain_deleted');
  assert.deepEqual(
    failed.audit_log.slice(-2).map(({ action }: Body) => action),
    ['paused', 'failed'],
  );
  assert.deepEqual((await t.stored(made.id)).events, ['broadcast.failed']);
  assert.equal((await mailsOf(made.id)).length, 0);
});

test('a cancel while it is being sent: what was released leaves, and the log ends with the pages that were written', async () => {
  const { db, workspaceId } = t.app;
  await aDomain(db, workspaceId, 'slow.test', { daily: 2 });
  const made = await t.draft({ from: 'hello@slow.test', audience: { contact_ids: await t.contacts(5, 'slow') } });
  await send(made.id);
  await t.until('its limit pauses it', async () => (await t.read(made.id)).progress.code === 'domain_limit');
  assert.equal((await t.call('POST', `/${made.id}/cancel`)).status, 200);
  await t.until('nothing waits', async () => (await t.read(made.id)).finished_at !== null);
  await t.until('the loop has stopped', async () => (await t.actions(made.id)).at(-1) === 'cancelled');
  const { status, stats, audit_log: log } = await t.read(made.id);
  assert.deepEqual([status, stats.sent, stats.cancelled], ['cancelled', 2, 3]);
  assert.deepEqual(log.at(-1).details, { pages_completed: 1 });
});

test('a broadcast to a newsletter reaches its subscribers with the links, the look and the address of the newsletter', async () => {
  const list = await t.app.request({
    url: '/v1/newsletters',
    body: { name: 'Acme Weekly', slug: 'acme-weekly', double_opt_in: false, postal_address: '1 Main Street' },
  });
  const { id: newsletterId } = list.body as Body;
  for (const name of ['ada', 'bob']) {
    const body = { email: `${name}@weekly.example`, name };
    await t.app.request({ url: `/v1/newsletters/${newsletterId}/subscribers`, body });
  }
  const html = '<p>Hello {{ subscriber.name }}</p>';
  const made = await t.draft({ audience: { newsletter_id: newsletterId }, html });
  await send(made.id);
  await finished(made.id);
  const [ada, ...others] = await mailsOf(made.id);
  assert.equal(others.length, 1);
  const mail = await PostalMime.parse(ada?.mime ?? '');
  const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
  assert.match(headers.get('list-unsubscribe') ?? '', /\/api\/n\/unsubscribe\?token=/);
  assert.match(headers.get('list-id') ?? '', /acme-weekly/);
  assert.match(mail.text ?? '', /Hello ada[\s\S]*1 Main Street/);
  assert.equal((await t.read(made.id)).stats.sent, 2);
});
