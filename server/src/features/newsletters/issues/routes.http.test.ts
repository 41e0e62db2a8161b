import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aNewsletter, aWorkspace } from '../../../../test/harness/builders.ts';
import { addSubscribers, type Body, createIssuesApp, DRAFT, inSeconds, type IssuesApp } from './test-kit.ts';

const MISSING = '01999999-0000-7000-8000-00000000000e';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let t: IssuesApp;
let newsletterId: string;
before(async () => {
  t = await createIssuesApp();
  newsletterId = await t.list();
});
after(() => t.close());

const NO_STATS = {
  total: 0,
  pending: 0,
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
  failed: 0,
  first_event_at: null,
  last_event_at: null,
  opened_machine: 0,
  clicked_machine: 0,
  unsubscribed: 0,
  waiting: 0,
  queued: 0,
  sending: 0,
  unconfirmed: 0,
  refused: 0,
  suppressed: 0,
  cancelled: 0,
  by_version: [],
};

test('201 with a draft: the whole record', async () => {
  const body = { ...DRAFT, subject: 'Größe: News of October', preheader: 'Three things', text_body: 'Hi' };
  const issue = await t.draft(newsletterId, body);
  const { id, created_at, updated_at, audit_log, ...rest } = issue;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.match(created_at, INSTANT);
  assert.equal(updated_at, created_at);
  assert.deepEqual(rest, {
    newsletter_id: newsletterId,
    ...body,
    slug: 'grosse-news-of-october',
    status: 'draft',
    scheduled_for: null,
    timezone: null,
    local_time: null,
    schedule_note: null,
    started_at: null,
    sent_at: null,
    finished_at: null,
    cancelled_at: null,
    failed_at: null,
    error: null,
    error_code: null,
    total_recipients: null,
    archive_url: null,
    stats: NO_STATS,
    editor: null,
    progress: null,
    corrects: null,
  });
  assert.equal(audit_log.length, 1);
  const [{ at, ...created }] = audit_log;
  assert.match(at, INSTANT);
  assert.deepEqual(created, { action: 'created', details: {} });
  const read = await t.call('GET', `/${newsletterId}/issues/${id}`);
  assert.equal(read.status, 200);
  assert.deepEqual(read.body, issue, 'reading it gives the same');
});

test('201 once for an Idempotency-Key, with the log of the first answer', async () => {
  const request = { body: DRAFT, headers: { 'idempotency-key': 'issue-once' } };
  const first = await t.call('POST', `/${newsletterId}/issues`, request);
  const again = await t.call('POST', `/${newsletterId}/issues`, request);
  assert.deepEqual([first.status, again.status], [201, 201]);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  const read = await t.call('GET', `/${newsletterId}/issues/${first.body.id}`);
  assert.deepEqual(read.body, first.body, 'made once, and noted once');
  assert.equal(first.body.audit_log.length, 1);
});

test('201 names the fields that nobody knows', async () => {
  const reply = await t.call('POST', `/${newsletterId}/issues`, { body: { ...DRAFT, zebra: 'x', status: 'sent' } });
  assert.equal(reply.status, 201);
  assert.equal(reply.headers['x-unknown-fields'], 'zebra,status');
  assert.equal(reply.body.status, 'draft');
});

test('201 with the next slug when a subject comes again, in its newsletter only', async () => {
  const subject = 'Same subject';
  const slugs = [];
  for (let n = 0; n < 3; n += 1) slugs.push((await t.draft(newsletterId, { subject })).slug);
  assert.deepEqual(slugs, ['same-subject', 'same-subject-2', 'same-subject-3']);
  assert.equal((await t.draft(await t.list(), { subject })).slug, 'same-subject');
});

test('201 for each of 20 issues with one subject at the same time, each with a slug of its own', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => t.draft(newsletterId, { subject: 'At once' })));
  assert.equal(new Set(made.map((issue) => issue.slug)).size, 20);
});

