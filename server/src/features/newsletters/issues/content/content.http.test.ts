import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createIssuesApp, addSubscribers, type Body, type IssuesApp, type Reply } from '../test-kit.ts';

// No worker runs: what was accepted stays in the queue, to be looked at.
let t: IssuesApp;
before(async () => {
  t = await createIssuesApp();
});
after(() => t.close());

const urlOf = (issue: Body): string => `/${issue.newsletter_id}/issues/${issue.id}`;
const preview = (issue: Body, query = ''): Promise<Reply> => t.call('GET', `${urlOf(issue)}/preview${query}`);
const sendTest = (issue: Body, to: unknown, options = {}): Promise<Reply> =>
  t.call('POST', `${urlOf(issue)}/send-test`, { body: { to }, ...options });
const check = async (issue: Body): Promise<Body> => {
  const reply = await t.call('POST', `${urlOf(issue)}/check`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
};
const levels = (checked: Body): Record<string, string> =>
  Object.fromEntries(checked.checks.map(({ id, level }: Body) => [id, level]));

async function queued(): Promise<Body[]> {
  const { rows } = await sql<Body>`
    select e.id, e.lane, e.recipient, c.subject, c.html, c.text, c.track_opens, c.track_clicks, c.personal, s.source,
           s.issue_id
      from emails e join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
      join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId}
       and e.workspace_id = c.workspace_id and e.workspace_id = s.workspace_id order by e.id`.execute(t.app.db);
  return rows;
}

test('200 for a subject of variables that everybody has, and 422 for one that is empty without a name', async () => {
  const id = await t.list(1);
  const named = await t.draft(id, { subject: '{{ newsletter.name }}' });
  const reply = await preview(named);
  assert.equal(reply.status, 200, reply.text);
  assert.notEqual(reply.body.subject, '');
  const nameless = await preview(await t.draft(id, { subject: '{{ subscriber.name }}' }));
  assert.deepEqual([nameless.status, nameless.body.param], [422, 'subject']);
});

test('200 with the issue as somebody made up gets it', async () => {
  const html = '<p>Hi {{ subscriber.name | default: "there" }}</p><a href="{{ unsubscribe_url }}">bye</a>';
  const draft = await t.draft(await t.list(), {
    subject: '{{ subscriber.name }}',
    html_body: html,
  });
  const reply = await preview(draft).then((got) => (assert.equal(got.status, 422), got));
  assert.equal(reply.body.param, 'subject', 'a subject of nothing but a name that many have not');
  const better = await t.draft(await t.list(), {
    subject: 'For {{ subscriber.name | default: "you" }}',
    html_body: html,
    preheader: 'See & read',
  });
  const { status, body } = await preview(better);
  assert.equal(status, 200);
  assert.equal(body.subject, 'For Ada Lovelace');
  assert.ok(
    body.html.includes(
      '<p>Hi Ada Lovelace</p><a href="https://app.example.com/api/n/unsubscribe?token=preview">bye</a>',
    ),
  );
  assert.ok(body.html.includes('See &amp; read'));
  assert.match(body.html, /<html lang="en">/);
  assert.match(body.text, /^Hi Ada Lovelace/);
  assert.match(body.text, /Unsubscribe: https:\/\/app\.example\.com\/api\/n\/unsubscribe\?token=preview\n/);
  assert.doesNotMatch(body.html, /\/t\/[oc]\//);
});

test('200 with the issue as one subscriber gets it; 404 for one of another newsletter', async () => {
  const newsletterId = await t.list(1);
  const other = await t.list(1);
  const idOf = async (list: string): Promise<string> => (await t.call('GET', `/${list}/subscribers`)).body.data[0].id;
  const draft = await t.draft(newsletterId, {
    html_body: '<p>{{ subscriber.email }} {{ subscriber.metadata.plan }}.</p>',
  });
  const { body } = await preview(draft, `?subscriber_id=${await idOf(newsletterId)}`);
  assert.ok(body.html.includes('<p>reader-0@example.com .</p>'));
  assert.equal((await preview(draft, `?subscriber_id=${await idOf(other)}`)).status, 404);
});

test('422 with the field and the line for Liquid that cannot be read, and nothing is stored', async () => {
  const rows: [change: object, param: string, words: string][] = [
    [{ html_body: '<p>\n{{ name' }, 'html_body', 'Line 2: Output "{{ name" not closed.'],
    [{ subject: '{% if %}' }, 'subject', 'Line 1:'],
    [{ preheader: '{{ a | nothing }}' }, 'preheader', 'Line 1: There is no filter "nothing"'],
    [{ text_body: '{% include "x" %}' }, 'text_body', 'Line 1: There is no tag "include"'],
  ];
  const newsletterId = await t.list();
  const draft = await t.draft(newsletterId);
  const url = `/${newsletterId}/issues`;
  const before = await t.call('GET', urlOf(draft));
  for (const [change, param, words] of rows) {
    const body = { subject: 'News', html_body: '<p>Hi</p>', ...change };
    for (const reply of [await t.call('POST', url, { body }), await t.call('PATCH', urlOf(draft), { body: change })]) {
      assert.deepEqual([reply.status, reply.body.param], [422, param], reply.text);
      assert.ok(reply.body.message.includes(words), reply.text);
    }
  }
  assert.equal((await t.call('GET', url)).body.data.length, 1);
  assert.deepEqual((await t.call('GET', urlOf(draft))).body, before.body);
});

test('a check warns of a record that a template shows as text, and it prints nothing', async () => {
  const newsletterId = await t.list(1);
  const draft = await t.draft(newsletterId, { html_body: '<p>[{{ subscriber.metadata.city | upcase }}]</p>' });
  const messageOf = async (): Promise<string> =>
    (await check(draft)).checks.find(({ id }: Body) => id === 'variables').message;
  assert.equal(await messageOf(), 'Every variable is known.');
  const [reader] = (await t.call('GET', `/${newsletterId}/subscribers`)).body.data;
  const changed = await t.call('PATCH', `/${newsletterId}/subscribers/${reader.id}`, {
    body: { metadata: { city: { name: 'x' } } },
  });
  assert.equal(changed.status, 200, changed.text);
  assert.match(await messageOf(), /^For some subscribers subscriber\.metadata\.city has parts of its own\./);
  assert.ok((await preview(draft, `?subscriber_id=${reader.id}`)).body.html.includes('<p>[]</p>'));
});

test('422 with the field, the line and a sentence for what cannot be made', async () => {
  const rows: [change: object, param: string, words: string][] = [
    [{ html_body: '<p>Hi</p><script>x</script>' }, 'html_body', '<script>'],
    [{ html_body: '{{ "<scr" | append: "ipt>" | raw }}' }, 'html_body', '<script>'],
    [{ html_body: '<style>body{display:none}</style>' }, 'html_body', 'hide'],
    [{ html_body: '{% for i in (1..20000) %}x{% endfor %}' }, 'html_body', '10,000 items'],
  ];
  for (const [change, param, words] of rows) {
    const draft = await t.draft(await t.list(), change);
    for (const reply of [await preview(draft), await sendTest(draft, 'me@example.com')]) {
      assert.deepEqual([reply.status, reply.body.param], [422, param], reply.text);
      assert.ok(reply.body.message.includes(words), reply.text);
    }
    const checked = await check(draft);
    assert.equal(checked.ok, false);
    assert.equal(levels(checked)[param], 'error');
    assert.equal((await t.call('POST', `${urlOf(draft)}/send`)).status, 422);
  }
  assert.deepEqual(await queued(), []);
});

test('200 for a test: one email at once, marked, with dead links, tracked and counted nowhere', async () => {
  const draft = await t.draft(await t.list(3), { html_body: '<a href="https://acme.test/">x</a>' });
  const reply = await sendTest(draft, 'Me@Example.com');
  assert.equal(reply.status, 200, reply.text);
  const { emailId, ...rest } = reply.body;
  assert.deepEqual(rest, { success: true, to: 'me@example.com' });
  const [email, ...others] = await queued();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [email.id, email.lane, email.source, email.issue_id, email.subject, email.personal],
    [emailId, 0, 'test', null, '[Test] News of October', null],
  );
  assert.deepEqual([email.track_opens, email.track_clicks], [false, false]);
  assert.ok(email.html.includes('/api/n/unsubscribe?token=preview'));
  const read = (await t.call('GET', urlOf(draft))).body;
  assert.deepEqual([read.status, read.stats.total], ['draft', 0]);
});

test('4xx for what is not exactly one address that may be mailed, and nothing is queued', async () => {
  const draft = await t.draft(await t.list());
  const before = (await queued()).length;
  await t.app.request({ url: '/v1/suppressions', body: { email: 'gone@example.com', reason: 'manual' } });
  const rows: [to: unknown, status: number][] = [
    ['gone@example.com', 422],
    ['GONE@example.com', 422],
    ['a@example.com, b@example.com', 400],
    ['a@example.com\r\nBcc: b@example.com', 400],
    [['a@example.com'], 400],
    ['nobody', 400],
    ['', 400],
    [null, 400],
  ];
  for (const [to, status] of rows) {
    const reply = await sendTest(draft, to);
    assert.deepEqual([reply.status, reply.body.param], [status, 'to'], `${JSON.stringify(to)}: ${reply.text}`);
  }
  assert.equal((await queued()).length, before);
});

test('429 beyond 30 tests an hour, whatever issue of the newsletter', async () => {
  const newsletterId = await t.list();
  const drafts = [await t.draft(newsletterId), await t.draft(newsletterId)];
  const key = await t.key({});
  for (let n = 0; n < 30; n += 1) {
    assert.equal((await sendTest(drafts[n % 2], `me${n}@example.com`, { key })).status, 200);
  }
  const before = (await queued()).length;
  const refused = await sendTest(drafts[0], 'me@example.com');
  assert.deepEqual([refused.status, refused.body.name], [429, 'rate_limit_error']);
  assert.equal((await queued()).length, before);
});

test('422 without a sender, 403 without the scope, 404 for an issue of another newsletter', async () => {
  const none = await t.draft(await t.list(0, { fromEmail: null }));
  const refused = await sendTest(none, 'me@example.com');
  assert.deepEqual([refused.status, refused.body.param], [422, 'from_email']);
  const draft = await t.draft(await t.list());
  const key = await t.key({ scopes: ['issues:write'] });
  assert.equal((await sendTest(draft, 'me@example.com', { key })).status, 403);
  for (const [method, verb] of [
    ['GET', 'preview'],
    ['POST', 'check'],
    ['POST', 'send-test'],
  ] as const) {
    const reply = await t.call(
      method,
      `/${none.newsletter_id}/issues/${draft.id}/${verb}`,
      method === 'POST' ? { body: { to: 'a@example.com' } } : {},
    );
    assert.equal(reply.status, 404, verb);
  }
});

test('200 with who gets the issue, exactly: as many as its send then has', async () => {
  const newsletterId = await t.list(5);
  await addSubscribers(t.app, newsletterId, 2, 'pending', 'pending');
  await addSubscribers(t.app, newsletterId, 3, 'unsubscribed', 'left');
  await t.app.request({ url: '/v1/suppressions', body: { email: 'not-listed@example.com', reason: 'manual' } });
  const draft = await t.draft(newsletterId);
  const checked = await check(draft);
  assert.deepEqual(checked.recipients, { will_send: 5, suppressed: 0, pending: 2, unsubscribed: 3 });
  assert.equal(checked.ok, true, JSON.stringify(checked.checks));
  const sent = await t.call('POST', `${urlOf(draft)}/send`);
  assert.equal(sent.body.total_recipients, checked.recipients.will_send);
});

test('200 with a warning for an empty alt text, and none for decoration', async () => {
  const picture = (more: string) => `<img src="https://acme.test/a.png" ${more}>`;
  const draft = await t.draft(await t.list(), {
    html_body: [
      picture('alt=" " width="500"'),
      picture('alt="" width="500" role="presentation"'),
      picture('alt="" width="500" height="2"'),
      picture('alt="An office" width="500"'),
    ].join(''),
  });
  const found = (await check(draft)).checks.filter(({ id }: Body) => id.startsWith('images'));
  assert.deepEqual(
    found.map(({ id, level, message }: Body) => [id, level, message.slice(0, 17)]),
    [['images_empty_alt', 'warning', '1 of 4 images has']],
  );
});

test('200 with what its reader would stumble over, as warnings that stop nothing', async () => {
  const html =
    '<img src="http://acme.test/a.png"><img src="data:image/png;base64,AA"><a href="http://acme.test/">a</a>' +
    '<a href="/relative">b</a>{{ subscriber.nmae }}' +
    `<!--${'x'.repeat(110 * 1024)}-->`;
  const draft = await t.draft(await t.list(), { subject: 'RE: BUY NOW!!!', html_body: html });
  const checked = await check(draft);
  assert.equal(checked.ok, true);
  const { sender, body, ...found } = levels(checked);
  assert.deepEqual([sender, body], ['ok', 'ok']);
  const warned = Object.keys(found).filter((id) => found[id] === 'warning');
  assert.deepEqual(warned.toSorted(), [
    'image_without_width',
    'images',
    'images_http',
    'images_inline',
    'links',
    'picture_only',
    'postal_address',
    'public_url',
    'recipients',
    'size',
    'subject_capitals',
    'subject_reply',
    'subject_signs',
    'variables',
    'words',
  ]);
  assert.ok(checked.checks.some(({ message }: Body) => message.includes('subscriber.nmae')));
  const audienceOf = ({ checks }: Body) => checks.find(({ id }: Body) => id === 'recipients').message;
  const left = 'Left out: 0 who have not confirmed, 0 unsubscribed, 0 suppressed.';
  assert.equal(audienceOf(checked), `Nobody would get it. ${left}`);
  const good = await check(
    await t.draft(await t.list(1), { html_body: `<p>${'Word '.repeat(30)}{{ subscriber.metadata.anything }}</p>` }),
  );
  assert.deepEqual(
    good.checks.filter(({ level }: Body) => level !== 'ok').map(({ id }: Body) => id),
    ['postal_address', 'public_url'],
  );
  assert.equal(audienceOf(good), `It goes to 1. ${left}`);
});

test('200 with a warning for Liquid that readers would see as it is written; code may show it', async () => {
  const newsletterId = await t.list(1);
  const bracesOf = async (html: string): Promise<Body[]> =>
    (await check(await t.draft(newsletterId, { html_body: html }))).checks.filter(({ id }: Body) => id === 'braces');
  const [found, ...more] = await bracesOf('<p>Hi <b>&#123;{ subscriber.name | upcase }}</b></p>');
  assert.equal(found.level, 'warning');
  assert.match(found.message, /^Recipients would read \{\{ subscriber\.name \| upcase \}\} as it stands\./);
  assert.deepEqual(more, []);
  const [condition] = await bracesOf('<p>&#123;% if subscriber.name %}Hi&#123;% endif %}</p>');
  assert.match(condition.message, /\{% if subscriber\.name %\}/);
  const good = '<p>{{ subscriber.name | upcase }} {a} {</p><pre><code>&#123;{ name }}</code></pre>';
  assert.deepEqual(await bracesOf(good), []);
});

test('200 where links to the server of its pages are http, and only links of the author count as https', async () => {
  const newsletterId = await t.list(1);
  const linksOf = async (html: string): Promise<string> => {
    const { checks } = await check(await t.draft(newsletterId, { html_body: html }));
    assert.equal(checks.find(({ id }: Body) => id === 'public_url').level, 'warning');
    return checks.find(({ id }: Body) => id === 'links').message;
  };
  assert.equal(await linksOf('<p>No link</p>'), 'Your HTML has no links.');
  assert.equal(await linksOf('<a href="https://acme.test/">a</a>'), 'Every web link of your HTML is https.');
  assert.match(await linksOf('<a href="http://localhost:3000/n/a">a</a>'), /1 link is not https/);
});

test('200 with what is wider than a mail, by name; what fits is not warned of', async () => {
  const wide =
    `<table width="800"><tr><td>${'x'.repeat(70)}</td></tr></table>` +
    '<img alt="a" src="https://acme.test/a.png" width="1200"><img alt="b" src="https://acme.test/b.png">';
  const narrow =
    '<table width="600"><tr><td>Word</td></tr></table><pre>' +
    `${'x'.repeat(70)}</pre><img alt="a" src="https://acme.test/a.png" width="600"><img alt="b" src="https://acme.test/b.png" width="100%">`;
  const newsletterId = await t.list(1);
  const ids = ['fixed_width', 'image_width', 'image_without_width', 'long_word', 'width'];
  const found = async (html: string) =>
    (await check(await t.draft(newsletterId, { html_body: `<p>${'Word '.repeat(30)}</p>${html}` }))).checks
      .filter(({ id }: Body) => ids.includes(id))
      .map(({ id, level }: Body) => `${id} ${level}`)
      .toSorted();
  assert.deepEqual(
    await found(wide),
    ids.slice(0, 4).map((id) => `${id} warning`),
  );
  assert.deepEqual(await found(narrow), ['width ok']);
});

test('200 with the size that the issue leaves with: links and pixel of its reader included', async () => {
  const html = `<p>${'Word '.repeat(12_000)}</p>${Array.from({ length: 400 }, (_, n) => `<a href="https://acme.test/${n}">${n}</a> `).join('')}`;
  const newsletterId = await t.list(1);
  const draft = await t.draft(newsletterId, { html_body: html });
  const size = async (): Promise<Body> => (await check(draft)).checks.find(({ id }: Body) => id === 'size');
  const tracked = await size();
  await t.call('PATCH', `/${newsletterId}`, { body: { track_clicks: false } });
  const plain = await size();
  assert.deepEqual([plain.level, tracked.level], ['ok', 'warning']);
  const kb = ({ message }: Body) => Number(/is (\d+) KB/.exec(message)?.[1]);
  assert.ok(kb(plain) > 75 && kb(plain) < 85, plain.message);
  assert.ok(kb(tracked) - kb(plain) > 30, tracked.message);
});

test('an error for links to this machine, unless nothing leaves it', async () => {
  assert.equal(levels(await check(await t.draft(await t.list())))['public_url'], 'warning');
});
