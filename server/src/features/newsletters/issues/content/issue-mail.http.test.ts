/** Issues from the API to the bytes that leave, read by parsers and verifiers of others. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { needsTool } from '../../../../../test/system-tools.ts';
import { addSubscribers, type Body, createIssuesApp, type IssuesApp } from '../test-kit.ts';

let t: IssuesApp;
before(async () => {
  t = await createIssuesApp({ worker: true, env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '600' } });
});
after(() => t.close());

interface Mail {
  emailId: string;
  to: string;
  mime: Buffer;
}

/** Sends an issue and waits until every recipient is settled. */
async function sent(newsletterId: string, issue: object): Promise<{ mails: Mail[]; draft: Body }> {
  const draft = await t.draft(newsletterId, issue);
  const reply = await t.call('POST', `/${newsletterId}/issues/${draft.id}/send`);
  assert.equal(reply.status, 202, reply.text);
  await t.until('every recipient is settled', async () => {
    const { rows } = await sql<{ left: boolean; frozen: boolean }>`
      select s.frozen_at is not null as frozen, exists (select from emails e where e.workspace_id = s.workspace_id
          and e.send_id = s.id and e.status in ('pending', 'queued', 'sending', 'deferred')) as left
        from send_requests s where s.workspace_id = ${t.app.workspaceId} and s.issue_id = ${draft.id}`.execute(
      t.app.db,
    );
    return rows[0]?.frozen === true && !rows[0].left;
  });
  const { rows } = await sql<Mail>`
    select c.email_id as "emailId", c.envelope_to[1] as to, c.mime from captured_emails c
      join emails e on e.workspace_id = c.workspace_id and e.id = c.email_id
      join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where c.workspace_id = ${t.app.workspaceId} and e.workspace_id = c.workspace_id and s.workspace_id = c.workspace_id
       and s.issue_id = ${draft.id} order by 2`.execute(t.app.db);
  return { mails: rows, draft };
}

async function newsletter(subscribers: number, change: object = {}): Promise<string> {
  const id = await t.list(subscribers);
  const body = { track_opens: false, track_clicks: false, ...change };
  const reply = await t.call('PATCH', `/${id}`, { body });
  assert.equal(reply.status, 200, reply.text);
  return id;
}

const headersOf = (mime: Buffer): Map<string, string[]> => {
  const section = mime.toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
  const headers = new Map<string, string[]>();
  for (const line of section.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value]);
  }
  return headers;
};

const HTML = '<P Class=x>\n\t&amp;&nbsp;<br/>Grüße 😀 = {single}</p><a href="https://acme.test/?a=1&b=2">x</a>';

