/** The whole application with a worker: mail goes to the addresses of the simulator, and its outcomes are counted. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { emailRecords } from '#features/outbox';
import { firstIdAt, newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { insertSimulatedEvents } from '../../../../test/harness/simulated-events.ts';
import { until } from '../../../../test/harness/until.ts';
import { NO_DIMENSIONS, NO_FILTER } from './counts-asked.ts';
import { joinDelays } from './join-delays.ts';

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const DAY_MS = 86_400_000;
const COUNTS = [
  'sent',
  'delivered',
  'opened',
  'opened_machine',
  'clicked',
  'bounced',
  'bounced_permanent',
  'complained',
  'unsubscribed',
  'suppressed',
  'failed',
  'deferred',
];
const MAILBOXES = ['ada@gmail.com', 'bob@changed.dev', 'cid@example.com'];
const [BROADCAST, TEMPLATE] = [newId(), newId()];
const OUTCOMES = ['success', 'bounce', 'softbounce', 'complaint', 'reject', 'delay'];
const TAGS = [[], [{ name: 'kind', value: 'receipt' }], ['a', 'b'].map((value) => ({ name: 'kind', value }))];

let app: TestApp;
before(async () => {
  app = await createTestApp({
    worker: true,
    env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '1000' },
  });
  // Events of the days before are counted too.
  await sql`update email_counting set since = '2000-01-01'`.execute(app.db);
  // In the middle of these days it becomes known who receives the mail of a domain.
  await sql`insert into mailbox_domains (domain, provider, since, next_look_at) values ('changed.dev', 'microsoft',
              date_bin('15 minutes', now() - interval '36 hours', '2000-01-01T00:00:00Z'), null)`.execute(app.db);
  await sendAndLetHappen();
});
after(() => app.close());

const get = async (url: string): Promise<Body> => {
  const { status, body, text } = await app.request({ url });
  assert.equal(status, 200, text);
  return body;
};

/** A generator with a seed, so that a failure can be had again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const random = randomOf(20_261_122);

async function send(to: string, tags: object[]): Promise<void> {
  const body = { from: 'Acme <hello@posthorn.test>', to: [to], subject: 'Hello', html: '<p>Hello</p>', tags };
  const { status, text } = await app.request({ url: '/v1/send', body });
  assert.equal(status, 202, text);
}

/** Everything that can happen to mail: outcomes of the simulator now, and events of the last three days. */
async function sendAndLetHappen(): Promise<void> {
  const { status } = await app.request({
    url: '/v1/suppressions',
    body: { email: 'gone@example.com', reason: 'manual' },
  });
  assert.equal(status, 201);
  for (let n = 0; n < 24; n += 1) {
    const outcome = OUTCOMES[random(OUTCOMES.length)] ?? '';
    const to = n % 8 === 0 ? 'gone@example.com' : `${outcome}+${n}@simulator.amazonses.com`;
    await send(to, TAGS[random(TAGS.length)] ?? []);
  }
  await settled();
  const emails: OldEmail[] = [];
  for (let n = 0; n < 40; n += 1) emails.push(await anOldEmail(TAGS[random(TAGS.length)] ?? []));
  // Again and again: an event of a kind that the email has had changes nothing, or moves its first time to earlier.
  for (let round = 0; round < 3; round += 1) {
    await insertSimulatedEvents(emails.filter(() => random(3) > 0).map(aRandomEvent)).execute(app.db);
    app.clock.advance(11_000); // events of the past are looked for every ten seconds
    await settled();
  }
  app.clock.set(new Date());
}

/** Of a broadcast, with a template, or both. */
async function aSend(): Promise<string> {
  const id = newId();
  const kind = random(3);
  await sql`insert into send_requests (workspace_id, id, content_id, source, total, broadcast_id, template_id)
    values (${app.workspaceId}, ${id}, ${newId()}, 'api', 1, ${kind > 0 ? BROADCAST : null}, ${kind < 2 ? TEMPLATE : null})`.execute(
    app.db,
  );
  return id;
}

interface OldEmail {
  recipient: string;
  emailId: string;
  sentAtMs: number;
}