const BAD: readonly [what: string, body: object, param: string | undefined][] = [
  ['no subject', { html_body: 'x' }, 'subject'],
  ['no html_body', { subject: 'x' }, 'html_body'],
  ['an empty subject', { ...DRAFT, subject: '' }, 'subject'],
  ['a subject of spaces', { ...DRAFT, subject: '  ' }, 'subject'],
  ['a subject of 999 characters', { ...DRAFT, subject: 'x'.repeat(999) }, 'subject'],
  ['a line break in the subject', { ...DRAFT, subject: 'a\r\nBcc: x@example.com' }, 'subject'],
  ['a Unicode line end in the subject', { ...DRAFT, subject: 'a\u2028b' }, 'subject'],
  ['a subject that is a number', { ...DRAFT, subject: 1 }, 'subject'],
  ['a subject that is null', { ...DRAFT, subject: null }, 'subject'],
  ['a list as html_body', { ...DRAFT, html_body: ['x'] }, 'html_body'],
  ['a line break in the preheader', { ...DRAFT, preheader: 'a\nb' }, 'preheader'],
  ['a preheader of 501 characters', { ...DRAFT, preheader: 'x'.repeat(501) }, 'preheader'],
  ['an html_body over 2 MB', { ...DRAFT, html_body: 'ä'.repeat(1_048_577) }, 'html_body'],
  ['a text_body over 2 MB', { ...DRAFT, text_body: 'ä'.repeat(1_048_577) }, 'text_body'],
  ['a text_body that is true', { ...DRAFT, text_body: true }, 'text_body'],
  ['a time that is no string', { ...DRAFT, scheduled_for: 1_767_225_600 }, 'scheduled_for'],
  ['a time that cannot be', { ...DRAFT, scheduled_for: '2027-02-30T00:00:00Z' }, 'scheduled_for'],
  ['a word as time', { ...DRAFT, scheduled_for: 'tomorrow' }, 'scheduled_for'],
  ['an empty time', { ...DRAFT, scheduled_for: '' }, 'scheduled_for'],
  ['a zone without a time that is none', { ...DRAFT, timezone: 'EST' }, 'timezone'],
  ['a zone that is none', { ...DRAFT, scheduled_for: '2027-01-01T00:00:00Z', timezone: 'GMT+5' }, 'timezone'],
  ['a zone that is a path', { ...DRAFT, timezone: '../../etc/passwd' }, 'timezone'],
];
for (const [what, body, param] of BAD) {
  test(`400 for ${what}`, async () => {
    const before = await countIssues();
    const reply = await t.call('POST', `/${newsletterId}/issues`, { body });
    assert.deepEqual([reply.status, reply.body.name, reply.body.param], [400, 'validation_error', param], reply.text);
    assert.equal(await countIssues(), before, 'nothing was stored');
  });
}

for (const body of ['null', '[]', '"x"', '1', '']) {
  test(`400 for the body ${JSON.stringify(body)}`, async () => {
    const reply = await t.call('POST', `/${newsletterId}/issues`, { body });
    assert.deepEqual([reply.status, reply.body.name], [400, 'validation_error']);
  });
}

test('201 at the edges of what is allowed', async () => {
  const body = {
    subject: 'x'.repeat(998),
    preheader: 'x'.repeat(500),
    html_body: 'x'.repeat(2 * 1_048_576),
    text_body: null,
  };
  const issue = await t.draft(newsletterId, body);
  assert.equal(issue.html_body.length, 2 * 1_048_576);
  assert.equal((await t.draft(newsletterId, { html_body: '', text_body: '', preheader: '' })).text_body, null);
});

async function countIssues(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from issues where workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  return rows[0]?.n ?? 0;
}

