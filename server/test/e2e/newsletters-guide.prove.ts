/**
 * Runs every command of the pages of newsletters and templates in a shell as printed, in order, against a process
 * without settings.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startOnTestDatabase } from '../harness/posthorn-on-test-database.ts';
import type { PosthornProcess } from '../harness/posthorn-process.ts';
import { until } from '../harness/until.ts';

const PAGES = ['newsletters', 'newsletter-reference', 'imports-and-exports', 'consent-and-erasure', 'templates'];
const GUIDE = PAGES.map((page) => readFileSync(join(import.meta.dirname, `../../../docs/${page}.md`), 'utf8')).join(
  '\n',
);
const blocks = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map((match) => match[1] ?? '');

/** A test reads fields of many shapes. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const home = mkdtempSync(join(tmpdir(), 'posthorn-guide-'));
const known: Record<string, string> = {};
let posthorn: PosthornProcess;
/** How many blocks have run. */
let typed = 0;

before(async () => {
  posthorn = await startOnTestDatabase({
    env: { POSTHORN_API_KEY: undefined, POSTHORN_LOG_LEVEL: undefined },
    startTimeoutMs: 60_000,
  });
  // The banner is printed after the process has begun to serve.
  known['POSTHORN_KEY'] = await until('the key', async () => /API key +(\S+)\n/.exec(posthorn.output())?.[1]);
  // The pages use port 3000, which may be in use here: a curl setting redirects it to the port of the test.
  writeFileSync(join(home, '.curlrc'), `silent\nconnect-to = "localhost:3000:${new URL(posthorn.url).host}"\n`);
});
after(async () => {
  await posthorn?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Runs the one block that contains this text. */
async function type(part: string): Promise<string> {
  const found = blocks('sh').filter((block) => block.includes(part));
  assert.equal(found.length, 1, `${found.length} blocks with ${part}`);
  const { stdout } = await promisify(execFile)('sh', ['-ec', found[0] ?? ''], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, ...known },
    maxBuffer: 1 << 26,
  });
  typed += 1;
  return stdout;
}
const json = async (part: string): Promise<Body> => JSON.parse(await type(part));

