/**
 * The emails of newsletters as a real process hands them over, judged by programs that none of us wrote: parsers in
 * three languages, two verifiers of signatures, and a filter for spam.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime, { type Address } from 'postal-mime';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';
import { queryAt } from '../harness/query.ts';
import { needsTool } from '../system-tools.ts';

/** A test reads fields of many shapes. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const DASHBOARD = 'https://news.acme.example';
const NAME = 'Slow Mornings – Käse & "Co"';
/** Of what is refused as spam at five; a confirmation or an issue of ours gives no reason at all. */
const SPAM_POINTS_MAX = 2;
const WRITTEN = `<H1 Class=x>What a map leaves out</H1>
<p>This week we walked along the river, from the mill to the sea, and wrote down what the map does not say.&nbsp;Grüße 😀</p>
\t<p style='color:#1d2025'>Read <a href="https://example.com/?a=1&amp;b=2">the whole story</a> &lt;here&gt; = {single}.</p><br/>`;
const ISSUES = {
  plain: { track: false, subject: 'Über small rituals – and tea ☕', html_body: WRITTEN },
  liquid: {
    track: false,
    subject: 'Three notes for {{ subscriber.name }}',
    html_body: `${WRITTEN}{% if false %}x{% endif %}`,
  },
  tracked: { track: true, subject: 'A subject of plain words', html_body: WRITTEN },
  'tracked liquid': {
    track: true,
    subject: 'For {{ subscriber.name }}',
    html_body: `${WRITTEN}{% if false %}x{% endif %}`,
  },
  document: {
    track: false,
    subject:
      'Ein sehr langer Betreff über Käse, Brot und Tee, der in mehr als einer Zeile steht, weil er Umlaute hat: äöüß',
    html_body: `<!DOCTYPE HTML>\n<html lang=de><head><title>x</title><style>p{color:#222}</style></head>\n<body bgcolor=white>${WRITTEN}</body></html>\n`,
  },
};
const READER = 'Ada "Countess" Lovelace, née Byrön';
const AGREED = {
  skip_confirmation: true,
  consent: { statement: 'Asked at the desk.', collected_at: '2026-01-05T10:00:00.000Z' },
};
type Kind = keyof typeof ISSUES | 'confirmation';

const mails = new Map<Kind, Buffer>();
let posthorn: PosthornProcess;
let list: string;
let dkim: { record: string; selector: string };
let database: TestDatabase;
let begunMs = 0;