test('200 with a page of issues, newest first, without their bodies and documents', async () => {
  const id = await t.list();
  const made = [];
  for (const subject of ['One', 'Two', 'Three']) made.push(await t.draft(id, { subject, editor: EDITOR }));
  const first = await t.call('GET', `/${id}/issues?limit=2`);
  assert.equal(first.status, 200);
  const { data, next_cursor, ...rest } = first.body;
  assert.deepEqual(rest, { page: 1, limit: 2, total: 3, total_pages: 2, has_more: true });
  assert.deepEqual(
    data.map((issue: Body) => issue.subject),
    ['Three', 'Two'],
  );
  const { html_body, text_body, audit_log, progress, editor, corrects, ...summary } = made[2];
  assert.deepEqual(data[0], summary);
  assert.ok(html_body && text_body === null && audit_log && progress === null && editor && corrects === null);
  const byCursor = await t.call('GET', `/${id}/issues?limit=2&cursor=${next_cursor}`);
  const byPage = await t.call('GET', `/${id}/issues?limit=2&page=2`);
  for (const reply of [byCursor, byPage]) {
    assert.deepEqual(
      reply.body.data.map((issue: Body) => issue.subject),
      ['One'],
    );
    assert.equal(reply.body.has_more, false);
  }
  assert.equal('total' in byCursor.body, false);
  assert.deepEqual((await t.call('GET', `/${id}/issues?page=9`)).body.data, []);
});

test('200 with bodies and logs when they are asked for, and never with documents of an editor', async () => {
  const id = await t.list();
  const made = [
    await t.draft(id, { subject: 'One', text_body: 'Hi', editor: EDITOR }),
    await t.draft(id, { subject: 'Two' }),
  ];
  const { body } = await t.call('GET', `/${id}/issues?include=body`);
  for (const [index, issue] of made.toReversed().entries()) {
    const { progress, corrects, editor: _, ...whole } = issue;
    assert.deepEqual([progress, corrects], [null, null]);
    assert.deepEqual(body.data[index], whole);
  }
});

test('200 with the issues in one state', async () => {
  const id = await t.list();
  const draft = await t.draft(id);
  const other = await t.draft(id);
  await sql`update issues set status = 'cancelled' where workspace_id = ${t.app.workspaceId} and id = ${other.id}`.execute(
    t.app.db,
  );
  const { body } = await t.call('GET', `/${id}/issues?status=draft`);
  assert.deepEqual(
    body.data.map((issue: Body) => issue.id),
    [draft.id],
  );
  assert.equal(body.total, 1);
});

for (const query of [
  'status=DRAFT',
  'status=deleted',
  'status=draft,sent',
  'status=',
  'status=draft&status=sent',
  'status[]=draft',
  'status[$ne]=draft',
  'include=html',
  'page=0',
  'page=-1',
  'page=1.5',
  'page=NaN',
  'page=99999999999999999999',
  'page=0x1',
  'limit=0',
  'limit=x',
  'cursor=x',
]) {
  test(`400 for the list with ${query}`, async () => {
    const reply = await t.call('GET', `/${newsletterId}/issues?${query}`);
    assert.deepEqual([reply.status, reply.body.name], [400, 'validation_error'], reply.text);
  });
}

test('200 with what was changed, null clearing what may be cleared', async () => {
  const draft = await t.draft(newsletterId, { preheader: 'Old', text_body: 'Old', subject: 'Old subject' });
  const url = `/${newsletterId}/issues/${draft.id}`;
  const changed = await t.call('PATCH', url, {
    body: { subject: 'New subject', preheader: null, text_body: null, html_body: '<p>New</p>', timezone: 'Asia/Tokyo' },
  });
  assert.equal(changed.status, 200, changed.text);
  const { subject, slug, preheader, text_body, html_body, timezone, status } = changed.body;
  assert.deepEqual(
    { subject, slug, preheader, text_body, html_body, timezone, status },
    {
      subject: 'New subject',
      slug: 'new-subject',
      preheader: null,
      text_body: null,
      html_body: '<p>New</p>',
      timezone: 'Asia/Tokyo',
      status: 'draft',
    },
  );
  assert.ok(changed.body.updated_at > draft.updated_at);
  assert.deepEqual(
    changed.body.audit_log.map((entry: Body) => [entry.action, entry.details]),
    [
      ['created', {}],
      [
        'updated',
        {
          fields: ['subject', 'preheader', 'timezone', 'html_body', 'text_body'],
          changes: {
            subject: { before: 'Old subject', after: 'New subject' },
            preheader: { before: 'Old', after: null },
            timezone: { before: null, after: 'Asia/Tokyo' },
          },
        },
      ],
    ],
  );
  assert.deepEqual((await t.call('GET', url)).body, changed.body);
});

