/** Scanners that follow every link of an issue, and people: whose unsubscribe stands. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { clickToken } from '#mail/tracking/token.ts';
import { anEmail } from '../../../../../test/harness/builders.ts';
import { createIssuesApp, type IssuesApp } from '../../issues/test-kit.ts';
import { type Headers, ONE_CLICK, sendForm, tokenFor, visit } from '../../public/test-kit.ts';
import { findSubscriberByEmail } from '../queries.ts';
import type { Subscriber } from '../subscriber.ts';
import { newId } from '#platform/ids.ts';

const SCANNER = '198.51.100.7';
const ELSEWHERE = '203.0.113.9';
const LINKS = ['https://shop.example/', 'https://blog.example/', 'https://help.example/'];

let t: IssuesApp;
let newsletterId: string;
let issueId: string;
let readers = 0;
before(async () => {
  t = await createIssuesApp({ worker: true, env: { POSTHORN_TRUST_PROXY: '127.0.0.1/32' } });
  newsletterId = await t.list(30);
  const draft = await t.draft(newsletterId);
  issueId = draft.id;
  await t.call('POST', `/${newsletterId}/issues/${issueId}/send`);
  await t.until('everybody has it', async () => {
    const { body } = await t.call('GET', `/${newsletterId}/issues/${issueId}/stats`);
    return body.sent === 30;
  });
  // Long enough ago that the seconds of these tests have passed: what is told is judged at once.
  t.app.clock.advance(-600_000);
});
after(() => t.close());

/** Somebody who has the issue, with what a client does with the email. */
async function aReader() {
  const email = `reader-${(readers += 1)}@example.com`;
  const { app } = t;
  const row = await rowOf(email);
  const { rows } = await sql<{ id: string }>`
    select id from emails where workspace_id = ${app.workspaceId} and subscriber_id = ${row.id}`.execute(app.db);
  const emailId = rows[0]?.id ?? '';
  const url = `/api/n/unsubscribe?token=${await tokenFor(app, 'nl_unsub', row, issueId)}`;
  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  return {
    row,
    emailId,
    leave: (ip = SCANNER, headers: Headers = {}) => visit(app, url, { ...from(ip), ...headers }),
    ask: (method: 'HEAD' | 'OPTIONS') => visit(app, url, from(SCANNER), method),
    /** Loads an address that stands in a page. */
    load: (address: string) => visit(app, address.replaceAll('&amp;', '&'), from(SCANNER)),
    oneClick: (ip = SCANNER) => sendForm(app, url, ONE_CLICK, from(ip)),
    everywhere: () => sendForm(app, url, 'action=everywhere', from(ELSEWHERE)),
    /** Follows links of the email, and returns when that is judged. */
    async click(links = LINKS, ip = SCANNER): Promise<void> {
      const already = await clicksOf(emailId);
      for (const link of links) {
        const linked = { workspaceId: app.workspaceId, emailId, contentId: newId() };
        const token = clickToken(linked, link, app.secrets.key('tracking'));
        assert.equal((await visit(app, `/t/c/${token}`, from(ip))).status, 302);
      }
      await t.until('the clicks are judged', async () => (await clicksOf(emailId)) === already + links.length);
    },
    status: async () => (await rowOf(email)).status,
  };
}

async function rowOf(email: string): Promise<Subscriber> {
  const row = await findSubscriberByEmail(t.app.db, t.app.workspaceId, newsletterId, email);
  assert.ok(row);
  return row;
}

async function clicksOf(emailId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select click_count + machine_click_count as count from emails
     where workspace_id = ${t.app.workspaceId} and id = ${emailId}`.execute(t.app.db);
  return rows[0]?.count ?? -1;
}

async function recordsOf({ id }: Subscriber) {
  const { rows } = await sql<{ action: string; ip: string | null; details: Record<string, unknown> }>`
    select action, ip, details from consents
     where workspace_id = ${t.app.workspaceId} and subscriber_id = ${id} order by id`.execute(t.app.db);
  return rows;
}

async function eventsOf({ id }: Subscriber): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    select type from workspace_events
     where workspace_id = ${t.app.workspaceId} and payload::text like ${`%${id}%`} order by id`.execute(t.app.db);
  return rows.map(({ type }) => type);
}

const unsubscribedOfIssue = async (): Promise<number> =>
  (await t.call('GET', `/${newsletterId}/issues/${issueId}/stats`)).body.unsubscribed;

