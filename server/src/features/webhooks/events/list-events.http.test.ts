import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { firstIdAt, idAfter, newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { anEmail, aNewsletter, aWorkspace } from '../../../../test/harness/builders.ts';
import { tokenWithRole } from '../test-kit.ts';
import { emailEvents } from '../../../../test/harness/email-events.ts';
import { ensureBodies } from './event-bodies.ts';
import { endOfEventLook, eventPage, type EventSpan, pageOfEventIds } from './event-page-queries.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp({ env: { POSTHORN_SIGNUP: 'open' } });
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const list = async (query = '', key?: string): Promise<{ status: number; body: Body; headers: Body }> =>
  app.request({ url: `/v1/events${query}`, ...(key === undefined ? {} : { key }) });

const idsOf = (body: Body): string[] => body.data.map((event: Body) => event.id);
const named = (id: string): string => `evt_${id.replaceAll('-', '')}`;

async function emailEvent(
  emailId: string,
  type = 'send',
  id = newId(),
  workspaceId = app.workspaceId,
): Promise<string> {
  await sql`insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
    values (${workspaceId}, ${id}, ${emailId}, ${type}, 'ada@example.com', ${JSON.stringify({ [type]: {} })}::jsonb)`.execute(
    app.db,
  );
  return id;
}

async function workspaceEvent(type = 'domain.verified', id = newId()): Promise<string> {
  await sql`insert into workspace_events (workspace_id, id, type, payload)
    values (${app.workspaceId}, ${id}, ${type}, '{"domain":{"domain":"example.com"}}')`.execute(app.db);
  return id;
}

const clear = async (): Promise<void> => {
  await sql`delete from email_events where workspace_id = ${app.workspaceId}`.execute(app.db);
  await sql`delete from workspace_events where workspace_id = ${app.workspaceId}`.execute(app.db);
};

test('200 without events of newsletters that a key may not touch: of mail, and of the lists themselves', async () => {
  await clear();
  const [own, foreign] = await Promise.all([0, 1].map(() => aNewsletter(app.db, app.workspaceId)));
  assert.ok(own !== undefined && foreign !== undefined);
  const made: string[] = [];
  for (const newsletterId of [own.id, foreign.id]) {
    const { emailId, sendId } = await anEmail(app.db, app.workspaceId, { source: 'issue' });
    await sql`update send_requests set newsletter_id = ${newsletterId}
      where workspace_id = ${app.workspaceId} and id = ${sendId}`.execute(app.db);
    made.push(await emailEvent(emailId));
    const id = newId();
    await sql`insert into workspace_events (workspace_id, id, type, payload)
      values (${app.workspaceId}, ${id}, 'newsletter.subscriber.created', jsonb_build_object(
        'newsletter', jsonb_build_object('id', ${newsletterId}::text)))`.execute(app.db);
    made.push(id);
  }
  const others = [await emailEvent((await anEmail(app.db, app.workspaceId)).emailId), await workspaceEvent()];
  const reply = await app.request({
    url: '/v1/api-keys',
    body: { name: 'limited', scopes: ['emails:read', 'subscribers:read', 'domains:read'], newsletter_ids: [own.id] },
  });
  const { key } = reply.body as Body;
  const { body } = await list('?order=asc', key);
  assert.deepEqual(idsOf(body), [...made.slice(0, 2), ...others].map(named));
  assert.equal(body.total, 4);
  assert.equal((await list()).body.total, 6);
});

test('200 with events of both kinds, newest first, each exactly as a webhook sends it', async () => {
  await clear();
  const { emailId } = await anEmail(app.db, app.workspaceId);
  const ids = [
    await emailEvent(emailId),
    await workspaceEvent(),
    await emailEvent(emailId, 'open'),
    await workspaceEvent(),
  ];
  const { status, body } = await list();
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['data', 'page', 'total', 'total_pages', 'limit', 'has_more', 'next_cursor']);
  assert.deepEqual(idsOf(body), ids.toReversed().map(named));
  const { workspaceId } = app;
  const bodies = await ensureBodies(
    { db: app.db, emailEvents },
    ids.map((eventId) => ({ workspaceId, eventId })),
  );
  for (const [index, id] of ids.toReversed().entries()) {
    assert.equal(JSON.stringify(body.data[index]), bodies.get(`${workspaceId} ${id}`));
  }
});