/** Accepted up to three days ago, and sent soon after. */
async function anOldEmail(tags: object[]): Promise<OldEmail> {
  const sentAtMs = Date.now() - DAY_MS / 24 - random(3 * DAY_MS);
  const emailId = `${firstIdAt(new Date(sentAtMs - 1_000)).slice(0, 14)}${newId().slice(14)}`;
  const recipient = MAILBOXES[random(MAILBOXES.length)] ?? '';
  const sendId = random(3) === 0 ? undefined : await aSend();
  await aSentEmail(app.workspaceId, { emailId, tags, sentAt: new Date(sentAtMs), recipient, sendId });
  return { emailId, sentAtMs, recipient };
}

function aRandomEvent({ emailId, sentAtMs, recipient }: OldEmail) {
  const types = [
    'delivery_delay',
    'delivery_delay',
    'open',
    'open',
    'click',
    'delivery',
    'delivery',
    'bounce',
    'complaint',
  ];
  const type = types[random(types.length)] ?? 'open';
  const payload: Record<string, Record<string, unknown>> = {
    open: { open: { is_bot: random(3) === 0 } },
    click: { click: { link: 'https://example.com/', is_bot: random(3) === 0 } },
    delivery: { delivery: {} },
    bounce: { bounce: { bounceType: random(2) === 0 ? 'Permanent' : 'Transient', bounceSubType: 'General' } },
    complaint: { complaint: {} },
    delivery_delay: { deliveryDelay: {} },
  };
  const at = new Date(sentAtMs + random(Date.now() - sentAtMs));
  return { workspaceId: app.workspaceId, emailId, type, recipient, at, payload: payload[type] ?? {} };
}