const EDITOR = {
  kind: 'blocks',
  version: 1,
  document: {
    type: 'doc',
    z: 1,
    content: [{ type: 'paragraph', content: [{ type: 'text', text: '{{ <b>ü</b> }}' }] }],
  },
};

test('200 with the document of the editor as it came, until the html changes without it', async () => {
  const draft = await t.draft(newsletterId, { editor: EDITOR });
  assert.equal(JSON.stringify(draft.editor), JSON.stringify(EDITOR));
  const url = `/${newsletterId}/issues/${draft.id}`;
  const patch = async (body: Body): Promise<Body> => {
    const reply = await t.call('PATCH', url, { body });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual((await t.call('GET', url)).body.editor, reply.body.editor);
    return reply.body;
  };
  assert.deepEqual((await patch({ subject: 'Other' })).editor, EDITOR);
  assert.deepEqual((await patch({ html_body: draft.html_body, text_body: 'x' })).editor, EDITOR, 'the same html');
  const other = { ...EDITOR, version: 2 };
  assert.deepEqual((await patch({ html_body: '<p>2</p>', editor: other })).editor, other);
  assert.deepEqual((await patch({ editor: EDITOR })).editor, EDITOR);
  const changed = await patch({ html_body: '<p>3</p>' });
  assert.equal(changed.editor, null);
  assert.deepEqual(changed.audit_log.at(-1).details, { fields: ['html_body', 'editor'], changes: {} });
  assert.equal((await patch({ editor: EDITOR })).editor.kind, 'blocks');
  assert.equal((await patch({ editor: null })).editor, null);
});

test('409 for a change of an older document of the editor', async () => {
  const draft = await t.draft(newsletterId, { editor: EDITOR });
  const url = `/${newsletterId}/issues/${draft.id}`;
  const etag = (await t.call('GET', url)).headers['etag'];
  assert.equal((await t.call('PATCH', url, { body: { editor: { ...EDITOR, version: 3 } } })).status, 200);
  const late = await t.call('PATCH', url, { body: { editor: EDITOR }, headers: { 'if-match': String(etag) } });
  assert.equal(late.status, 409, late.text);
  assert.equal((await t.call('GET', url)).body.editor.version, 3);
});

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

for (const [what, editor, param] of [
  ['a text', 'x', 'editor'],
  ['a list', [EDITOR], 'editor'],
  ['no document', { kind: 'blocks', version: 1 }, 'editor.document'],
  ['a document that is a list', { ...EDITOR, document: [] }, 'editor.document'],
  ['a version that is a text', { ...EDITOR, version: '1' }, 'editor.version'],
  ['a version below 1', { ...EDITOR, version: 0 }, 'editor.version'],
  ['no kind', { ...EDITOR, kind: '' }, 'editor.kind'],
  ['more than 1 MB', { ...EDITOR, document: { text: 'ü'.repeat(524_280) } }, 'editor'],
  ['too many levels', { ...EDITOR, document: nested(31) }, undefined],
  ['half of a surrogate pair', { ...EDITOR, document: { text: '\ud800' } }, 'editor.document.text'],
] as const) {
  test(`4xx for a document of the editor with ${what}, and nothing is stored`, async () => {
    const draft = await t.draft(newsletterId, { editor: EDITOR });
    for (const [method, url] of [
      ['PATCH', `/${newsletterId}/issues/${draft.id}`],
      ['POST', `/${newsletterId}/issues`],
    ] as const) {
      const reply = await t.call(method, url, { body: { ...DRAFT, subject: 'With a fault', editor } });
      assert.ok(reply.status === 400 || reply.status === 422, reply.text);
      assert.equal(reply.body.param, param, reply.text);
    }
    const { body } = await t.call('GET', `/${newsletterId}/issues/${draft.id}`);
    assert.deepEqual([body.subject, body.editor], [draft.subject, EDITOR]);
  });
}

