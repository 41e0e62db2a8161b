import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import { clickToken } from '#mail/tracking/token.ts';
import { until } from '../../../../test/harness/until.ts';
import { contactAudience } from '../recipients/contact-audience.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp } from '../test-kit.ts';

// No worker runs: emails stay where the freeze left them.
let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp();
});
after(() => t.close());

const SALE = 'https://acme.test/sale';
const PLAN = 'https://acme.test/plan/{{ first_name }}';
const HTML = `<a href="${SALE}">sale</a><a href="${PLAN}">plan</a>`;

interface Linked {
  workspaceId: string;
  emailId: string;
  contentId: string;
}

async function sent(name: string, more: object = {}): Promise<{ made: Body; email: Linked }> {
  const audience = { contact_ids: await t.contacts(1, name) };
  const made = await t.draft({ audience, html: HTML, track_clicks: true, ...more });
  assert.equal((await t.call('POST', `/${made.id}/send`)).status, 202);
  await bulkSends.freeze(t.app.db, [contactAudience(t.app)]);
  return { made, email: await emailOf(made.id) };
}

async function emailOf(id: string): Promise<Linked> {
  const { rows } = await sql<Linked>`
    select e.workspace_id as "workspaceId", e.id as "emailId", r.content_id as "contentId"
      from emails e join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and r.broadcast_id = ${id}`.execute(t.app.db);
  const [row] = rows;
  assert.ok(row !== undefined);
  return row;
}

/** Where a link of this email leads. */
async function follow(email: Linked, target: string): Promise<unknown> {
  const token = clickToken(email, target, t.app.secrets.key('tracking'));
  const { status, headers } = await t.app.request({ method: 'GET', url: `/t/c/${token}`, key: null });
  assert.equal(status, 302);
  return headers['location'];
}

const leadsTo = (email: Linked, target: string, expected: string) =>
  until(`it leads to ${expected}`, async () => ((await follow(email, target)) === expected ? true : undefined));
const redirect = (id: string, from: string, to: string, key?: string) =>
  t.call('PATCH', `/${id}/links`, { body: { from, to }, ...(key === undefined ? {} : { key }) });

test('200: a link of mail that has left leads elsewhere, and back; links of other mail stay', async () => {
  const { made, email } = await sent('redirected');
  const other = await sent('other');
  assert.equal(await follow(email, SALE), SALE);
  const moved = await redirect(made.id, SALE, 'https://acme.test/new');
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(
    moved.body.data.map((one: Body) => [one.url, one.leads_to]),
    [
      [SALE, 'https://acme.test/new'],
      [PLAN, null],
      ['https://acme.test/new', null],
    ],
  );
  const entry = (await t.read(made.id)).audit_log.at(-1);
  assert.deepEqual(
    [entry.action, entry.details],
    ['link_redirected', { from: SALE, to: 'https://acme.test/new', was: SALE }],
  );
  await leadsTo(email, SALE, 'https://acme.test/new');
  assert.equal(await follow(email, 'https://acme.test/plan/Ada'), 'https://acme.test/plan/Ada');
  assert.equal(await follow(other.email, SALE), SALE, 'a link of another mailing of the workspace');
  const elsewhere = { ...email, workspaceId: other.email.emailId };
  assert.equal(await follow(elsewhere, SALE), SALE, 'a link of another workspace');

  assert.equal((await redirect(made.id, SALE, SALE)).body.data[0].leads_to, null);
  await leadsTo(email, SALE, SALE);
});

test('200: a link with variables is redirected for everybody, also in a version that is written later', async () => {
  const { made, email } = await sent('variables');
  assert.equal((await redirect(made.id, PLAN, 'https://acme.test/all')).status, 200);
  await leadsTo(email, 'https://acme.test/plan/Ada', 'https://acme.test/all');
  assert.equal((await t.call('POST', `/${made.id}/pause`)).status, 200);
  assert.equal((await t.call('PATCH', `/${made.id}`, { body: { subject: 'Second' } })).status, 200);
  const second = await emailOf(made.id);
  assert.notEqual(second.contentId, email.contentId);
  await leadsTo(second, 'https://acme.test/plan/Eve', 'https://acme.test/all');
  await leadsTo(email, 'https://acme.test/plan/Eve', 'https://acme.test/all');
});

test('200: the clicks before and after are told apart', async () => {
  const { made, email } = await sent('apart');
  await follow(email, SALE);
  await redirect(made.id, SALE, 'https://acme.test/after');
  await leadsTo(email, SALE, 'https://acme.test/after');
  const links = await until('both are stored', async () => {
    const { rows } = await sql<{ link: string }>`
      select distinct p.payload -> 'click' ->> 'link' as link from provider_events p
       where p.workspace_id = ${email.workspaceId} and p.email_id = ${email.emailId} and p.type = 'click'
       order by 1`.execute(t.app.db);
    return rows.length > 1 ? rows.map(({ link }) => link) : undefined;
  });
  assert.deepEqual(links, ['https://acme.test/after', SALE]);
});

test('409 and 422: what is not sent, not tracked, not its link, or no address of the web leads nowhere else', async () => {
  const draft = await t.draft({ html: HTML });
  assert.equal((await redirect(draft.id, SALE, 'https://acme.test/x')).status, 409);
  const untracked = await sent('untracked', { track_clicks: false });
  assert.equal((await redirect(untracked.made.id, SALE, 'https://acme.test/x')).status, 409);
  const { made, email } = await sent('refused');
  const unknown = await redirect(made.id, 'https://acme.test/unknown', 'https://acme.test/x');
  assert.deepEqual([unknown.status, unknown.body.param], [422, 'from']);
  for (const to of [
    'javascript:alert(1)',
    'https://acme.test/\r\nSet-Cookie: a',
    'ftp://acme.test/',
    '/relative',
    'acme.test',
    'https://',
    'https://user:secret@acme.test/',
    'https://acme.test/{{ first_name }}',
    'https://acme.test/{% if x %}',
    `${t.app.settings.publicUrl}/t/c/abc`,
  ]) {
    const reply = await redirect(made.id, SALE, to);
    assert.deepEqual([reply.status, reply.body.param], [422, 'to'], to);
  }
  const writer = await t.key({ scopes: ['broadcasts:read', 'broadcasts:write'] });
  assert.equal((await redirect(made.id, SALE, 'https://acme.test/x', writer)).status, 403);
  assert.equal(await follow(email, SALE), SALE);
  assert.equal((await t.read(made.id)).audit_log.at(-1).action, 'page_sent');
});

test('409: a mailing whose links were changed too often keeps them, so that each click can still be counted', async () => {
  const { made, email } = await sent('often');
  const ofSend = sql`workspace_id = ${t.app.workspaceId}
    and send_id = (select r.id from send_requests r where r.workspace_id = ${t.app.workspaceId} and r.broadcast_id = ${made.id})`;
  await sql`update send_links set links = links || (select jsonb_agg('https://acme.test/' || n) from generate_series(3, 30000) n)
             where ${ofSend}`.execute(t.app.db);
  const refused = await redirect(made.id, SALE, 'https://acme.test/new');
  assert.equal(refused.status, 409);
  assert.equal(await follow(email, SALE), SALE);
  const { rows } = await sql<{ links: number }>`
    select jsonb_array_length(links) as links from send_links where ${ofSend}`.execute(t.app.db);
  assert.equal(rows[0]?.links, 30_000);
  assert.equal((await redirect(made.id, SALE, 'https://acme.test/3')).status, 200, 'an address that is there already');
});