const settled = (): Promise<true> =>
  until('an end of the work', async () => {
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from emails where workspace_id = ${app.workspaceId}
                and status in ('queued', 'deferred', 'sending'))
           + (select count(*) from provider_events where workspace_id = ${app.workspaceId} and applied_at is null) as n`.execute(
      app.db,
    );
    return Number(rows[0]?.n) === 0 ? (true as const) : undefined;
  });

/** How many emails the list has, over all of its pages. */
async function listed(query: string): Promise<number> {
  let count = 0;
  for (let url: string | null = `/v1/emails?limit=100&${query}`; url !== null; ) {
    const page: Body = await get(url);
    count += page.data.length;
    url = page.has_more ? `/v1/emails?limit=100&${query}&cursor=${page.next_cursor}` : null;
  }
  return count;
}

/** Whole days around all that happened. */
function span(): { start: string; end: string } {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const day = (offset: number): string => new Date(today + offset * DAY_MS).toISOString().slice(0, 10);
  return { start: day(-4), end: day(2) };
}

test('200: every count equals the list that it opens, in each period, for each source and tag', async () => {
  const { start, end } = span();
  const zone = 'Asia/Kathmandu'; // + 05:45
  const base = `/v1/analytics?start=${start}&end=${end}&timezone=${zone}`;
  const during = (from: string, to: string): string => `counted_since=${from}&counted_until=${to}`;
  const all = await get(base);
  const whole = during(all.start, all.end);
  for (const name of COUNTS) {
    assert.equal(await listed(`counted=${name}&${whole}`), all.totals[name], name);
    const sum = all.data.reduce((total: number, row: Body) => total + row[name], 0);
    assert.equal(sum, all.totals[name], `the days of ${name}`);
  }
  for (const name of ['sent', 'delivered', 'opened', 'bounced', 'complained', 'suppressed', 'failed', 'clicked'])
    assert.ok(all.totals[name] > 0, `some were ${name}`);

  const hours = (await get(`${base}&granularity=hour`)).data.filter((row: Body) => row.opened > 0);
  assert.ok(hours.length > 2, 'opens of several hours');
  for (const { period, opened } of hours.slice(0, 5)) {
    const from = new Date(period).toISOString();
    const to = new Date(Date.parse(period) + 3_600_000).toISOString();
    assert.equal(await listed(`counted=opened&${during(from, to)}`), opened, period);
  }
  for (const { tag, ...row } of (await get(`${base}&dimensions=tag`)).data) {
    assert.equal(await listed(`counted=sent&tag=${tag}&${whole}`), row.sent, tag);
    assert.deepEqual((await get(`${base}&tag=${tag}`)).totals.sent, row.sent);
  }
  const [bySource] = (await get(`${base}&dimensions=source`)).data;
  assert.equal(await listed(`counted=sent&source=${bySource.source}&${whole}`), bySource.sent);
  const [byDomain] = (await get(`${base}&dimensions=domain,newsletter`)).data;
  assert.equal(await listed(`counted=failed&domain_id=${byDomain.domain_id}&${whole}`), byDomain.failed);
  assert.equal(byDomain.newsletter_id, null);
});

test('200: every count of a broadcast, a template or a provider of mailboxes equals its list, alone and together', async () => {
  const { start, end } = span();
  const base = `/v1/analytics?start=${start}&end=${end}&timezone=Europe/Berlin`;
  const all = await get(base);
  const whole = `counted_since=${all.start}&counted_until=${all.end}`;
  for (const [dimensions, filters] of [
    ['broadcast', ['broadcast_id']],
    ['template', ['template_id']],
    ['mailbox_provider', ['mailbox_provider']],
    ['mailbox_provider,broadcast,template', ['mailbox_provider', 'broadcast_id', 'template_id']],
  ] as const) {
    const { data, totals } = await get(`${base}&dimensions=${dimensions}`);
    assert.ok(data.length > 1, dimensions);
    for (const name of COUNTS) {
      const sum = data.reduce((total: number, row: Body) => total + row[name], 0);
      assert.deepEqual([totals[name], sum], [all.totals[name], all.totals[name]], `${name} by ${dimensions}`);
    }
    for (const row of data) {
      if (filters.some((name) => row[name] === null)) continue; // no filter asks for those without
      const query = filters.map((name) => `${name}=${row[name]}`).join('&');
      for (const name of ['sent', 'delivered', 'opened', 'deferred', 'complained'])
        assert.equal(await listed(`counted=${name}&${query}&${whole}`), row[name], `${name} with ${query}`);
      assert.equal((await get(`${base}&${query}`)).totals.sent, row.sent);
    }
  }
  const { data } = await get(`${base}&dimensions=mailbox_provider`);
  assert.deepEqual(
    data.map(({ mailbox_provider: provider }: Body) => provider),
    ['google', 'microsoft', 'other'],
  );
  for (const row of data) assert.equal(row.median_seconds_to_delivery === null, row.delivered === 0);
  assert.ok(all.totals.deferred > 0);
});

test('200: counts stay when the emails are gone, and another workspace has none of them', async () => {
  const { start, end } = span();
  const url = `/v1/analytics?start=${start}&end=${end}&dimensions=period,tag`;
  const before = await get(url);
  await sql`delete from emails where workspace_id = ${app.workspaceId}
             and id = (select id from emails where workspace_id = ${app.workspaceId} and status = 'delivered' limit 1)`.execute(
    app.db,
  );
  assert.deepEqual(await get(url), before);
  const { rows } = await sql`select 1 from email_counts where workspace_id <> ${app.workspaceId}`.execute(app.db);
  assert.equal(rows.length, 0);
});

test('200: a day has tags of its own up to a hundred, and the rest is one row, which counts an email once', async () => {
  const many = Array.from({ length: 30 }, (_, n) => n);
  const at = new Date('2026-01-15T10:00:00Z');
  const workspaceId = await aWorkspace(app.db);
  for (let email = 0; email < 5; email += 1) {
    const tags = many.map((n) => ({ name: 'order', value: `${email}-${n}` }));
    await aSentEmail(workspaceId, { tags, sentAt: at });
  }
  const { rows } = await sql<{ named: number; others: number; kinds: number }>`
    select count(distinct tag) filter (where tag like 'order:%')::integer as named,
           sum(sent) filter (where tag = '*')::integer as others, sum(sent) filter (where tag = '')::integer as kinds
      from email_counts where workspace_id = ${workspaceId}`.execute(app.db);
  // The fourth email has ten tags among the hundred and twenty others; the fifth has none.
  assert.deepEqual(rows[0], { named: 100, others: 2, kinds: 5 });
  await sql`update emails set status = 'failed' where workspace_id = ${workspaceId}`.execute(app.db);
  const { rows: left } = await sql<{ n: number }>`
    select sum(sent)::integer as n from email_counts where workspace_id = ${workspaceId}`.execute(app.db);
  assert.equal(left[0]?.n, 0, 'what is taken back is taken from where it was counted');
});

test('200: the median of the seconds to a delivery, by provider, is that of the deliveries of the span', async () => {
  const workspaceId = await aWorkspace(app.db);
  const [sentAt, other] = [new Date('2026-02-10T10:00:00Z'), new Date('2026-02-11T10:00:00Z')];
  for (const [day, recipient, delays] of [
    [sentAt, 'a@gmail.com', [1.5, 4, 4, 8, 4000]],
    [other, 'a@gmail.com', [50]],
    [sentAt, 'b@icloud.com', []],
  ] as const) {
    for (const delay of [...delays, null]) {
      const emailId = newId();
      await aSentEmail(workspaceId, { emailId, tags: [], sentAt: day, recipient });
      if (delay === null) continue;
      await sql`update emails set status = 'delivered', delivered_at = ${new Date(day.getTime() + delay * 1000)}
                 where workspace_id = ${workspaceId} and id = ${emailId}`.execute(app.db);
    }
  }
  const counts = emailRecords.counts;
  const rows = await counts.sum(app.db, {
    workspaceId,
    bounds: [new Date('2026-02-10T00:00:00Z'), new Date('2026-02-11T00:00:00Z'), new Date('2026-02-12T00:00:00Z')],
    by: { ...NO_DIMENSIONS, period: true, mailbox_provider: true },
    filter: { ...NO_FILTER, withSystemMail: true, newsletterIds: [] },
    limit: 100,
  });
  const found = joinDelays(rows).map((row) => [row.period, row.mailboxProvider, row.sent, row.delivered, row.median]);
  assert.deepEqual(found, [
    [0, 'apple', 1, 0, null],
    [0, 'google', 6, 5, 4.5], // the class of 3 to 5 seconds
    [1, 'google', 2, 1, 52.5],
  ]);
});

async function aSentEmail(
  workspaceId: string,
  {
    emailId = newId(),
    tags,
    sentAt,
    recipient = 'ada@example.com',
    sendId,
  }: { emailId?: string; tags: object[]; sentAt: Date; recipient?: string; sendId?: string | undefined },
): Promise<void> {
  const contentId = newId();
  await sql`insert into contents (workspace_id, id, from_address, from_domain, subject, tags)
    values (${workspaceId}, ${contentId}, 'a@posthorn.test', 'posthorn.test', 'Hi', ${JSON.stringify(tags)}::jsonb)`.execute(
    app.db,
  );
  await sql`insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, attempts, created_at)
    values (${workspaceId}, ${emailId}, ${sendId ?? null}, ${contentId}, ${recipient}, 1, 0, 'unconfirmed', 1, ${sentAt})`.execute(
    app.db,
  );
  await sql`update emails set status = 'sent', sent_at = ${sentAt}, handoff_at = ${sentAt}
             where workspace_id = ${workspaceId} and id = ${emailId}`.execute(app.db);
}

test('200: weeks and months of a broadcast, a template and a provider of mailboxes add up to their days', async () => {
  const today = new Date();
  const day = (months: number): string =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1)).toISOString().slice(0, 10);
  const base = `/v1/analytics?start=${day(-1)}&end=${day(1)}&timezone=UTC`;
  /** Monday of the week, or the first of the month, in which a day is. */
  const periodOf = {
    week: (at: string) => {
      const monday = new Date(at);
      monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
      return monday.toISOString().slice(0, 10);
    },
    month: (at: string) => `${at.slice(0, 7)}-01`,
  };
  for (const [dimension, field] of [
    ['broadcast', 'broadcast_id'],
    ['template', 'template_id'],
    ['mailbox_provider', 'mailbox_provider'],
  ] as const) {
    const days = (await get(`${base}&granularity=day&dimensions=period,${dimension}`)).data;
    assert.ok(new Set(days.map((row: Body) => row[field])).size > 1, dimension);
    for (const granularity of ['week', 'month'] as const) {
      const expected: Record<string, number[]> = {};
      for (const row of days) {
        const counts = COUNTS.map((name) => row[name]);
        const key = `${periodOf[granularity](row.period)} ${row[field]}`;
        expected[key] = counts.map((count, at) => count + (expected[key]?.[at] ?? 0));
      }
      const { data } = await get(`${base}&granularity=${granularity}&dimensions=period,${dimension}`);
      const found = Object.fromEntries(
        data.map((row: Body) => [
          `${periodOf[granularity](row.period)} ${row[field]}`,
          COUNTS.map((name) => row[name]),
        ]),
      );
      assert.deepEqual(found, expected, `${granularity} by ${dimension}`);
    }
  }
});

test('200: an hour without mail is a row of zeros, and so is a workspace without mail', async () => {
  const { data, totals } = await get(
    '/v1/analytics?start=2026-03-29&end=2026-03-30&granularity=hour&timezone=Europe/Berlin',
  );
  assert.equal(data.length, 23, 'the clocks go forward');
  assert.deepEqual([data[0].period, data[2].period], ['2026-03-29T00:00+01:00', '2026-03-29T03:00+02:00']);
  assert.equal(totals.sent, 0);
  assert.equal(totals.delivery_rate, 0);
});

test('400 names the parameter that is wrong', async () => {
  for (const [query, param] of [
    ['start=2026-02-30', 'start'],
    ['start=yesterday', 'start'],
    ['start=2026-11-20T09:01:00Z', 'start'],
    ['start=2026-11-20&end=2026-11-20', 'start'],
    ['end=2026-11-20T09:00:00', 'end'],
    ['start=2020-01-01&end=2026-11-20&granularity=hour', 'granularity'],
    ['granularity=minute', 'granularity'],
    ['timezone=Mars/Base', 'timezone'],
    ['dimensions=period,colour', 'dimensions'],
    ['dimensions=tag,mailbox_provider', 'dimensions'],
    ['mailbox_provider=google&tag=kind:receipt', 'dimensions'],
    ['mailbox_provider=gmail', 'mailbox_provider'],
    ['template_id=welcome', 'template_id'],
    ['dimensions=', 'dimensions'],
    ['domain_id=acme.test', 'domain_id'],
    ['tag=kind', 'tag'],
  ]) {
    const { status, body } = await app.request({ url: `/v1/analytics?${query}` });
    assert.equal(status, 400, query);
    assert.equal((body as Body).param, param, query);
    assert.doesNotMatch((body as Body).message, /another form/, query);
  }
  for (const [query, param] of [
    ['counted=sent', 'counted'],
    ['counted_since=2026-11-20T00:00:00Z', 'counted_since'],
    ['mailbox_provider=google', 'mailbox_provider'],
    ['counted=read&counted_since=2026-11-20T00:00:00Z&counted_until=2026-11-21T00:00:00Z', 'counted'],
    ['counted=sent&counted_since=2026-11-20T00:00:00Z&counted_until=2026-11-21T00:00:00Z&page=2', 'page'],
  ]) {
    const { status, body } = await app.request({ url: `/v1/emails?${query}` });
    assert.equal(status, 400, query);
    assert.equal((body as Body).param, param, query);
  }
});

test('200 with the health of seven days, and a sentence for each rate over its limit', async () => {
  const health = await get('/v1/analytics/health');
  assert.equal(health.window_days, 7);
  assert.equal(health.status, 'ok', 'under a hundred emails nothing is said');
  assert.ok(health.bounce_rate > 0);
});

test('200 with the overview: queue, pace, provider, workers, and marks that change with the mail', async () => {
  const first = await get('/v1/overview');
  assert.equal(first.queue.depth, 0);
  assert.deepEqual(first.pace, { rate: 500, full_rate: 500, setting: 500, stretch: 1 });
  assert.equal(first.provider.name, 'capture');
  assert.ok(first.provider.last_success_at !== null && first.last_event_at !== null);
  assert.deepEqual(first.paused_sends, []);
  assert.equal(first.workers.alive, 1);
  await send('success+later@simulator.amazonses.com', []);
  await settled();
  const second = await get('/v1/overview');
  for (const name of ['emails', 'events', 'counts']) assert.notEqual(second.changes[name], first.changes[name], name);
});

test('200 with a paused send, its reason and the action that helps', async () => {
  const [sendId, issueId] = [newId(), newId()];
  await sql`insert into send_requests (workspace_id, id, content_id, source, total, bulk_state, paused_at, pause_code,
      pause_reason, issue_id, newsletter_id)
    values (${app.workspaceId}, ${sendId}, ${newId()}, 'issue', 10, 'releasing', now(), 'reputation', 'Too many bounced.',
      ${issueId}, ${newId()})`.execute(app.db);
  const [paused] = (await get('/v1/overview')).paused_sends;
  assert.partialDeepStrictEqual(paused, {
    send_id: sendId,
    issue_id: issueId,
    code: 'reputation',
    reason: 'Too many bounced.',
    action: 'resume',
  });
});