test('400 for a name of another service, in place of an issue without what it held', async () => {
  const url = `/${newsletterId}/issues`;
  for (const [field, meant] of [
    ['html', 'html_body'],
    ['scheduled_at', 'scheduled_for'],
    ['subjct', 'subject'],
  ]) {
    const reply = await t.call('POST', url, { body: { ...DRAFT, [`${field}`]: 'x' } });
    assert.deepEqual([reply.status, reply.body.param], [400, field]);
    assert.equal(reply.body.message, `${field} is unknown: did you mean ${meant}?`);
  }
});

test('200 and nothing changed for an empty change, or one of unknown fields', async () => {
  const draft = await t.draft(newsletterId);
  const url = `/${newsletterId}/issues/${draft.id}`;
  for (const nothing of [{ body: {} }, {}]) assert.deepEqual((await t.call('PATCH', url, nothing)).body, draft);
  const reply = await t.call('PATCH', url, { body: { status: 'sent', slug: 'mine' } });
  assert.equal(reply.headers['x-unknown-fields'], 'status,slug');
  assert.deepEqual(reply.body, draft);
});

test('200 keeps the slug when the subject changes to one that reads the same', async () => {
  const first = await t.draft(newsletterId, { subject: 'Read the same' });
  const second = await t.draft(newsletterId, { subject: 'Read the same' });
  const body = { subject: 'Read: the same!' };
  const changed = await t.call('PATCH', `/${newsletterId}/issues/${second.id}`, { body });
  assert.deepEqual([first.slug, second.slug, changed.body.slug], ['read-the-same', 'read-the-same-2', second.slug]);
});

for (const [what, body, param] of BAD.filter(([, body]) => !('html_body' in body && Object.keys(body).length === 1))) {
  if (!('html_body' in body) || !('subject' in body)) continue;
  test(`400 when a draft is changed to ${what}, which changes nothing`, async () => {
    const draft = await t.draft(newsletterId);
    const url = `/${newsletterId}/issues/${draft.id}`;
    const reply = await t.call('PATCH', url, { body });
    assert.deepEqual([reply.status, reply.body.param], [400, param], reply.text);
    assert.deepEqual((await t.call('GET', url)).body, draft);
  });
}

for (const status of ['sending', 'sent', 'cancelled', 'failed']) {
  test(`409 when an issue that is ${status} is changed`, async () => {
    const draft = await t.draft(newsletterId);
    await sql`update issues set status = ${status} where workspace_id = ${t.app.workspaceId} and id = ${draft.id}`.execute(
      t.app.db,
    );
    const url = `/${newsletterId}/issues/${draft.id}`;
    for (const body of [{ subject: 'New' }, { scheduled_for: null }, {}]) {
      const reply = await t.call('PATCH', url, { body });
      assert.deepEqual([reply.status, reply.body.name], [409, 'conflict_error'], reply.text);
    }
    assert.equal((await t.call('GET', url)).body.subject, draft.subject);
  });
}

test('200 with the id of a draft that was deleted; afterwards it is not found', async () => {
  const draft = await t.draft(newsletterId);
  const url = `/${newsletterId}/issues/${draft.id}`;
  const reply = await t.call('DELETE', url);
  assert.deepEqual([reply.status, reply.body], [200, { success: true, id: draft.id }]);
  for (const method of ['GET', 'DELETE']) assert.equal((await t.call(method, url)).status, 404);
  const { rows } = await sql<Body>`select action, details from security_log
    where workspace_id = ${t.app.workspaceId} and target_id = ${draft.id}`.execute(t.app.db);
  assert.deepEqual(
    rows.map((row: Body) => [row.action, row.details.subject]),
    [['issue.deleted', draft.subject]],
  );
});