test('an unsubscribe that a scanner made among other links is undone, as if it had not been, and on record', async () => {
  const reader = await aReader();
  const countBefore = await unsubscribedOfIssue();
  const waiting = await anEmail(t.app.db, t.app.workspaceId, {
    status: 'pending',
    lane: 2,
    recipient: 'w@example.com',
  });
  await sql`update emails set subscriber_id = ${reader.row.id} where workspace_id = ${t.app.workspaceId}
               and id = ${waiting.emailId}`.execute(t.app.db);
  assert.match((await reader.leave()).text, /You are unsubscribed/);
  const left = await rowOf(reader.row.email);
  assert.deepEqual([left.status, left.unsubscribedByVisit], ['unsubscribed', true]);
  await reader.click();
  const now = await rowOf(reader.row.email);
  assert.deepEqual(
    { ...now, updatedAt: null, lastClickedAt: null },
    { ...reader.row, updatedAt: null, lastClickedAt: null },
  );
  assert.equal(now.lastClickedAt, null, 'nor has a person clicked');
  const [unsubscribed, undone] = await recordsOf(reader.row);
  assert.partialDeepStrictEqual(unsubscribed, { action: 'unsubscribed', ip: SCANNER, details: { method: 'GET' } });
  assert.partialDeepStrictEqual(undone, {
    action: 'undone',
    ip: null,
    details: { restored: 'active', reason: 'burst', issue_id: issueId, email_id: reader.emailId },
  });
  await t.until('the audit log has it', async () => {
    const { rows } = await sql<{ actor_type: string }>`
      select actor_type from audit_entries where workspace_id = ${t.app.workspaceId} and target_id = ${reader.row.id}
         and action = 'unsubscribe_undone' and details ->> 'reason' = 'burst'`.execute(t.app.db);
    return rows.length === 1 && rows[0]?.actor_type === 'system';
  });
  assert.deepEqual(await eventsOf(reader.row), [
    'newsletter.subscriber.unsubscribed',
    'newsletter.subscriber.confirmed',
  ]);
  assert.equal(await unsubscribedOfIssue(), countBefore);
  const { rows } = await sql`select status, error from emails where workspace_id = ${t.app.workspaceId}
                                and id = ${waiting.emailId}`.execute(t.app.db);
  assert.deepEqual(rows, [{ status: 'suppressed', error: 'unsubscribed' }], 'what was settled stays so');
});

test('a scanner that comes to the link last is shown the button, and changes nothing; the button works', async () => {
  const reader = await aReader();
  await reader.click();
  const answer = await reader.leave();
  assert.equal(answer.status, 200);
  assert.match(answer.text, /name="action" value="leave"/);
  assert.deepEqual(
    [await reader.status(), await recordsOf(reader.row), await eventsOf(reader.row)],
    ['active', [], []],
  );
  await reader.oneClick();
  await reader.click(['https://other.example/']);
  assert.equal(await reader.status(), 'unsubscribed');
});

test('one other link within five seconds is enough, whichever comes first', async () => {
  const [one, other] = [await aReader(), await aReader()];
  // By the clock of the application: what the machine takes for a step, and for judging it, does not count.
  const after = (start: Date): void => t.app.clock.set(new Date(start.getTime() + 3_500));
  const left = t.app.clock.now();
  await one.leave();
  assert.equal(await one.status(), 'unsubscribed');
  after(left);
  await one.click(['https://shop.example/']);
  assert.equal(await one.status(), 'active');
  const clicked = t.app.clock.now();
  await other.click(['https://shop.example/']);
  after(clicked);
  await other.leave();
  assert.equal(await other.status(), 'active');
});

test('a person who reads another link six seconds before or after leaving has left', async () => {
  const [one, other] = [await aReader(), await aReader()];
  await one.leave();
  await other.click(['https://shop.example/']);
  t.app.clock.advance(6_000);
  await one.click(['https://shop.example/']);
  await other.leave();
  await other.click(['https://late.example/'], ELSEWHERE);
  assert.deepEqual([await one.status(), await other.status()], ['unsubscribed', 'unsubscribed']);
  const { rows } = await sql`select machine_click_count as machine from emails where workspace_id = ${t.app.workspaceId}
    and id in (${one.emailId}, ${other.emailId})`.execute(t.app.db);
  assert.deepEqual(rows, [{ machine: 0 }, { machine: 0 }]);
});

test('a person who leaves while a scanner elsewhere looks at the email has left', async () => {
  const reader = await aReader();
  await reader.leave(ELSEWHERE);
  await reader.click();
  assert.equal(await reader.status(), 'unsubscribed');
});

test('a link that is followed twice at once by the scanner is undone as well', async () => {
  const reader = await aReader();
  await Promise.all([reader.leave(), reader.leave()]);
  t.app.clock.advance(1_000);
  await reader.leave();
  assert.equal(await reader.status(), 'unsubscribed');
  await reader.click();
  assert.equal(await reader.status(), 'active');
});

test('one click of a mail program is never undone, whatever was followed around it', async () => {
  const [one, other] = [await aReader(), await aReader()];
  await one.oneClick();
  await one.click();
  await other.click();
  await other.oneClick();
  await other.click(['https://other.example/']);
  assert.deepEqual([await one.status(), await other.status()], ['unsubscribed', 'unsubscribed']);
  assert.partialDeepStrictEqual(await recordsOf(one.row), [{ action: 'unsubscribed', details: { method: 'POST' } }]);
});