async function get(pathname: string): Promise<Body> {
  const headers = { authorization: `Bearer ${known['POSTHORN_KEY']}` };
  const answer = await posthorn.fetch(pathname, { headers });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Sets the id in the shell, as the page says. */
async function importEnded(id: string): Promise<Body> {
  known['IMPORT'] = id;
  return until('the end of the import', async () => {
    const one = await get(`/v1/imports/${id}`);
    return one.status === 'completed' ? one : undefined;
  });
}

test('the commands of the newsletter pages work in order', async () => {
  const newsletter = await json('"slug": "acme-weekly"');
  known['NEWSLETTER'] = newsletter.id;
  const list = `/v1/newsletters/${newsletter.id}`;
  for (const url of [newsletter.subscribe_url, newsletter.embed_url, newsletter.archive_url, newsletter.feed_url]) {
    const { pathname } = new URL(url);
    assert.equal((await fetch(`${posthorn.url}${pathname}`)).status, 200, pathname);
  }

  assert.partialDeepStrictEqual(await json('"source": "footer-form"'), { success: true, status: 'pending' });
  await until('the confirmation email', async () => {
    const { data } = await get('/v1/captured-emails?to=ada@example.com');
    return data.length > 0 ? data : undefined;
  });
  const confirm = new URL((await type('api/n/confirm')).trim());
  assert.match(await (await fetch(`${posthorn.url}${confirm.pathname}${confirm.search}`)).text(), /is confirmed/);
  assert.partialDeepStrictEqual(await json('grace@example.com'), { status: 'pending', metadata: { plan: 'pro' } });
  assert.equal((await json('"skip_confirmation": true')).status, 'active');

  const issue = await json('"preheader": "Three things"');
  assert.equal(issue.status, 'draft');
  known['ISSUE'] = issue.id;
  assert.partialDeepStrictEqual(await json('$ISSUE/send'), { success: true, status: 'sending', total_recipients: 2 });
  assert.equal((await json('$ISSUE/stats')).failed, 0);
  await until('the delivery of the issue', async () => {
    const stats = await get(`${list}/issues/${issue.id}/stats`);
    assert.equal(stats.total, stats.pending + stats.sent + stats.failed);
    return stats.delivered === 2 ? stats : undefined;
  });
  const { data: emails } = await get(`/v1/emails?issue_id=${issue.id}`);
  assert.deepEqual(emails.map((email: Body) => [email.to[0], email.newsletter_id]).toSorted(), [
    ['ada@example.com', newsletter.id],
    ['linus@example.com', newsletter.id],
  ]);

  assert.deepEqual((await json('"newsletter_ids"')).newsletter_ids, [newsletter.id]);

  const judged = await importEnded((await json('dry_run=true&consent=already_confirmed')).id);
  assert.deepEqual(judged.columns, { recognised: ['email', 'name', 'status'], ignored: ['plan'] });
  assert.equal(
    (await type('$IMPORT/errors')).replaceAll('\r\n', '\n'),
    blocks('csv')[0],
    'the results are those that the page shows',
  );
  const taken = await importEnded((await json('import?consent=already_confirmed')).id);
  assert.deepEqual(taken.counts, { total: 5, created: 2, updated: 1, skipped: 1, failed: 1 });
  assert.deepEqual((await get(list)).subscriber_counts, { total: 5, active: 3, pending: 1, unsubscribed: 1 });
  assert.equal((await json('$IMPORT/undo')).status, 'undone');
  await until('the removal of both who were added', async () => {
    const { removed } = await get(`/v1/imports/${taken.id}`);
    return removed === 2 ? removed : undefined;
  });

  await type('subscribers/export?format=jsonl');
  const lines = readFileSync(join(home, 'subscribers.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map((line: Body) => line.email),
    ['ada@example.com', 'grace@example.com', 'linus@example.com'],
  );
  assert.deepEqual((await get(list)).subscriber_counts, { total: 3, active: 2, pending: 1, unsubscribed: 0 });
  const { id: exportId } = await json('/v1/exports');
  const { url } = await until('the exported file', async () => {
    const one = await get(`/v1/exports/${exportId}`);
    return one.status === 'completed' ? one : undefined;
  });
  const link = new URL(url);
  const file = await (await fetch(`${posthorn.url}${link.pathname}${link.search}`)).text();
  assert.deepEqual(
    [...file.matchAll(/^(\S+@[^,]+),/gm)].map((match) => match[1]),
    ['ada@example.com', 'linus@example.com'],
    'the active subscribers, without a key',
  );
});

test('the HTML form of the reference signs a person up as a browser sends it', async () => {
  const form = blocks('html').find((block) => block.includes('<form')) ?? '';
  const action = new URL(/action="([^"]+)"/.exec(form)?.[1] ?? '');
  const fields = [...form.matchAll(/name="(\w+)"(?:[^>]*value="([^"]*)")?/g)];
  const body = new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]));
  body.set('email', 'barbara@example.com');
  const answer = await fetch(`${posthorn.url}${action.pathname}`, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body,
    redirect: 'manual',
  });
  assert.equal(answer.status, 303, await answer.text());
  const { data } = await get(`/v1/newsletters/${known['NEWSLETTER']}/subscribers?search=barbara`);
  assert.deepEqual(
    data.map((one: Body) => one.status),
    ['pending'],
  );
});

test('the commands of the page of templates store one and send it to each with values of their own', async () => {
  const template = await json('"alias": "welcome"');
  assert.partialDeepStrictEqual(template, { version: 1, published_version: 1, status: 'published' });
  await json('"templateId": "welcome"');
  const subjects = await until('both emails', async () => {
    const { data } = await get(`/v1/emails?template_id=${template.id}`);
    return data.length === 2 ? data.map((email: Body) => [email.to[0], email.subject]).toSorted() : undefined;
  });
  assert.deepEqual(subjects, [
    ['ada@example.com', 'Welcome Ada'],
    ['bob@example.com', 'Welcome friend'],
  ]);
  assert.equal(typed, blocks('sh').length, 'a command in the pages is not tested here');
});