for (const status of ['scheduled', 'sending']) {
  test(`409 when an issue that is ${status} is deleted`, async () => {
    const draft = await t.draft(newsletterId);
    await sql`update issues set status = ${status} where workspace_id = ${t.app.workspaceId} and id = ${draft.id}`.execute(
      t.app.db,
    );
    const reply = await t.call('DELETE', `/${newsletterId}/issues/${draft.id}`);
    assert.deepEqual([reply.status, reply.body.name], [409, 'conflict_error']);
    assert.ok((await t.stored(draft.id)).issue);
  });
}

test('201 with a draft that has the same words, from an issue in any state', async () => {
  const words = { preheader: 'Pre', text_body: 'Text', subject: 'To copy', editor: EDITOR };
  const original = await t.draft(newsletterId, words);
  for (const status of ['draft', 'scheduled', 'sending', 'sent', 'cancelled', 'failed']) {
    await sql`update issues set status = ${status}, scheduled_for = now(), error = 'x', total_recipients = 3
      where workspace_id = ${t.app.workspaceId} and id = ${original.id}`.execute(t.app.db);
    const reply = await t.call('POST', `/${newsletterId}/issues/${original.id}/duplicate`);
    assert.equal(reply.status, 201, reply.text);
    const { id, slug, created_at, updated_at, audit_log, ...rest } = reply.body;
    const { id: _, slug: __, created_at: ___, updated_at: ____, audit_log: _____, ...same } = original;
    assert.deepEqual(rest, same);
    assert.notEqual(id, original.id);
    assert.match(slug, /^to-copy-\d$/);
    assert.ok(created_at === updated_at);
    assert.deepEqual(audit_log[0].details, { duplicate_of: original.id });
  }
});

test('200 with statistics of zero, and nobody as recipient, before it is sent', async () => {
  await addSubscribers(t.app, newsletterId, 1, 'active', 'early');
  const draft = await t.draft(newsletterId);
  const url = `/${newsletterId}/issues/${draft.id}`;
  const stats = await t.call('GET', `${url}/stats`);
  assert.deepEqual([stats.status, stats.body], [200, NO_STATS]);
  const recipients = await t.call('GET', `${url}/recipients`);
  assert.equal(recipients.status, 200);
  assert.deepEqual(recipients.body, {
    data: [],
    page: 1,
    limit: 50,
    total: 0,
    total_pages: 0,
    has_more: false,
    next_cursor: null,
  });
  const file = await t.call('GET', `${url}/recipients?format=csv`);
  assert.match(String(file.headers['content-type']), /^text\/csv/);
  assert.equal(file.text, 'email,status,error,last_event_at,open_count,click_count,message_id,subscriber_id\r\n');
});

for (const query of ['status=deferred', 'status=FAILED', 'status=failed,sent', 'format=xml', 'limit=0', 'cursor=1']) {
  test(`400 for recipients with ${query}`, async () => {
    const draft = await t.draft(newsletterId);
    const reply = await t.call('GET', `/${newsletterId}/issues/${draft.id}/recipients?${query}`);
    assert.deepEqual([reply.status, reply.body.name], [400, 'validation_error']);
  });
}

/** Every route below an issue, with a body it would accept. */
const BELOW: readonly [method: string, path: string, scope: string, body?: object][] = [
  ['GET', '', 'issues:read'],
  ['PATCH', '', 'issues:write', { subject: 'New' }],
  ['DELETE', '', 'issues:write'],
  ['POST', '/send', 'issues:send'],
  ['POST', '/schedule', 'issues:send', { scheduled_for: inSeconds(3_600) }],
  ['POST', '/cancel', 'issues:send'],
  ['GET', '/stats', 'issues:read'],
  ['GET', '/recipients', 'issues:read'],
  ['GET', '/recipients?format=csv', 'issues:read'],
  ['POST', '/retry-failed', 'issues:send'],
  ['POST', '/duplicate', 'issues:write'],
];