test('a person who acted after the visit stays unsubscribed: by a button, from everything, or by a second visit', async () => {
  const acts: ((reader: Awaited<ReturnType<typeof aReader>>) => Promise<unknown>)[] = [
    ({ oneClick }) => oneClick(ELSEWHERE),
    ({ everywhere }) => everywhere(),
    ({ leave }) => leave(ELSEWHERE),
    async ({ leave }) => {
      t.app.clock.advance(60_000);
      await leave();
      t.app.clock.advance(-60_000);
    },
    async ({ row }) => {
      const path = `/${newsletterId}/subscribers/${row.id}/unsubscribe`;
      assert.equal((await t.call('POST', path)).status, 200);
    },
  ];
  for (const act of acts) {
    const reader = await aReader();
    await reader.leave();
    await act(reader);
    await reader.click();
    assert.equal(await reader.status(), 'unsubscribed', act.toString());
    assert.equal((await recordsOf(reader.row)).length, 1);
  }
});

test('an address that was suppressed meanwhile is not resubscribed', async () => {
  const reader = await aReader();
  await reader.leave();
  const added = await t.app.request({ url: '/v1/suppressions', body: { email: reader.row.email } });
  assert.equal(added.status, 201, added.text);
  await reader.click();
  assert.equal(await reader.status(), 'unsubscribed');
});

/** The headers that browsers write when a person opens an address: Chrome and Firefox, and Safari without the last. */
const OPENED = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const SAFE_LINKS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Edg/120';
type Reader = Awaited<ReturnType<typeof aReader>>;
const addressIn = (page: { text: string }, what: RegExp): string => what.exec(page.text)?.[1] ?? assert.fail(page.text);

const visits: [who: string, act: (reader: Reader) => Promise<unknown>, status: string][] = [
  [
    'a scanner that fetches every link of the mail',
    async ({ leave, click }) => [await leave(), await click()],
    'active',
  ],
  [
    'a checker that calls itself a browser and writes no fetch metadata',
    async ({ leave, click }) => [
      await leave(SCANNER, { 'user-agent': SAFE_LINKS }),
      await click(['https://a.example/']),
    ],
    'active',
  ],
  ['a mail program that asks for the headers alone', ({ ask }) => ask('HEAD'), 'active'],
  ['a mail program that loads ahead', ({ leave }) => leave(SCANNER, { purpose: 'prefetch' }), 'active'],
  [
    'a browser that renders ahead',
    ({ leave }) => leave(SCANNER, { ...OPENED, 'sec-purpose': 'prefetch;prerender' }),
    'active',
  ],
  [
    'a browser whose person leaves and then opens an article',
    async ({ leave, click }) => [await leave(SCANNER, OPENED), await click(['https://a.example/'])],
    'unsubscribed',
  ],
  [
    'a browser whose person opens articles and then leaves',
    async ({ leave, click }) => {
      await click();
      assert.match((await leave(SCANNER, OPENED)).text, /You are unsubscribed/);
    },
    'unsubscribed',
  ],
  [
    'an older browser, which loads the picture of the page',
    async ({ leave, load, click }) => {
      const picture = await load(addressIn(await leave(), /<img src="([^"]+)"/));
      assert.deepEqual([picture.status, picture.headers['content-type']], [200, 'image/gif']);
      await click();
    },
    'unsubscribed',
  ],
  [
    'a browser without pictures, whose page tells of the undo',
    async ({ leave, load, click, status }) => {
      const outcome = addressIn(await leave(), /http-equiv="refresh" content="12;url=([^"]+)"/);
      await click(['https://a.example/']);
      assert.equal(await status(), 'active');
      const told = await load(outcome);
      assert.match(told.text, /You are still subscribed[\s\S]+name="action" value="leave"/);
    },
    'active',
  ],
  [
    'a browser without pictures, which shows the page again in time',
    async ({ leave, load, row }) => {
      const outcome = addressIn(await leave(), /content="12;url=([^"]+)"/);
      t.app.clock.advance(12_000);
      const shown = await load(outcome);
      assert.match(shown.text, /You are unsubscribed/);
      assert.doesNotMatch(shown.text, /refresh/);
      assert.equal((await rowOf(row.email)).unsubscribedByVisit, false);
    },
    'unsubscribed',
  ],
  [
    'a checker that follows the address of the outcome at once',
    async ({ leave, load, click }) => {
      const shown = await load(addressIn(await leave(), /content="12;url=([^"]+)"/));
      assert.match(shown.text, /You are unsubscribed/);
      await click(['https://a.example/']);
    },
    'active',
  ],
];

for (const [who, act, status] of visits) {
  test(`${who}: ${status}`, async () => {
    const reader = await aReader();
    await act(reader);
    assert.equal(await reader.status(), status);
  });
}
