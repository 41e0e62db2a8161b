import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import { subscriberAudience } from '../fan-out/subscriber-audience.ts';
import { type Body, createIssuesApp, inSeconds, type IssuesApp } from '../test-kit.ts';

// No worker runs: emails are moved by hand.
let t: IssuesApp;
before(async () => {
  t = await createIssuesApp();
});
after(() => t.close());

interface Paused {
  made: Body;
  get(path?: string): ReturnType<IssuesApp['call']>;
  post(action: string): ReturnType<IssuesApp['call']>;
  patch(body: object, options?: { key?: string; headers?: Record<string, string> }): ReturnType<IssuesApp['call']>;
}

/** A frozen issue to so many subscribers, paused. */
async function aPaused(subscribers: number, body: object = {}): Promise<Paused> {
  const newsletterId = await t.list(subscribers);
  const made = await t.draft(newsletterId, body);
  const path = `/${newsletterId}/issues/${made.id}`;
  const post: Paused['post'] = (action) => t.call('POST', `${path}/${action}`);
  assert.equal((await post('send')).status, 202);
  await bulkSends.freeze(t.app.db, [subscriberAudience(t.app)]);
  assert.equal((await post('pause')).status, 200);
  return {
    made,
    post,
    get: (part = '') => t.call('GET', `${path}${part}`),
    patch: (changes, options = {}) => t.call('PATCH', path, { body: changes, ...options }),
  };
}

interface Claimed {
  workspaceId: string;
  emailId: string;
  sendId: string;
  contentId: string;
  subscriberId: string;
  recipient: string;
}

