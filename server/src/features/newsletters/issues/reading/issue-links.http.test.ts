/** Clicks by link: the whole application with a worker, whose readers are recounted from their events. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { insertSimulatedEvents } from '../../../../../test/harness/simulated-events.ts';
import { type Body, createIssuesApp, type IssuesApp } from '../test-kit.ts';

const HTML = `<p><a href="https://a.test/?x=1&amp;y=2">first</a> <a href="https://b.test/u/{{ subscriber.email }}">mine</a>
  <a href="https://a.test/?x=1&amp;y=2">again</a> <a href="mailto:me@example.com">write</a>
  <a href="{{ view_in_browser_url }}">view</a></p>`;
const READERS = 8;

let t: IssuesApp;
let newsletterId: string;
let issueId: string;
before(async () => {
  t = await createIssuesApp({ worker: true, env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '600' } });
  newsletterId = await t.list(READERS);
  await t.call('PATCH', `/${newsletterId}`, { body: { archive_enabled: true } });
  issueId = (await t.draft(newsletterId, { html_body: HTML })).id;
  assert.deepEqual((await links()).data, [], 'before it is sent');
  assert.equal((await t.call('POST', `/${newsletterId}/issues/${issueId}/send`)).status, 202);
  await t.until('all are sent', async () => (await stats()).sent === READERS);
});
after(() => t.close());

const get = async (path: string): Promise<Body> => {
  const { status, body, text } = await t.call('GET', `/${newsletterId}/issues/${issueId}${path}`);
  assert.equal(status, 200, text);
  return body;
};
const links = (): Promise<Body> => get('/links');
const stats = (): Promise<Body> => get('/stats');

interface Click {
  emailId: string;
  link: string;
  isMachine: boolean;
}

async function emails(): Promise<{ emailId: string; recipient: string }[]> {
  const { rows } = await sql<{ emailId: string; recipient: string }>`
    select e.id as "emailId", e.recipient from emails e join send_requests s using (workspace_id)
     where e.workspace_id = ${t.app.workspaceId} and s.issue_id = ${issueId} and e.send_id = s.id order by 2`.execute(
    t.app.db,
  );
  return rows;
}

async function follow(clicks: readonly Click[]): Promise<void> {
  await insertSimulatedEvents(
    clicks.map(({ emailId, link, isMachine }, n) => ({
      workspaceId: t.app.workspaceId,
      emailId,
      type: 'click',
      recipient: 'ada@example.com',
      at: new Date(),
      payload: {
        // Each from a network of its own: together they are no burst.
        click: { link, ipAddress: `10.1.${n}.1`, is_bot: isMachine, bot_reason: isMachine ? 'bot_user_agent' : null },
      },
    })),
  ).execute(t.app.db);
  t.app.clock.advance(11_000); // the next look for events
  await t.until('the clicks are counted', async () => {
    const { rows } = await sql`select from provider_events
      where workspace_id = ${t.app.workspaceId} and applied_at is null limit 1`.execute(t.app.db);
    return rows.length === 0;
  });
}

/** The counts that follow from the clicks. */
function recount(clicks: readonly Click[]) {
  const of = (isMachine: boolean) => clicks.filter((click) => click.isMachine === isMachine);
  const once = (isMachine: boolean) => new Set(of(isMachine).map(({ emailId }) => emailId)).size;
  return {
    clicks: of(false).length,
    clicked: once(false),
    clicks_machine: of(true).length,
    clicked_machine: once(true),
  };
}

test('200: each link has its clicks and its people, machines apart, and the sums are those of the statistics', async () => {
  const people = await emails();
  assert.equal(people.length, READERS);
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const all: Click[] = [];
  for (let round = 0; round < 4; round += 1) {
    const clicks = Array.from({ length: 15 }, (): Click => {
      const { emailId, recipient } = people[random(6)] ?? { emailId: '', recipient: '' };
      const targets = [
        'https://a.test/?x=1&y=2',
        `https://b.test/u/${recipient}`,
        'https://gone.test/',
        'https://x.test',
      ];
      return { emailId, link: targets[random(4)] ?? '', isMachine: random(4) === 0 };
    });
    await follow(clicks);
    all.push(...clicks);
  }
  const { data, others, counted_since }: Body = await links();
  const [first, , third]: Body[] = data;
  const of = (beginning: string) => all.filter(({ link }) => link.startsWith(beginning));
  assert.deepEqual(
    [...data],
    [
      { number: 1, url: 'https://a.test/?x=1&y=2', leads_to: null, ...recount(of('https://a.test')) },
      { number: 2, url: 'https://b.test/u/{{ subscriber.email }}', leads_to: null, ...recount(of('https://b.test')) },
      { number: 3, url: third.url, leads_to: null, clicks: 0, clicked: 0, clicks_machine: 0, clicked_machine: 0 },
    ],
  );
  assert.match(third.url, /^https:\/\/app\.example\.com\/n\/[^/]+\/i\/news-of-october$/);
  assert.deepEqual(others, recount([...of('https://gone.test'), ...of('https://x.test')]));
  assert.ok(first.clicked > 1 && first.clicks > first.clicked && first.clicks_machine > 0);
  assert.ok(Date.parse(counted_since) <= Date.now());

  const { clicked, clicked_machine } = await stats();
  assert.deepEqual([clicked, clicked_machine], [recount(all).clicked, recount(all).clicked_machine]);
  const { rows } = await sql<{ n: number }>`select sum(click_count)::integer as n from emails
    where workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  assert.equal(
    data.reduce((sum: number, link: Body) => sum + link.clicks, others.clicks),
    rows[0]?.n,
  );
});

test('200: an event that is told again counts nothing, and counts stay when the emails are gone', async () => {
  const before = await links();
  await sql`update provider_events set applied_at = null where workspace_id = ${t.app.workspaceId} and type = 'click'`.execute(
    t.app.db,
  );
  await follow([]);
  assert.deepEqual(await links(), before);
  await sql`delete from emails where workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  await sql`update contents set html = null, text = null, personal = null
    where workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  assert.deepEqual(await links(), before);
});

test('200: a preview says which number each link has', async () => {
  const { html } = await get('/preview?number_links=true');
  const numbers = [...html.matchAll(/<a [^>]*data-posthorn-link="(\d)"/g)].map(([, number]) => number);
  assert.deepEqual(numbers, ['1', '2', '1', '3']);
  assert.equal((await get('/preview')).html, html.replaceAll(/ data-posthorn-link="\d"/g, ''));
});

test('200: an issue that does not track clicks has no links', async () => {
  const { body } = await t.app.request({
    method: 'PATCH',
    url: `/v1/newsletters/${newsletterId}`,
    body: { track_clicks: false },
  });
  assert.equal((body as Body).track_clicks, false);
  const untracked = (await t.draft(newsletterId, { html_body: HTML })).id;
  await t.call('POST', `/${newsletterId}/issues/${untracked}/send`);
  const { data, counted_since } = (await t.call('GET', `/${newsletterId}/issues/${untracked}/links`)).body;
  assert.deepEqual([data, counted_since], [[], null]);
});