async function api(pathname: string, body?: unknown, method?: string): Promise<Body> {
  const answer = await posthorn.fetch(pathname, {
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  });
  assert.ok(answer.status < 300, `${pathname}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The bytes of the newest captured email to somebody; it is on its way when this is asked. */
async function mailTo(to: string, known: ReadonlySet<string> = new Set()): Promise<{ id: string; mime: Buffer }> {
  const deadlineMs = performance.now() + 30_000;
  for (;;) {
    const { data } = await api(`/v1/captured-emails?to=${encodeURIComponent(to)}`);
    const found = data.find(({ id }: Body) => !known.has(id));
    if (found !== undefined) {
      const raw = await fetch(`${posthorn.url}/v1/captured-emails/${found.id}/raw`, {
        headers: { authorization: `Bearer ${posthorn.key}` },
      });
      return { id: found.id, mime: Buffer.from(await raw.arrayBuffer()) };
    }
    assert.ok(performance.now() < deadlineMs, `an email to ${to}`);
    await new Promise(setImmediate);
  }
}

before(async () => {
  begunMs = Date.now();
  database = await createTestDatabase();
  posthorn = await startProcess({
    databaseUrl: database.url,
    startTimeoutMs: 60_000,
    env: { POSTHORN_PUBLIC_URL: 'https://mail.acme.example', POSTHORN_DASHBOARD_URL: DASHBOARD },
  });
  const made = await api('/v1/newsletters', {
    name: NAME,
    slug: 'slow-mornings',
    from_email: 'letters@posthorn.test',
    from_name: 'Käse, Ada',
    reply_to: 'Ada Lovelace <answers@example.com>',
    postal_address: 'Acme Inc.\n1 Main Street\nSpringfield',
  });
  list = `/v1/newsletters/${made.id}`;
  await api(`${list}/subscribers`, { email: 'grace@example.com', name: 'Grace' });
  await api(`${list}/subscribers`, { email: 'ada@example.com', name: READER, ...AGREED });
  mails.set('confirmation', (await mailTo('grace@example.com')).mime);
  const known = new Set<string>();
  // In the order of the table, each on its own: who is tracked is a matter of the newsletter.
  for (const [kind, { track, ...issue }] of Object.entries(ISSUES)) {
    await api(list, { track_opens: track, track_clicks: track }, 'PATCH');
    const draft = await api(`${list}/issues`, { preheader: 'Three notes & a map', ...issue });
    await api(`${list}/issues/${draft.id}/send`, {});
    const { id, mime } = await mailTo('ada@example.com', known);
    known.add(id);
    // Object.entries forgets the type of the names.
    mails.set(kind as Kind, mime);
  }
  const [domain] = await queryAt(
    database.url,
    "select dkim_public_key as key, dkim_selector as selector from domains where domain = 'posthorn.test'",
  );
  dkim = { record: `v=DKIM1; k=rsa; p=${String(domain?.['key'])}`, selector: String(domain?.['selector']) };
});
after(async () => {
  await posthorn?.stop();
  await database?.close();
});

/** The fields of a message's header, unfolded, by their names in lower case. */
function fieldsOf(mime: Buffer): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  const header = mime.toString('latin1').split('\r\n\r\n', 1)[0] ?? '';
  for (const line of header.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const [, name = '', value = ''] = /^([!-9;-~]+): ?(.*)$/.exec(line) ?? assert.fail(line);
    fields.set(name.toLowerCase(), [...(fields.get(name.toLowerCase()) ?? []), value]);
  }
  return fields;
}

const lines = (text: string | null | undefined): string => (text ?? '').replaceAll('\r\n', '\n').trimEnd();

const READ = `
import sys, json, base64, email, email.policy, email.utils
out = []
for raw in json.load(sys.stdin):
    msg = email.message_from_bytes(base64.b64decode(raw), policy=email.policy.default)
    part = lambda kind: msg.get_body((kind,)).get_content()
    people = lambda name: [[a.display_name, a.addr_spec] for a in msg[name].addresses]
    out.append({'subject': str(msg['subject']), 'from': people('from'), 'to': people('to'), 'replyTo': people('reply-to'),
        'html': part('html'), 'text': part('plain'), 'leave': str(msg['list-unsubscribe']), 'listId': str(msg['list-id'] or ''),
        'date': msg['date'].datetime.timestamp(), 'defects': [str(d) for p in msg.walk() for d in p.defects]
          + [str(d) for p in msg.walk() for h in p.values() for d in h.defects]})
json.dump(out, sys.stdout)
`;
const VERIFY = `
import sys, json, base64, dkim
given = json.load(sys.stdin)
json.dump([dkim.verify(base64.b64decode(raw), dnsfunc=lambda *a, **k: given['record'].encode()) for raw in given['messages']], sys.stdout)
`;
// The system's own: a version manager's python3 does not see the packages of the system.
const python = (script: string, input: unknown): Body =>
  JSON.parse(
    execFileSync('/usr/bin/python3', ['-c', script], { input: JSON.stringify(input), maxBuffer: 1 << 28 }).toString(),
  );

const expectedSubjects: Record<Kind, string> = {
  plain: ISSUES.plain.subject,
  liquid: `Three notes for ${READER}`,
  tracked: ISSUES.tracked.subject,
  'tracked liquid': `For ${READER}`,
  document: ISSUES.document.subject,
  confirmation: `Please confirm your subscription to ${NAME}`,
};

test('parsers of others agree about subject, people, text and html, and find no fault in any header', async (t) => {
  if (!needsTool(t, 'dkim')) return;
  assert.equal(mails.size, 6);
  const read = python(
    READ,
    [...mails.values()].map((mime) => mime.toString('base64')),
  );
  for (const [index, [kind, mime]] of [...mails].entries()) {
    const byPython = read[index];
    const email = await PostalMime.parse(mime);
    const named = (one: Address | undefined) => [one?.name, one?.address];
    assert.deepEqual(byPython.defects, [], kind);
    assert.deepEqual([email.subject, byPython.subject], [expectedSubjects[kind], expectedSubjects[kind]]);
    assert.deepEqual([byPython.from, [named(email.from)]], Array(2).fill([['Käse, Ada', 'letters@posthorn.test']]));
    const to = kind === 'confirmation' ? ['', 'grace@example.com'] : [READER, 'ada@example.com'];
    assert.deepEqual([byPython.to, email.to?.map((one) => named(one))], [[to], [to]]);
    assert.deepEqual(
      [byPython.replyTo, email.replyTo?.map((one) => named(one))],
      Array(2).fill([['Ada Lovelace', 'answers@example.com']]),
    );
    assert.deepEqual([lines(byPython.html), lines(byPython.text)], [lines(email.html), lines(email.text)], kind);
    // In whole seconds.
    assert.ok(byPython.date * 1_000 > begunMs - 1_000 && byPython.date * 1_000 <= Date.now(), kind);
    assert.equal(Date.parse(email.date ?? ''), byPython.date * 1_000);
    // The rest of the fields, as a third program reads them.
    const { headers } = await dkimVerify(mime, { resolver: async () => [[dkim.record]] });
    const parsed: Body[] = (headers as Body).parsed;
    assert.equal(
      parsed.length,
      fieldsOf(mime)
        .values()
        .reduce((sum, values) => sum + values.length, 0),
    );
    assert.equal(byPython.leave, fieldsOf(mime).get('list-unsubscribe')?.[0]);
    if (kind !== 'confirmation') assert.equal(byPython.listId, `${NAME} <slow-mornings.posthorn.test>`);
  }
});

test('every field once and every line short, in 7 bits, with words that are encoded as the standard says', () => {
  for (const [kind, mime] of mails) {
    const fields = fieldsOf(mime);
    const wanted = ['from', 'to', 'reply-to', 'subject', 'date', 'message-id', 'mime-version', 'content-type'];
    const ofList = ['list-id', 'feedback-id'];
    const leaving = ['list-unsubscribe', 'list-unsubscribe-post', 'dkim-signature'];
    const expected = [...wanted, ...leaving, ...ofList, kind === 'confirmation' ? 'auto-submitted' : 'precedence'];
    assert.deepEqual([...fields.keys()].sort(), expected.sort(), kind);
    for (const [name, values] of fields) {
      assert.equal(values.length, 1, `${kind}: ${name}`);
      assert.ok((values[0] ?? '').length <= 870, `${kind}: ${name}`);
      for (const word of (values[0] ?? '').match(/=\?[^ ]*/g) ?? [])
        assert.match(word, /^=\?UTF-8\?(?:Q\?[!->@-~]*|B\?[\w+/=]*)\?=$/, `${kind}: ${word}`);
      for (const word of (values[0] ?? '').match(/=\?\S*\?=/g) ?? []) assert.ok(word.length <= 75, word);
    }
    assert.match(
      mime.toString('latin1'),
      /^(?:[\t -~]{0,998}\r\n)*$/,
      'no bare line end, no byte above 126, no long line',
    );
    assert.match(fields.get('date')?.[0] ?? '', /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/);
    assert.match(fields.get('message-id')?.[0] ?? '', /^<[\w-]+@posthorn\.test>$/);
    assert.match(fields.get('list-unsubscribe')?.[0] ?? '', /^<https:\/\/news\.acme\.example\/[^\s<>,]+>$/);
    assert.equal(fields.get('list-unsubscribe-post')?.[0], 'List-Unsubscribe=One-Click');
    if (kind === 'confirmation') assert.equal(fields.get('auto-submitted')?.[0], 'auto-generated');
    else assert.match(fields.get('feedback-id')?.[0] ?? '', /^(?:[\w-]{22}:){3}posthorn$/);
  }
});

test('two verifiers accept the signature, and it covers whatever decides who leaves and who answers', async (t) => {
  if (!needsTool(t, 'dkim')) return;
  for (const [kind, mime] of mails) {
    const { results } = await dkimVerify(mime, { resolver: async () => [[dkim.record]] });
    assert.deepEqual(
      results.map(({ status }) => status.result),
      ['pass'],
      kind,
    );
    const signature = fieldsOf(mime).get('dkim-signature')?.[0] ?? '';
    const tags = new Map(
      signature.split(';').map((tag) => [tag.split('=', 1)[0]?.trim(), tag.slice(tag.indexOf('=') + 1)]),
    );
    const signed = (tags.get('h') ?? '').replace(/\s/g, '').split(':');
    const times = (name: string) => signed.filter((one) => one === name).length;
    const covered = [
      'from',
      'to',
      'subject',
      'date',
      'message-id',
      'reply-to',
      'list-unsubscribe',
      'list-unsubscribe-post',
    ];
    for (const name of [...covered, ...(kind === 'confirmation' ? [] : ['list-id', 'feedback-id'])])
      assert.equal(times(name), 2, `${kind}: ${name} is signed, and that there is no second one`);
    assert.deepEqual(
      ['a', 'c', 'd', 's', 'l'].map((name) => tags.get(name)?.trim()),
      ['rsa-sha256', 'relaxed/relaxed', 'posthorn.test', dkim.selector, undefined],
    );
  }
  const forged = [...mails.values()].flatMap((mime) => [
    Buffer.concat([Buffer.from('List-Unsubscribe: <https://evil.example/>\r\n'), mime]),
    Buffer.from(mime.toString('latin1').replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=Two-Click'), 'latin1'),
  ]);
  const messages = [...mails.values(), ...forged].map((mime) => mime.toString('base64'));
  const verdicts = python(VERIFY, { messages, record: dkim.record });
  assert.deepEqual(verdicts, [...Array(mails.size).fill(true), ...Array(forged.length).fill(false)]);
});

test('a filter for spam has nothing against them', async (t) => {
  if (!needsTool(t, 'spamassassin')) return;
  /** The parts of every email of a list: no way through servers yet, html, and the fields of a list. */
  const usual = new Set(['NO_RECEIVED', 'NO_RELAYS', 'HTML_MESSAGE', 'MAILING_LIST_MULTI']);
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-spam-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const judged: readonly Kind[] = ['plain', 'tracked liquid', 'document', 'confirmation'];
  const files = judged.map((kind, index) => {
    const file = join(folder, `${index}.eml`);
    writeFileSync(file, mails.get(kind) ?? assert.fail());
    return file;
  });
  // Once for all of them: reading its rules takes a second.
  const { stdout } = await promisify(execFile)('spamassassin', ['-L', '-t', '-x', ...files], { maxBuffer: 1 << 26 });
  const reports = stdout.split(/^Content analysis details:/m).slice(1);
  assert.equal(reports.length, judged.length);
  for (const [index, report] of reports.entries()) {
    const kind = judged[index] ?? assert.fail();
    const points = Number(/\((-?[\d.]+) points/.exec(report)?.[1]);
    assert.ok(points < SPAM_POINTS_MAX, `${kind}: ${report}`);
    const table = report.slice(0, report.indexOf('\n\n', report.indexOf('----')));
    const rules = [...table.matchAll(/^ *-?\d+\.\d+ +([A-Z0-9_]+) /gm)].map(([, rule = '']) => rule);
    assert.ok(rules.includes('HTML_MESSAGE'), report);
    assert.deepEqual(
      rules.filter((rule) => !usual.has(rule)),
      [],
      `${kind}: ${report}`,
    );
  }
});

/** The content between our frame and our footer. */
const written = (html: string): string => lines(html);

test('the author’s html is in the message byte for byte; tracked, only the addresses of its links are others', async () => {
  const { html: plain = '' } = await PostalMime.parse(mails.get('plain') ?? '');
  const { html: liquid = '' } = await PostalMime.parse(mails.get('liquid') ?? '');
  const { html: whole = '' } = await PostalMime.parse(mails.get('document') ?? '');
  assert.ok(written(plain).includes(WRITTEN) && written(liquid).includes(WRITTEN));
  const [head = '', end = ''] = ISSUES.document.html_body.split(WRITTEN);
  const fitted = head.replace('<body', '<body style="word-break:break-word;"');
  assert.ok(written(whole).startsWith(fitted) && written(whole).includes(WRITTEN), whole);
  assert.ok(written(whole).endsWith(end.trimEnd()));
  for (const kind of ['tracked', 'tracked liquid'] as const) {
    const { html = '' } = await PostalMime.parse(mails.get(kind) ?? '');
    const links = html.match(/https:\/\/mail\.acme\.example\/t\/c\/[\w-]+/g) ?? [];
    assert.equal(links.length, 1, kind);
    const back = html.replace(links[0] ?? '', 'https://example.com/?a=1&amp;b=2');
    assert.ok(written(back).includes(WRITTEN), kind);
    const pixel = /<img src="https:\/\/mail\.acme\.example\/t\/o\/[^>]+>/;
    assert.match(html, pixel);
    assert.ok(/href="https:\/\/news\.acme\.example\/api\/n\/unsubscribe/.test(html), 'our own are not counted');
  }
});

test('content made once for all and content rendered for each give the same bytes', async () => {
  /** Without what belongs to one issue: its tokens, its subject, its address in the archive. */
  const same = async (kind: Kind) => {
    const { html = '', text = '' } = await PostalMime.parse(mails.get(kind) ?? '');
    return [html, text].map((part) =>
      part
        .replace(/(token=|\/t\/[oc]\/)[\w.-]+/g, '$1')
        .replace(/\/i\/[\w-]+/g, '/i/')
        .replace(/<title>[^<]*/, '<title>'),
    );
  };
  assert.deepEqual(await same('plain'), await same('liquid'));
  assert.deepEqual(await same('tracked'), await same('tracked liquid'));
});

test('the text has words and the way out, and nothing of what only html has', async () => {
  for (const [kind, mime] of mails) {
    const { text = '' } = await PostalMime.parse(mime);
    const leave = fieldsOf(mime).get('list-unsubscribe')?.[0]?.slice(1, -1) ?? assert.fail();
    assert.ok(text.includes(leave), `${kind}: the same address as in the header`);
    assert.doesNotMatch(
      text,
      /color:|!important|font-family|<\/?(?:p|a|h1|div|table|td|br|style|html)\b|&(?:nbsp|amp|lt);|\/t\/o\//i,
      kind,
    );
    if (kind !== 'confirmation') assert.match(text, /This week we walked along the river/);
  }
});

test('one POST to the address in the header, and its reader has left before the answer comes', async () => {
  const statusOf = async (email: string): Promise<string> =>
    (await api(`${list}/subscribers?search=${encodeURIComponent(email)}`)).data[0]?.status;
  const oneClick = new FormData();
  oneClick.set('List-Unsubscribe', 'One-Click');
  for (const [kind, email, body] of [
    ['tracked', 'ada@example.com', new URLSearchParams('List-Unsubscribe=One-Click')],
    ['confirmation', 'grace@example.com', oneClick],
  ] as const) {
    const [, url = ''] =
      /^<(.*)>$/.exec(fieldsOf(mails.get(kind) ?? assert.fail()).get('list-unsubscribe')?.[0] ?? '') ?? [];
    assert.ok(url.startsWith(`${DASHBOARD}/`));
    assert.notEqual(await statusOf(email), 'unsubscribed');
    // As Gmail does it: no cookie, no key, no redirect followed; only the host is another here.
    const answer = await fetch(url.replace(DASHBOARD, posthorn.url), { method: 'POST', body, redirect: 'manual' });
    assert.equal(answer.status, 200, await answer.text());
    assert.equal(await statusOf(email), 'unsubscribed', `${kind}: it had happened`);
  }
});
