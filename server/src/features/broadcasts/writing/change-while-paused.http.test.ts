import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import { contactAudience } from '../recipients/contact-audience.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp } from '../test-kit.ts';

// No worker runs: emails are moved by hand.
let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp();
});
after(() => t.close());

const post = (id: string, action: string) => t.call('POST', `/${id}/${action}`);
const patch = (id: string, body: object, options: { key?: string; headers?: Record<string, string> } = {}) =>
  t.call('PATCH', `/${id}`, { body, ...options });

/** A frozen broadcast to so many contacts, paused. */
async function aPaused(name: string, count: number, more: object = {}): Promise<Body> {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(count, name) }, ...more });
  assert.equal((await post(made.id, 'send')).status, 202);
  await bulkSends.freeze(t.app.db, [contactAudience(t.app)]);
  assert.equal((await post(made.id, 'pause')).status, 200);
  return made;
}

/** Gives the emails of these addresses the content that their send has, as a claim does, and has them delivered. */
async function deliver(recipients: readonly string[]) {
  const { rows } = await sql<{
    workspaceId: string;
    emailId: string;
    sendId: string;
    contentId: string;
    subscriberId: string;
    recipient: string;
  }>`
    update emails e set status = 'delivered', sent_at = now(), delivered_at = now(), content_id = r.content_id,
           content_version = r.content_version
      from send_requests r
     where e.workspace_id = ${t.app.workspaceId} and r.workspace_id = e.workspace_id and r.id = e.send_id
       and e.recipient = any (${[...recipients]}::text[])
    returning e.workspace_id as "workspaceId", e.id as "emailId", e.send_id as "sendId", e.content_id as "contentId",
           e.subscriber_id as "subscriberId", e.recipient`.execute(t.app.db);
  return rows;
}

const variablesOf = async (emails: Awaited<ReturnType<typeof deliver>>, name: string): Promise<unknown[]> =>
  [...(await contactAudience(t.app).loadRecipients(emails)).values()].map(({ variables }) => variables[name]);

test('a paused broadcast gets the next version of its content: who has it keeps it, who waits gets the new one', async () => {
  const html = '<p>{{ discount }} % off</p><a href="https://acme.test/a">a</a>';
  const made = await aPaused('edited', 3, { html, variables: { discount: 20 }, track_clicks: true });
  const first = await deliver(['edited-00000@example.com']);
  const body = {
    subject: 'Corrected',
    html: `${html}<a href="https://acme.test/b">b</a>`,
    variables: { discount: 30 },
  };
  const changed = await patch(made.id, body, {
    headers: { 'if-match': (await t.call('GET', `/${made.id}`)).headers['etag'] as string },
  });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(
    [changed.body.subject, changed.body.status, changed.body.variables],
    ['Corrected', 'sending', { discount: 30 }],
  );
  const entry = changed.body.audit_log.at(-1);
  assert.deepEqual(
    [entry.action, entry.details],
    [
      'content_changed',
      {
        version: 2,
        fields: ['subject', 'html', 'variables'],
        changes: { subject: { before: made.subject, after: 'Corrected' } },
      },
    ],
  );

  assert.equal((await post(made.id, 'resume')).status, 200);
  const second = await deliver(['edited-00001@example.com']);
  assert.deepEqual(
    await variablesOf([...first, ...second], 'discount'),
    [20, 30],
    'each with the variables of its version',
  );
  const { body: recipients } = await t.call('GET', `/${made.id}/recipients`);
  const versions = recipients.data.map((one: Body) => [one.email.slice(0, 12), one.status, one.content_version]).sort();
  assert.deepEqual(versions, [
    ['edited-00000', 'delivered', 1],
    ['edited-00001', 'delivered', 2],
    ['edited-00002', 'pending', 2],
  ]);
  const { by_version: byVersion } = (await t.call('GET', `/${made.id}/stats`)).body;
  assert.deepEqual(
    byVersion.map((one: Body) => [one.content_version, one.sent, one.delivered, one.opened]),
    [
      [1, 1, 1, 0],
      [2, 1, 1, 0],
    ],
  );
  assert.equal((await t.call('GET', `/${made.id}/preview`)).body.content_version, 2);
  const preview = async (version: number): Promise<Body> =>
    (await t.call('GET', `/${made.id}/preview?content_version=${version}`)).body;
  const [then, now] = [await preview(1), await preview(2)];
  assert.deepEqual([then.content_version, now.content_version], [1, 2]);
  assert.deepEqual([then.subject, now.subject], ['Hi Ada', 'Corrected']);
  assert.ok(then.html.includes('20 % off') && now.html.includes('30 % off'), then.html);
  assert.equal((await t.call('GET', `/${made.id}/preview?content_version=3`)).status, 404);
  const { data: links } = (await t.call('GET', `/${made.id}/clicked-links`)).body;
  assert.deepEqual(
    links.map(({ url }: Body) => url),
    ['https://acme.test/a', 'https://acme.test/b'],
  );
  const numbered = (await t.call('GET', `/${made.id}/preview?number_links=true`)).body.html;
  assert.deepEqual(
    [...numbered.matchAll(/acme\.test\/(\w)" data-posthorn-link="(\d)"/g)].map(([, url, number]) => [url, number]),
    [
      ['a', '1'],
      ['b', '2'],
    ],
  );
});

test('the same content again makes no version, and a draft has none', async () => {
  const made = await aPaused('same', 1);
  assert.equal((await patch(made.id, { subject: made.subject, name: made.name })).status, 200);
  const { stats, audit_log: log } = await t.read(made.id);
  assert.deepEqual([stats.by_version.length, log.at(-1).action], [1, 'paused']);
  const draft = await t.draft();
  assert.deepEqual(draft.stats.by_version, []);
  assert.equal((await t.call('GET', `/${draft.id}/preview`)).body.content_version, null);
  assert.equal((await t.call('GET', `/${draft.id}/preview?content_version=1`)).status, 404);
});

test('409 for a broadcast that is not paused or was cancelled, and for anything but its content', async () => {
  const made = await aPaused('refused', 1);
  for (const body of [
    { name: 'Other' },
    { from: 'B <b@posthorn.test>' },
    { tags: [], subject: 'x', track_opens: false },
    { scheduled_for: 'in 2 hours' },
  ]) {
    const reply = await patch(made.id, body);
    assert.deepEqual([reply.status, /only its subject/.test(reply.text)], [409, true], JSON.stringify(body));
  }
  assert.equal((await post(made.id, 'resume')).status, 200);
  const running = await patch(made.id, { subject: 'Late' });
  assert.deepEqual([running.status, /Pause it/.test(running.text)], [409, true]);
  assert.equal((await post(made.id, 'cancel')).status, 200);
  assert.equal((await patch(made.id, { subject: 'Late' })).status, 409);
  const { subject, stats } = await t.read(made.id);
  assert.deepEqual([subject, stats.by_version.length], [made.subject, 1]);
});

test('422 for a content that could not be sent, 403 for a key that may not send; nothing changes', async () => {
  const made = await aPaused('unfit', 1);
  assert.equal((await patch(made.id, { subject: null })).status, 422);
  const writer = await t.key({ scopes: ['broadcasts:read', 'broadcasts:write'] });
  const forbidden = await patch(made.id, { subject: 'Mine' }, { key: writer });
  assert.deepEqual([forbidden.status, /broadcasts:send/.test(forbidden.text)], [403, true]);
  const { subject, stats } = await t.read(made.id);
  assert.deepEqual([subject, stats.by_version.length], [made.subject, 1]);
});
