/** Opens and clicks from the send to the webhook: what leaves, what is followed, what is told and counted. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { until } from '../harness/until.ts';

const TRACKED = { trackOpens: true, trackClicks: true };

let api: TestApp;
/** Sent while the clock is right, for the last two tests, which move it. */
let read: Captured;
let scanned: Captured;
before(async () => {
  api = await createTestApp({ worker: true, env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '1000' } });
  const made = await api.request({
    url: '/v1/webhooks',
    // Nobody listens there, and nobody who asks for any port is given this one.
    body: { url: 'http://127.0.0.1:9999/posthorn', events: ['open', 'click'] },
  });
  assert.equal(made.status, 201, made.text);
  [read, scanned] = [await captured(TRACKED), await captured(TRACKED)];
});
after(() => api.close());

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
const LINKS = ['https://example.com/a?x=1&y=2', 'https://example.com/b', 'https://example.com/c'];
const html = `<html><body><p>Hi</p>${LINKS.map((link) => `<a href="${link.replace('&', '&amp;')}">x</a>`).join('')}\
<a href="https://example.com/unsubscribe">bye</a></body></html>`;
const mail = { from: 'Acme <hello@posthorn.test>', subject: 'Receipt', html };

// biome-ignore lint: a test reads whatever came back
type Json = any;
const json = async (url: string, body?: unknown): Promise<Json> =>
  (await api.request({ url, ...(body === undefined ? {} : { body }) })).body;

let sends = 0;
interface Captured {
  id: string;
  html: string;
  links: string[];
  pixel: string | undefined;
}
async function captured(body: object): Promise<Captured> {
  const to = `reader${(sends += 1)}@example.com`;
  const sent = await json('/v1/send', { ...mail, to, ...body });
  const listed = await until('its captured copy', async () => (await json(`/v1/captured-emails?to=${to}`)).data[0]);
  const shown = await json(`/v1/captured-emails/${listed.id}`);
  const id: string = sent.emails[0].id;
  await until('its delivery', async () => ((await json(`/v1/emails/${id}`)).status === 'delivered' ? true : undefined));
  const paths = [...shown.html.matchAll(/http:\/\/localhost:3000(\/t\/c\/[\w-]+)/g)].map(([, path]) => path as string); // the group is not optional
  return { id, html: shown.html, links: paths, pixel: /(\/t\/o\/[\w-]+\.gif)/.exec(shown.html)?.[1] };
}

const follow = (url: string, ip = '127.0.0.1', userAgent = CHROME) =>
  api.app.inject({ url, headers: { 'user-agent': userAgent }, remoteAddress: ip });

const engagementOf = async (id: string, count: number): Promise<Json> =>
  until(`${count} openings and clicks`, async () => {
    const email = await json(`/v1/emails/${id}`);
    const events = email.events.filter(({ type }: { type: string }) => type === 'open' || type === 'click');
    return events.length >= count ? { email, events } : undefined;
  });

const countersOf = async (id: string): Promise<unknown> => {
  const { rows } = await sql`
    select open_count, click_count, machine_open_count, machine_click_count, first_opened_at is not null as "seen"
      from emails where workspace_id = ${api.workspaceId} and id = ${id}`.execute(api.db);
  return rows[0];
};

const deliveriesOf = async (id: string): Promise<string[]> => {
  const { rows } = await sql<{ type: string }>`
    select d.event_type as type from webhook_deliveries d
      join email_events e on e.workspace_id = d.workspace_id and e.id = d.event_id
     where d.workspace_id = ${api.workspaceId} and e.email_id = ${id} order by 1`.execute(api.db);
  return rows.map(({ type }) => type);
};

test('the sent html differs only in links and pixel; the unsubscribe link stays', async () => {
  const { html: shown, links, pixel } = await captured(TRACKED);
  assert.equal(links.length, 3);
  assert.ok(pixel);
  let at = 0;
  const undone = shown
    .replace(/<img [^>]*>/, '')
    .replace(/http:\/\/localhost:3000\/t\/c\/[\w-]+/g, () => (LINKS[at++] ?? '').replace('&', '&amp;'));
  assert.equal(undone.trimEnd(), html);
  assert.match(shown, /<img [^>]*><\/body>/);
});

test('off means the html as it was sent', async () => {
  const { html: shown } = await captured({});
  assert.equal(shown.trimEnd(), html);
});

test('a link works when its email is gone: it needs only its signature', async () => {
  const { id, links, pixel } = await captured(TRACKED);
  await sql`delete from emails where workspace_id = ${api.workspaceId} and id = ${id}`.execute(api.db);
  const answer = await follow(links[2] ?? '');
  assert.equal(answer.statusCode, 302);
  assert.equal(answer.headers['location'], LINKS[2]);
  assert.equal((await follow(pixel ?? '')).statusCode, 200);
});

test('a token of one purpose is none of the other', async () => {
  const { links, pixel } = await captured(TRACKED);
  const swapped = (pixel ?? '').replace('/t/o/', '/t/c/').replace('.gif', '');
  assert.equal((await follow(swapped)).statusCode, 400);
  assert.equal((await follow((links[0] ?? '').replace('/t/c/', '/t/o/'))).rawPayload.length, 43);
});

test('a reader opens and clicks: told once as a person’s, counted, and queued for the webhook', async () => {
  // An open or a click is judged when the seconds around it are over: by this clock they are.
  api.clock.advance(-600_000);
  const { id, links, pixel } = read;
  const dot = await follow(pixel ?? '');
  assert.equal(dot.statusCode, 200);
  assert.equal(dot.rawPayload.length, 43);
  const click = await follow(links[0] ?? '');
  assert.equal(click.statusCode, 302);
  assert.equal(click.headers['location'], LINKS[0]);
  const { events } = await engagementOf(id, 2);
  const [open, clicked] = ['open', 'click'].map((type) => events.find((event: Json) => event.type === type));
  const person = { ipAddress: '127.0.0.1', userAgent: CHROME, is_bot: false, bot_reason: null, first: true };
  assert.partialDeepStrictEqual(open, { recipient: 'reader1@example.com' });
  const details = (event: Json, type: string): Json => (event.event_data ?? event)[type];
  const { timestamp, ...rest } = details(open, 'open');
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(rest, person);
  const { timestamp: _at, ...more } = details(clicked, 'click');
  assert.deepEqual(more, { ...person, link: LINKS[0], linkTags: {} });
  assert.deepEqual(await countersOf(id), {
    open_count: 1,
    click_count: 1,
    machine_open_count: 0,
    machine_click_count: 0,
    seen: true,
  });
  assert.deepEqual(await deliveriesOf(id), ['click', 'open']);
});

test('a scanner: every link at once and a pixel by a program; told as machines’, counted apart', async () => {
  const { id, links, pixel } = scanned;
  await follow(pixel ?? '', '127.0.0.1', 'python-requests/2.32');
  for (const link of links) assert.equal((await follow(link, '198.51.100.9')).statusCode, 302);
  const { email } = await engagementOf(id, 4);
  assert.deepEqual(await countersOf(id), {
    open_count: 0,
    click_count: 0,
    machine_open_count: 1,
    machine_click_count: 3,
    seen: false,
  });
  assert.equal(email.open_count, 0);
  assert.equal(email.click_count, 0);
  assert.deepEqual(await deliveriesOf(id), ['click', 'click', 'click', 'open']);
});