/** Gives the email of this address the content that its send has, as a claim does, and has it delivered. */
async function deliver(issue: Body, recipient: string): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    update emails e set status = 'delivered', sent_at = now(), delivered_at = now(), content_id = r.content_id,
           content_version = r.content_version
      from send_requests r
     where e.workspace_id = ${t.app.workspaceId} and r.workspace_id = e.workspace_id and r.id = e.send_id
       and r.issue_id = ${issue.id} and e.recipient = ${recipient}
    returning e.workspace_id as "workspaceId", e.id as "emailId", e.send_id as "sendId", e.content_id as "contentId",
           e.subscriber_id as "subscriberId", e.recipient`.execute(t.app.db);
  return rows;
}

test('a paused issue gets the next version of its content: who has it keeps it, who waits gets the new one', async () => {
  const html = '<h1>{{ issue.subject }}</h1><p>{{ issue.preheader }}</p><a href="https://acme.test/a">a</a>';
  const { made, get, post, patch } = await aPaused(3, {
    subject: 'First',
    preheader: 'Before',
    html_body: html,
    editor: { kind: 'blocks', version: 1, document: { a: 1 } },
  });
  const first = await deliver(made, 'reader-0@example.com');
  const etag = (await get()).headers['etag'] as string;
  const body = {
    subject: 'Second',
    preheader: null,
    html_body: `${html}<a href="https://acme.test/b">b</a>`,
    editor: { kind: 'blocks', version: 1, document: { a: 2 } },
  };
  const changed = await patch(body, { headers: { 'if-match': etag } });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(
    [changed.body.subject, changed.body.status, changed.body.slug, changed.body.editor.document],
    ['Second', 'sending', made.slug, { a: 2 }],
  );
  const entry = changed.body.audit_log.at(-1);
  assert.deepEqual(
    [entry.action, entry.details],
    [
      'content_changed',
      {
        version: 2,
        fields: ['subject', 'preheader', 'html_body'],
        changes: {
          subject: { before: made.subject, after: 'Second' },
          preheader: { before: made.preheader, after: changed.body.preheader },
        },
      },
    ],
  );
  assert.equal((await patch({ subject: 'Third' }, { headers: { 'if-match': etag } })).status, 409, 'an old If-Match');

  assert.equal((await post('resume')).status, 200);
  const second = await deliver(made, 'reader-1@example.com');
  const loaded = await subscriberAudience(t.app).loadRecipients([...first, ...second]);
  const issues = [...first, ...second].map(({ emailId }) => loaded.get(emailId)?.variables['issue']);
  assert.deepEqual(
    issues,
    [
      { subject: 'First', preheader: 'Before', slug: made.slug },
      { subject: 'Second', preheader: null, slug: made.slug },
    ],
    'each with the words of its version',
  );
  const versions = (await get('/recipients')).body.data.map((one: Body) => [
    one.email,
    one.status,
    one.content_version,
  ]);
  assert.deepEqual(versions.sort(), [
    ['reader-0@example.com', 'delivered', 1],
    ['reader-1@example.com', 'delivered', 2],
    ['reader-2@example.com', 'pending', 2],
  ]);
  const { data: emails } = (await t.app.request({ url: `/v1/emails?issue_id=${made.id}`, method: 'GET' })).body as Body;
  const subjects = await Promise.all(
    emails.map(async ({ id, to }: Body) => {
      const { body: content } = await t.app.request({ url: `/v1/emails/${id}/content`, method: 'GET' });
      return [String(to), (content as Body).subject];
    }),
  );
  assert.deepEqual(
    subjects.toSorted(),
    [
      ['reader-0@example.com', 'First'],
      ['reader-1@example.com', 'Second'],
      ['reader-2@example.com', 'Second'],
    ],
    'the content of an email that waits is that with which it will leave',
  );
  const { by_version: byVersion } = (await get('/stats')).body;
  assert.deepEqual(
    byVersion.map((one: Body) => [one.content_version, one.sent]),
    [
      [1, 1],
      [2, 1],
    ],
  );
  const { subject, content_version: shown } = (await get('/preview')).body;
  assert.deepEqual([subject, shown], ['Second', 2], 'the preview names its version');
  const earlier = await get('/preview?content_version=1');
  const words = [
    earlier.body.subject,
    earlier.body.content_version,
    /<h1>First<\/h1><p>Before/.test(earlier.body.html),
  ];
  assert.deepEqual(words, ['First', 1, true], 'an earlier version as its readers got it');
  assert.equal((await get('/preview?content_version=2')).body.subject, 'Second');
  assert.equal((await get('/preview?content_version=3')).status, 404);
  const { data: links } = (await get('/links')).body;
  assert.deepEqual(
    links.map(({ url }: Body) => url),
    ['https://acme.test/a', 'https://acme.test/b'],
  );
});

test('a third version leaves the words of the first two as they are', async () => {
  const { made, post, patch } = await aPaused(2, { subject: 'One' });
  const first = await deliver(made, 'reader-0@example.com');
  assert.equal((await patch({ subject: 'Two' })).status, 200);
  const second = await deliver(made, 'reader-1@example.com');
  assert.equal((await patch({ subject: 'Three' })).status, 200);
  const emails = [...first, ...second];
  const loaded = await subscriberAudience(t.app).loadRecipients(emails);
  assert.deepEqual(
    emails.map(({ emailId }) => loaded.get(emailId)?.variables['issue'] as Body).map(({ subject }) => subject),
    ['One', 'Two'],
  );
  assert.equal((await post('cancel')).status, 200);
});

test('the same content again makes no version, nor does another document of the editor', async () => {
  const { made, get, patch } = await aPaused(1);
  const editor = { kind: 'blocks', version: 1, document: { same: true } };
  assert.equal((await patch({ subject: made.subject, html_body: made.html_body })).status, 200);
  assert.equal((await patch({ editor })).status, 200);
  const { body } = await get();
  assert.deepEqual([body.stats.by_version.length, body.audit_log.at(-1).action], [1, 'paused']);
  assert.deepEqual(body.editor, editor);
});

test('409 for an issue that is not paused or was cancelled, and for its time; nothing changes', async () => {
  const { made, get, post, patch } = await aPaused(1);
  const timed = await patch({ subject: 'Late', scheduled_for: inSeconds(3_600) });
  assert.deepEqual([timed.status, /only its content/.test(timed.text)], [409, true]);
  assert.equal((await post('resume')).status, 200);
  const running = await patch({ subject: 'Late' });
  assert.deepEqual([running.status, /Pause it/.test(running.text)], [409, true]);
  assert.equal((await post('cancel')).status, 200);
  assert.equal((await patch({ subject: 'Late' })).status, 409);
  const { body } = await get();
  assert.deepEqual([body.subject, body.stats.by_version.length], [made.subject, 1]);
});

test('422 for a content that could not be sent, 403 for a key that may not send; nothing changes', async () => {
  const { made, get, patch } = await aPaused(1);
  assert.equal((await patch({ html_body: ' ' })).status, 422);
  const writer = await t.key({ scopes: ['issues:read', 'issues:write'] });
  const forbidden = await patch({ subject: 'Mine' }, { key: writer });
  assert.deepEqual([forbidden.status, /issues:send/.test(forbidden.text)], [403, true]);
  const { body } = await get();
  assert.deepEqual([body.subject, body.html_body, body.stats.by_version.length], [made.subject, made.html_body, 1]);
});