test('the author’s html is in the message byte for byte, and html and text have the way out of their reader', async () => {
  const { mails } = await sent(await newsletter(3), { html_body: HTML, preheader: 'Pre & view' });
  assert.equal(mails.length, 3);
  const links = new Set<string>();
  for (const { mime } of mails) {
    const email = await PostalMime.parse(mime);
    assert.ok(email.html?.replaceAll('\r\n', '\n').includes(HTML));
    const [link = ''] = /https:\/\/app\.example\.com\/api\/n\/unsubscribe\?token=[\w.-]+/.exec(email.html ?? '') ?? [];
    assert.notEqual(link, '');
    links.add(link);
    assert.ok(email.text?.includes(`Unsubscribe: ${link}\n`));
    assert.match(email.text ?? '', /Preferences: https:\/\/app\.example\.com\/api\/n\/preferences\?token=/);
    assert.match(email.text ?? '', /x <https:\/\/acme\.test\/\?a=1&b=2>/);
    assert.ok(email.html?.includes('Pre &amp; view'));
    assert.doesNotMatch(email.html ?? '', /\/t\/[oc]\//);
    const page = await t.app.request({
      url: new URL(link).pathname + new URL(link).search,
      key: null,
      headers: { 'user-agent': 'curl/8' },
    });
    assert.ok(page.status < 400, page.text.slice(0, 200));
  }
  assert.equal(links.size, 3, 'each has its own');
});

test('each header once, those of lists as the standards say, and short enough for any provider', async () => {
  const id = await newsletter(1, { name: 'Käse & "Co" 😀', from_name: 'Käse, Co.', reply_to: 'answers@posthorn.test' });
  await sql`update subscribers set name = 'Ada "Countess" Lovelace, née Byrön' where newsletter_id = ${id} and workspace_id = ${t.app.workspaceId}`.execute(
    t.app.db,
  );
  const { mails } = await sent(id, { subject: 'Über =?utf-8?Q?=0D=0ABcc:_x?= {single}' });
  const [mail] = mails;
  assert.ok(mail !== undefined);
  const headers = headersOf(mail.mime);
  for (const name of [
    'from',
    'to',
    'subject',
    'date',
    'message-id',
    'mime-version',
    'reply-to',
    'list-unsubscribe',
    'list-unsubscribe-post',
    'list-id',
    'feedback-id',
    'precedence',
    'dkim-signature',
  ]) {
    assert.equal(headers.get(name)?.length, 1, name);
    assert.ok((headers.get(name)?.[0] ?? '').length <= 870, name);
  }
  assert.equal(headers.get('bcc'), undefined);
  assert.match(
    headers.get('list-unsubscribe')?.[0] ?? '',
    /^<https:\/\/app\.example\.com\/api\/n\/unsubscribe\?token=[\w.-]+>$/,
  );
  assert.deepEqual(headers.get('list-unsubscribe-post'), ['List-Unsubscribe=One-Click']);
  assert.deepEqual(headers.get('precedence'), ['bulk']);
  assert.match(headers.get('list-id')?.[0] ?? '', /^=\?utf-8\?[QB]\?.* <n-[0-9a-f-]+\.posthorn\.test>$/i);
  assert.match(headers.get('feedback-id')?.[0] ?? '', /^[\w-]{22}:[\w-]{22}:[\w-]{22}:posthorn$/);
  const signed =
    / h=([^;]*);/
      .exec(headers.get('dkim-signature')?.[0] ?? '')?.[1]
      ?.replace(/\s/g, '')
      .split(':') ?? [];
  for (const name of [
    'list-unsubscribe',
    'list-unsubscribe-post',
    'list-id',
    'feedback-id',
    'from',
    'to',
    'subject',
    'reply-to',
  ]) {
    assert.ok(signed.includes(name), `${name} is not signed`);
  }
  const email = await PostalMime.parse(mail.mime);
  assert.equal(email.subject, 'Über =?utf-8?Q?=0D=0ABcc:_x?= {single}');
  assert.equal(email.to?.[0]?.name, 'Ada "Countess" Lovelace, née Byrön');
  assert.equal(email.from?.name, 'Käse, Co.');
  assert.ok(email.html?.includes('Käse &amp; &quot;Co&quot; 😀'));
});

test('Liquid for each reader: escaped in html, as it is in text and subject, tracked, and nobody gets what is another’s', async () => {
  const id = await newsletter(0, { track_opens: true, track_clicks: true });
  await addSubscribers(t.app, id, 40, 'active');
  await sql`update subscribers set name = case when right(email, 13) = '7@example.com' then null else 'N <' || email || '>' end,
      metadata = jsonb_build_object('plan', email) where newsletter_id = ${id} and workspace_id = ${t.app.workspaceId}`.execute(
    t.app.db,
  );
  const { mails } = await sent(id, {
    subject: 'Hi {{ subscriber.name | default: "there" }}',
    preheader: 'For {{ subscriber.email }}',
    html_body:
      '<p>{{ subscriber.name | default: "there" }} {{ subscriber.metadata.plan }}</p>' +
      '<a href="https://acme.test/{{ subscriber.email | url_encode }}">x</a><a href="{{ unsubscribe_url }}">u</a>',
    text_body: 'T {{ subscriber.name }} {{ newsletter.name }}',
  });
  assert.equal(mails.length, 40);
  for (const { to, mime } of mails) {
    const email = await PostalMime.parse(mime);
    const named = to.endsWith('7@example.com') ? null : `N <${to}>`;
    assert.equal(email.subject, `Hi ${named ?? 'there'}`);
    const shown = (named ?? 'there').replace('<', '&lt;').replace('>', '&gt;');
    assert.ok(email.html?.includes(`<p>${shown} ${to}</p>`), email.html ?? '');
    assert.ok(email.html?.includes(`For ${to}`));
    assert.equal(email.text?.startsWith(`T ${named ?? ''} `), true);
    assert.equal(email.html?.match(/\/t\/c\//g)?.length, 1, 'only the link of the author’s own is counted');
    assert.equal(email.html?.match(/\/t\/o\//g)?.length, 1);
    assert.equal(email.html?.match(/\/api\/n\/unsubscribe\?token=/g)?.length, 2);
    const others = mails.filter((one) => one.to !== to && !to.includes(one.to));
    for (const other of others) assert.ok(!email.html?.includes(other.to), `${to} got ${other.to}`);
  }
});

test('without Liquid, tracked: links and pixel of each, and the links of ours as they are', async () => {
  const { mails } = await sent(await newsletter(3, { track_opens: true, track_clicks: true }), { html_body: HTML });
  const pixels = new Set<string>();
  for (const { mime } of mails) {
    const { html = '' } = await PostalMime.parse(mime);
    pixels.add(/\/t\/o\/[\w-]+/.exec(html ?? '')?.[0] ?? '');
    assert.equal((html ?? '').match(/\/t\/c\//g)?.length, 1);
    assert.match(html ?? '', /href="https:\/\/app\.example\.com\/api\/n\/unsubscribe\?token=/);
  }
  assert.equal(pixels.size, 3);
});

test('one whose values hide the footer fails with the reason, and nobody else does', async () => {
  const id = await newsletter(5);
  await sql`update subscribers set metadata = '{"bio": "<!-- <script>x</script>"}'
    where email = 'reader-2@example.com' and newsletter_id = ${id} and workspace_id = ${t.app.workspaceId}`.execute(
    t.app.db,
  );
  await sql`update subscribers set metadata = '{"bio": "<script>x</script>"}'
    where email = 'reader-3@example.com' and newsletter_id = ${id} and workspace_id = ${t.app.workspaceId}`.execute(
    t.app.db,
  );
  const { mails, draft } = await sent(id, { html_body: '<p>{{ subscriber.metadata.bio | raw }}</p>' });
  assert.deepEqual(
    mails.map(({ to }) => to),
    [0, 1, 2, 4].map((n) => `reader-${n}@example.com`),
  );
  const { rows } = await sql<Body>`
    select e.recipient, e.status, e.error from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and s.workspace_id = e.workspace_id and s.issue_id = ${draft.id}
       and e.status = 'failed'`.execute(t.app.db);
  assert.deepEqual(
    rows.map(({ recipient }: Body) => recipient),
    ['reader-3@example.com'],
  );
  assert.match(rows[0]?.error ?? '', /<script>/);
  for (const { mime } of mails) {
    const { html } = await PostalMime.parse(mime);
    assert.match(html ?? '', /unsubscribe\?token=/);
  }
});

const readMessages = `
import sys, json, base64, email, email.policy
out = []
for raw in json.load(sys.stdin):
    msg = email.message_from_bytes(base64.b64decode(raw), policy=email.policy.SMTP)
    part = lambda kind: msg.get_body((kind,)).get_payload(decode=True).decode('utf-8')
    out.append({'subject': str(msg['subject']), 'html': part('html'), 'text': part('plain'), 'leave': str(msg['list-unsubscribe']),
        'defects': [str(d) for p in msg.walk() for d in p.defects]})
json.dump(out, sys.stdout)
`;
const verify = `
import sys, json, base64, dkim
given = json.load(sys.stdin)
json.dump([dkim.verify(base64.b64decode(raw), dnsfunc=lambda *a, **k: given['record'].encode()) for raw in given['messages']], sys.stdout)
`;
function python(script: string, input: unknown): Body {
  const { stdout, stderr, status } = spawnSync('/usr/bin/python3', ['-c', script], {
    input: JSON.stringify(input),
    maxBuffer: 1 << 28,
  });
  assert.equal(status, 0, stderr.toString());
  return JSON.parse(stdout.toString());
}

test('parsers and verifiers of others agree: postal-mime and Python, mailauth and dkimpy', async (context) => {
  const texts = [
    HTML,
    '<p>日本語のニュースレター</p>'.repeat(50),
    `<html><body><p>${'w'.repeat(3_000)}</p></body></html>`,
    '<p>{{ subscriber.email }}</p>',
  ];
  const mails: Mail[] = [];
  for (const html_body of texts)
    mails.push(
      ...(await sent(await newsletter(2, { track_clicks: true, track_opens: true }), { html_body, subject: 'Ünd' }))
        .mails,
    );
  assert.equal(mails.length, 8);
  const { rows } = await sql<{ selector: string; key: string }>`
    select dkim_selector as selector, dkim_public_key as key from domains
     where domain = 'posthorn.test' and workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  const record = `v=DKIM1; k=rsa; p=${rows[0]?.key}`;
  for (const { mime } of mails) {
    const { results } = await dkimVerify(mime, { resolver: async () => [[record]] });
    assert.deepEqual(
      results.map(({ status }) => status.result),
      ['pass'],
    );
  }
  if (!needsTool(context, 'dkim')) return;
  const messages = mails.map(({ mime }) => mime.toString('base64'));
  assert.deepEqual(
    python(verify, { messages, record }),
    messages.map(() => true),
  );
  const read = python(readMessages, messages);
  for (const [index, { mime }] of mails.entries()) {
    const { html, text, subject } = await PostalMime.parse(mime);
    const lines = (value: string | undefined | null) => (value ?? '').replaceAll('\r\n', '\n').trim();
    assert.deepEqual(read[index].defects, []);
    assert.deepEqual(
      [lines(read[index].html), lines(read[index].text), read[index].subject],
      [lines(html), lines(text), subject],
    );
    assert.match(read[index].leave, /^<https:\/\/\S+>$/);
  }
});

test('a test has the headers of its issue, and its links show a page to GET and POST and change nothing', async () => {
  const id = await newsletter(1, { name: 'Täglich' });
  const draft = await t.draft(id);
  const reply = await t.call('POST', `/${id}/issues/${draft.id}/send-test`, { body: { to: 'reader-0@example.com' } });
  assert.equal(reply.status, 200, reply.text);
  const captured = async () =>
    sql<{ mime: Buffer }>`select mime from captured_emails where workspace_id = ${t.app.workspaceId}
       and email_id = ${reply.body.emailId}`.execute(t.app.db);
  await t.until('the test is captured', async () => (await captured()).rows.length === 1);
  const mime = (await captured()).rows[0]?.mime ?? assert.fail();
  const headers = headersOf(mime);
  const [real] = (await sent(id, {})).mails;
  const realHeaders = headersOf(real?.mime ?? assert.fail());
  for (const name of ['list-id', 'list-unsubscribe-post', 'precedence']) {
    assert.equal(headers.get(name)?.length, 1, name);
    assert.deepEqual(headers.get(name), realHeaders.get(name), name);
  }
  const ofNewsletter = (value: string[] | undefined) => value?.map((one) => one.split(':').slice(1));
  assert.deepEqual(ofNewsletter(headers.get('feedback-id')), ofNewsletter(realHeaders.get('feedback-id')));
  const signature = headers.get('dkim-signature')?.[0]?.replace(/\s+/g, '') ?? '';
  const signed = /;h=([^;]+)/.exec(signature)?.[1]?.toLowerCase().split(':') ?? [];
  for (const name of ['list-id', 'list-unsubscribe', 'list-unsubscribe-post']) assert.ok(signed.includes(name), name);

  const link = /^<https:\/\/app\.example\.com(\/[^>]+)>$/.exec(headers.get('list-unsubscribe')?.[0] ?? '')?.[1];
  assert.ok(link !== undefined, headers.get('list-unsubscribe')?.join());
  const before = await everybody(id);
  const text = (await PostalMime.parse(mime)).text ?? '';
  const preferences =
    /https:\/\/app\.example\.com(\/api\/n\/preferences\?token=\S+)/.exec(text)?.[1] ?? assert.fail(text);
  assert.ok(text.includes(link), 'the link of the footer is that of the header');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const asked = [
    { method: 'GET', url: link },
    { method: 'POST', url: link, headers: form, payload: 'List-Unsubscribe=One-Click' },
    { method: 'POST', url: link.replace('unsubscribe', 'unsubscribe/everywhere'), headers: form, payload: '' },
    { method: 'GET', url: preferences },
    { method: 'POST', url: preferences, headers: form, payload: 'action=everywhere' },
  ] as const;
  for (const one of asked) {
    const page = await t.app.app.inject(one);
    assert.equal(page.statusCode, 200, `${one.method} ${one.url}`);
    assert.ok(page.body.includes('This is a preview'), `${one.method} ${one.url}`);
  }
  assert.deepEqual(await everybody(id), before);
});

const everybody = async (newsletterId: string): Promise<unknown[]> => {
  const { rows } = await sql`
    select s.*, (select count(*) from suppressions p where p.workspace_id = s.workspace_id) as suppressed
      from subscribers s where s.workspace_id = ${t.app.workspaceId} and s.newsletter_id = ${newsletterId}`.execute(
    t.app.db,
  );
  return rows;
};