for (const [method, path, scope, body] of BELOW) {
  const what = `${method} …/issues/:issueId${path}`;
  const options = body === undefined ? {} : { body };

  test(`404 for an unknown, malformed or foreign issue, and one of another newsletter: ${what}`, async () => {
    const draft = await t.draft(newsletterId);
    const other = await t.list();
    const foreign = await foreignIssue();
    for (const [newsletter, issue] of [
      [newsletterId, MISSING],
      [newsletterId, 'nonsense'],
      [newsletterId, draft.id.toUpperCase()],
      [newsletterId, "1' or '1'='1"],
      [newsletterId, '%00'],
      [newsletterId, foreign.issueId],
      [other, draft.id],
      [foreign.newsletterId, foreign.issueId],
      [foreign.newsletterId, draft.id],
      [MISSING, draft.id],
    ]) {
      const reply = await t.call(method, `/${newsletter}/issues/${issue}${path}`, options);
      assert.deepEqual([reply.status, reply.body.name], [404, 'not_found_error'], `${newsletter} ${issue}`);
      const { issue: stored } = await t.stored(draft.id);
      assert.deepEqual([stored.status, stored.subject], ['draft', draft.subject]);
    }
  });

  test(`403 without the scope ${scope}, 401 without a key: ${what}`, async () => {
    const draft = await t.draft(newsletterId);
    const scopes = ['issues:read', 'issues:write', 'issues:send', 'newsletters:write'].filter(
      (one) => one !== scope && !(scope === 'issues:read' && one === 'issues:write'),
    );
    const url = `/${newsletterId}/issues/${draft.id}${path}`;
    const reply = await t.call(method, url, { ...options, key: await t.key({ scopes }) });
    assert.deepEqual([reply.status, reply.body.name], [403, 'permission_error'], reply.text);
    assert.equal(reply.body.message, `This key needs the scope "${scope}".`);
    assert.equal((await t.call(method, url, { ...options, key: 'wrong' })).status, 401);
    assert.equal((await t.stored(draft.id)).issue.status, 'draft');
  });

  test(`403 for a key that is limited to another newsletter: ${what}`, async () => {
    const draft = await t.draft(newsletterId);
    const key = await t.key({ newsletter_ids: [await t.list()] });
    const reply = await t.call(method, `/${newsletterId}/issues/${draft.id}${path}`, { ...options, key });
    assert.deepEqual([reply.status, reply.body.name], [403, 'permission_error'], reply.text);
  });
}

test('403 and 404 for the list and for making one, as for a single issue', async () => {
  const reading = await t.key({ scopes: ['issues:read'] });
  const sending = await t.key({ scopes: ['issues:send'] });
  const url = `/${newsletterId}/issues`;
  assert.equal((await t.call('GET', url, { key: sending })).status, 403);
  assert.equal((await t.call('POST', url, { key: reading, body: DRAFT })).status, 403);
  const { newsletterId: foreign } = await foreignIssue();
  for (const id of [foreign, MISSING, 'x']) {
    assert.equal((await t.call('GET', `/${id}/issues`)).status, 404);
    assert.equal((await t.call('POST', `/${id}/issues`, { body: DRAFT })).status, 404);
  }
});

async function foreignIssue(): Promise<{ newsletterId: string; issueId: string }> {
  const workspaceId = await aWorkspace(t.app.db);
  const { id } = await aNewsletter(t.app.db, workspaceId);
  const issueId = newId();
  await sql`insert into issues (workspace_id, id, newsletter_id, slug, subject, html_body)
    values (${workspaceId}, ${issueId}, ${id}, 'x', 'Theirs', '<p>x</p>')`.execute(t.app.db);
  return { newsletterId: id, issueId };
}