test('the email of an event is the email as its own record shows it', async () => {
  await clear();
  const sends = [
    { to: 'Ada <Ada@Example.com>', from: 'Acme <hello@posthorn.test>', tags: [{ name: 'kind', value: 'receipt' }] },
    {
      to: ['ada@example.com', 'Bob@example.com'],
      cc: ['carol@example.com'],
      from: 'hello@posthorn.test',
      grouped: true,
    },
  ];
  for (const send of sends) {
    const body = {
      ...send,
      subject: 'Grüße \u{1F389}',
      html: '<p>Hi</p>',
      metadata: { order: 42, deep: { a: [null] } },
    };
    assert.equal((await app.request({ url: '/v1/send', body })).status, 202);
  }
  const { data } = (await list('?type=send')).body;
  assert.ok(data.length >= 2);
  for (const { email, created_at } of data) {
    const record = (await app.request({ url: `/v1/emails/${email.id}` })).body as Body;
    for (const [name, value] of Object.entries(email)) {
      if (name !== 'recipient') assert.deepEqual(value, record[name], name);
    }
    const event = record.events.find((one: Body) => one.recipient === email.recipient);
    assert.ok(Math.abs(Date.parse(event.at) - Date.parse(created_at)) < 5_000);
  }
});

test('pages in either order show each event once, whatever table it is in', async () => {
  await clear();
  const { emailId } = await anEmail(app.db, app.workspaceId);
  const ids: string[] = [];
  for (let n = 0; n < 23; n += 1) ids.push(await (n % 3 === 0 ? workspaceEvent() : emailEvent(emailId)));
  for (const order of ['asc', 'desc']) {
    const seen: string[] = [];
    let url = `?limit=4&order=${order}`;
    for (let pages = 0; url !== '' && pages < 10; pages += 1) {
      const { body, headers } = await list(url);
      seen.push(...idsOf(body));
      assert.equal(body.has_more, body.next_cursor !== null);
      const next = /^<\/v1\/events(\?[^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? '';
      assert.equal(next !== '', body.has_more);
      url = next;
    }
    assert.deepEqual(seen, (order === 'asc' ? ids : ids.toReversed()).map(named));
    const numbered: string[] = [];
    for (let page = 1; page <= 7; page += 1) {
      const { body } = await list(`?limit=4&order=${order}&page=${page}`);
      assert.deepEqual([body.page, body.total, body.total_pages, body.has_more], [page, 23, 6, page < 6]);
      numbered.push(...idsOf(body));
    }
    assert.deepEqual(numbered, seen);
  }
});

test('since, until and type say which; since is the created_at of the last one seen', async () => {
  await clear();
  const { emailId } = await anEmail(app.db, app.workspaceId);
  const start = app.clock.now().getTime() - 10_000;
  const at = (ms: number): string => newIdAt(start + ms);
  const ids = [at(0), at(1), at(2), at(3)];
  await emailEvent(emailId, 'send', ids[0]);
  await emailEvent(emailId, 'bounce', ids[1]);
  await workspaceEvent('domain.failed', ids[2]);
  await emailEvent(emailId, 'bounce', ids[3]);
  const found = async (query: string): Promise<string[]> => idsOf((await list(query)).body);
  const second = (await list(`?limit=1&order=asc&since=${new Date(start + 1).toISOString()}`)).body.data[0];
  assert.equal(second.created_at, new Date(start + 1).toISOString());
  assert.deepEqual(await found(`?order=asc&since=${second.created_at}`), ids.slice(1).map(named));
  assert.deepEqual(await found(`?order=asc&until=${second.created_at}`), ids.slice(0, 1).map(named));
  assert.deepEqual(await found('?type=bounce&order=asc'), [ids[1] ?? '', ids[3] ?? ''].map(named));
  assert.deepEqual(await found('?type=domain.failed'), ids.slice(2, 3).map(named));
  assert.deepEqual(await found('?type=newsletter.issue.sent'), []);
  assert.deepEqual(await found(`?since=2099-01-01T00:00:00Z`), []);
});

/** An id of that moment, as another process would have made it. */
const newIdAt = (ms: number): string => firstIdAt(new Date(ms)).slice(0, 14) + newId().slice(14);

test('events older than 30 days are not listed', async () => {
  await clear();
  const { emailId } = await anEmail(app.db, app.workspaceId);
  const now = app.clock.now().getTime();
  await emailEvent(emailId, 'send', newIdAt(now - 30 * 86_400_000 - 60_000));
  const young = await emailEvent(emailId, 'send', newIdAt(now - 30 * 86_400_000 + 60_000));
  assert.deepEqual(idsOf((await list('?since=2020-01-01T00:00:00Z')).body), [named(young)]);
});

test('400 for a filter that is none', async () => {
  for (const [query, param] of [
    ['?type=sned', 'type'],
    ['?type=*', 'type'],
    ['?type=send,open', 'type'],
    ['?type=send&type=open', 'type'],
    ['?type[]=send', 'type'],
    ['?since=yesterday', 'since'],
    ['?until=2026-02-30T00:00:00Z', 'until'],
    ['?order=up', 'order'],
    ['?limit=0', 'limit'],
    ['?page=0', 'page'],
    ['?cursor=nonsense', 'cursor'],
  ] as const) {
    const { status, body } = await list(query);
    assert.deepEqual([status, body.param], [400, param], query);
  }
});

test('401 without a key, 403 with one that reads nothing that an event tells of', async () => {
  assert.equal((await app.request({ url: '/v1/events', key: null })).status, 401);
  const made = await app.request({ url: '/v1/api-keys', body: { name: 'x', scopes: ['webhooks:write'] } });
  const reply = await list('', (made.body as Body).key);
  assert.equal(reply.status, 403);
  assert.match(reply.body.message, /emails:read/);
});

test('nobody sees the events of another workspace, nor of the mail of the system who may not do everything', async () => {
  await clear();
  const other = await aWorkspace(app.db);
  const theirs = await anEmail(app.db, other);
  await emailEvent(theirs.emailId, 'send', newId(), other);
  const ordinary = await anEmail(app.db, app.workspaceId);
  const system = await anEmail(app.db, app.workspaceId, { source: 'system' });
  const [mine, secret] = [await emailEvent(ordinary.emailId), await emailEvent(system.emailId)];
  const reader = await app.request({ url: '/v1/api-keys', body: { name: 'x', scopes: ['emails:read'] } });
  // Among those of the mails that people of this test were sent.
  const seesBoth = (ids: readonly string[]): boolean => ids.includes(named(secret)) && ids.includes(named(mine));
  assert.ok(seesBoth(idsOf((await list()).body)));
  for (const key of [(reader.body as Body).key, await tokenWithRole(app, 'admin')]) {
    assert.deepEqual(idsOf((await list('', key)).body), [named(mine)]);
  }
  assert.ok(seesBoth(idsOf((await list('', await tokenWithRole(app, 'owner'))).body)));
  for (const { email } of (await list()).body.data) assert.ok(email === undefined || email.id !== theirs.emailId);
});

test('200 with the kinds of events whose records the key can read; 403 for a type that it cannot', async () => {
  await clear();
  const { emailId: emailOfMail } = await anEmail(app.db, app.workspaceId);
  const mail = await emailEvent(emailOfMail);
  const types = ['newsletter.subscriber.created', 'newsletter.issue.sent', 'email.suppressed', 'domain.verified'];
  const ids = [mail];
  for (const type of types) ids.push(await workspaceEvent(type));
  const keyWith = async (scopes: string[]): Promise<string> =>
    ((await app.request({ url: '/v1/api-keys', body: { name: 'reader', scopes } })).body as Body).key;
  const expected: [string[], string[]][] = [
    [['emails:read'], ['send']],
    [
      ['subscribers:read', 'domains:read'],
      ['newsletter.subscriber.created', 'domain.verified'],
    ],
    [['automations:read'], []],
    [
      ['emails:read', 'subscribers:read', 'domains:read'],
      ['send', 'newsletter.subscriber.created', 'domain.verified'],
    ],
    [
      ['emails:read', 'issues:write', 'suppressions:read'],
      ['send', 'newsletter.issue.sent', 'email.suppressed'],
    ],
    [['full_access'], ['send', ...types]],
  ];
  for (const [scopes, shown] of expected) {
    const { body } = await list('?order=asc', await keyWith(scopes));
    assert.deepEqual(
      body.data.map((event: Body) => event.type),
      shown,
    );
    assert.equal(body.total, shown.length);
  }
  const refused = await list('?type=newsletter.issue.sent', await keyWith(['emails:read']));
  assert.deepEqual([refused.status, refused.body.param], [403, 'type']);
  assert.match(refused.body.message, /issues:read/);
  for (const [query, param] of [
    ['?type=send', 'type'],
    [`?email_id=${emailOfMail}`, 'email_id'],
  ]) {
    const { status, body } = await list(query, await keyWith(['issues:read']));
    assert.deepEqual([status, body.param, body.data], [403, param, undefined]);
  }
});

test('200 with the events of one email, however old, each with its number', async () => {
  await clear();
  const [one, other] = await Promise.all([0, 1].map(() => anEmail(app.db, app.workspaceId)));
  assert.ok(one !== undefined && other !== undefined);
  const old = `${firstIdAt(new Date(Date.now() - 40 * 86_400_000)).slice(0, 14)}${newId().slice(14)}`;
  const ids = [await emailEvent(one.emailId, 'send', old), await emailEvent(one.emailId, 'delivery')];
  await emailEvent(other.emailId);
  await workspaceEvent();
  const { body } = await list(`?email_id=${one.emailId}&order=asc`);
  assert.deepEqual(idsOf(body), ids.map(named));
  assert.deepEqual(
    body.data.map((event: Body) => event.sequence),
    [1, 2],
  );
  assert.equal((await list(`?email_id=${newId()}`)).body.total, 0);
  assert.equal((await list('?email_id=one')).status, 400);
});

test('of 100,000 events only those of the page are read', async (t) => {
  await clear();
  const { emailId } = await anEmail(app.db, app.workspaceId);
  await sql`insert into email_events (workspace_id, id, email_id, sequence, type, recipient)
    select ${app.workspaceId}, ph_uuidv7(), ${emailId}, n, 'send', 'ada@example.com' from generate_series(1, 100000) as n`.execute(
    app.db,
  );
  await sql`insert into workspace_events (workspace_id, id, type, payload)
    select ${app.workspaceId}, ph_uuidv7(), 'domain.verified', '{}' from generate_series(1, 100000)`.execute(app.db);
  await sql`analyze email_events, workspace_events`.execute(app.db);
  const span = {
    workspaceId: app.workspaceId,
    fromId: firstIdAt(new Date(0)),
    untilId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    after: null,
    offset: 0,
    limit: 51,
    type: null,
    withEmails: true,
    workspaceTypes: null,
    shown: { withSystemMail: false, newsletterIds: [] },
  };
  const nodesOf = (node: Body): Body[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
  for (const ascending of [true, false]) {
    const { rows } =
      await sql<Body>`explain (analyze, format json) ${eventPage(emailEvents, { ...span, ascending })}`.execute(app.db);
    const [plan] = rows[0]['QUERY PLAN'];
    const ofEvents = nodesOf(plan.Plan).filter(
      (node) => ['email_events', 'workspace_events'].includes(node['Relation Name']) || node['Node Type'] === 'Sort',
    );
    assert.ok(ofEvents.length >= 2);
    for (const node of ofEvents) {
      const touched = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
      assert.ok(touched <= 2 * span.limit, `${node['Node Type']} touched ${touched} rows`);
    }
    t.diagnostic(`a page took ${plan['Execution Time']} ms`);
  }
  const { body } = await list('?page=3');
  assert.deepEqual([body.data.length, body.total, body.total_is_estimate], [50, 10_001, true]);
  const rare = await sql<Body>`
    explain (analyze, format json) ${eventPage(emailEvents, { ...span, ascending: true, type: { name: 'bounce', ofEmails: true } })}`.execute(
    app.db,
  );
  t.diagnostic(`a type that does not occur took ${rare.rows[0]['QUERY PLAN'][0]['Execution Time']} ms`);
});

test('all pages of one type are the whole list filtered, in both orders, wherever a page stops looking', async () => {
  await clear();
  const { emailId } = await anEmail(app.db, app.workspaceId);
  const made: { id: string; type: string }[] = [];
  for (let n = 0; n < 24; n += 1) {
    const type = ['send', 'delivery', 'domain.verified', 'bounce', 'domain.failed'][n % 5] ?? '';
    const id = type.includes('.') ? await workspaceEvent(type) : await emailEvent(emailId, type);
    made.push({ id, type });
  }
  const sources = { db: app.db, emailEvents };
  const walk = async (whole: EventSpan, limit: number, lookedAtMax: number): Promise<string[]> => {
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const span: EventSpan = { ...whole, after, limit: limit + 1 };
      const end = await endOfEventLook(sources, span, lookedAtMax);
      const part = span.ascending
        ? { untilId: end === null ? span.untilId : idAfter(end) }
        : { fromId: end ?? span.fromId };
      const ids = await pageOfEventIds(sources, { ...span, ...part });
      found.push(...ids.slice(0, limit));
      after = ids.length > limit ? (found.at(-1) ?? null) : end;
      if (after === null) return found;
    }
  };
  for (const type of ['delivery', 'domain.verified', 'complaint', 'domain.none']) {
    for (const ascending of [true, false]) {
      const span: EventSpan = {
        workspaceId: app.workspaceId,
        fromId: firstIdAt(new Date(0)),
        untilId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
        after: null,
        ascending,
        offset: 0,
        limit: 0,
        type: { name: type, ofEmails: !type.includes('.') },
        withEmails: true,
        workspaceTypes: null,
        shown: { withSystemMail: true, newsletterIds: [] },
      };
      const expected = made.filter((one) => one.type === type).map(({ id }) => id);
      for (const [limit, lookedAtMax] of [
        [1, 1],
        [2, 3],
        [1, 7],
        [50, 4],
        [2, 100],
      ] as const) {
        const message = JSON.stringify({ type, ascending, limit, lookedAtMax });
        assert.deepEqual(await walk(span, limit, lookedAtMax), ascending ? expected : expected.toReversed(), message);
      }
    }
  }
});
