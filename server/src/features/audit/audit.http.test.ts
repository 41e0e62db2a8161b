import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, TEST_ADMIN, type TestApp } from '../../../test/harness/app.ts';
import { aNewsletter, aPendingDomain, aWorkspace } from '../../../test/harness/builders.ts';
import { type DoneFilter, pageOfDone } from './queries.ts';

let api: TestApp;
let token: string;
before(async () => {
  api = await createTestApp();
  const signedIn = await api.request({ url: '/auth/login', key: null, body: TEST_ADMIN });
  token = (signedIn.body as { token: string }).token; // what the sign-in answers
});
after(() => api.close());

interface Entry {
  id: string;
  at: string;
  action: string;
  actor: { type: string; id: string | null; email: string | null; ip: string | null };
  target: { type: string | null; id: string | null };
  details: Record<string, unknown>;
}
interface List {
  data: Entry[];
  total?: number;
  has_more: boolean;
  next_cursor: string | null;
}
const list = async (query: string): Promise<List> => {
  const answer = await api.request({ url: `/audit${query}`, key: token });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as List; // checked against the OpenAPI document by the harness
};

const suppress = (email: string) => api.request({ url: '/v1/suppressions', body: { email } });

test('200 with audit entries and security events together, newest first, a page at a time', async () => {
  for (const n of [1, 2, 3]) {
    await suppress(`audit-${n}@example.com`);
    await api.request({ method: 'DELETE', url: `/v1/suppressions/audit-${n}@example.com` });
  }
  const all = await list('');
  const ours = all.data.filter((entry) => entry.target.type === 'suppression');
  assert.deepEqual(
    ours.slice(0, 2).map((entry) => entry.action),
    ['suppression.removed', 'suppression.added'],
  );
  assert.equal(ours.length, 6);
  assert.equal(all.total, all.data.length);
  const walked: Entry[] = [];
  for (let cursor = ''; ; ) {
    const page = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    walked.push(...page.data);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  assert.deepEqual(walked, all.data);
  const second = await list('?limit=2&page=2');
  assert.deepEqual(second.data, all.data.slice(2, 4));
});

test('200 filtered by actor, action and time', async () => {
  assert.deepEqual(
    new Set((await list('?action=suppression.removed')).data.map((one) => one.action)),
    new Set(['suppression.removed']),
  );
  const byKey = (await list('?actor=api_key')).data;
  assert.ok(byKey.length > 0 && byKey.every((one) => one.actor.type === 'api_key'));
  assert.deepEqual((await list(`?actor=${byKey[0]?.actor.id}`)).data, byKey);
  const ofAdmin = (await list(`?actor=${TEST_ADMIN.email.toUpperCase()}`)).data;
  assert.ok(ofAdmin.length > 0 && ofAdmin.every((one) => one.actor.email === TEST_ADMIN.email));
  assert.deepEqual((await list('?since=2999-01-01T00:00:00Z')).data, []);
  assert.deepEqual((await list('?until=2001-01-01T00:00:00Z')).data, []);
  assert.deepEqual((await list('?actor=nobody%25')).data, []);
});

/** Every PATCH of a record in this log: its URL, a change, and the entry that tells of it. */
async function changes(): Promise<
  Record<string, { url: string; change: object; action: string; details: object; key?: string }>
> {
  const made = async (url: string, body: object): Promise<string> =>
    ((await api.request({ url, body })).body as { id: string }).id; // every one of these records has an id
  const domain = await aPendingDomain(api.db, api.workspaceId, 'audited.test');
  const newsletter = await made('/v1/newsletters', { name: 'Before', slug: 'audited' });
  const issue = await made(`/v1/newsletters/${newsletter}/issues`, { subject: 'Before', html_body: '<p>1</p>' });
  const list = await made('/v1/lists', { name: 'Before' });
  const broadcast = await made('/broadcasts', { name: 'Before' });
  const filter = { match: 'all', conditions: [{ field: 'email', op: 'is_set' }] };
  const segment = await made('/v1/segments', { name: 'Before', filter });
  const template = await made('/v1/templates', { name: 'Before', text: 'Hello' });
  const automation = await made('/v1/automations', {
    name: 'Before',
    trigger: { type: 'api' },
    steps: [{ key: 'done', type: 'end', config: {} }],
  });
  const scheduled = await made('/scheduled', {
    from: 'hello@posthorn.test',
    to: 'ada@example.com',
    subject: 'Before',
    text: 'Hi',
    scheduled_for: 'in 1 day',
  });
  const webhook = await made('/v1/webhooks', { url: 'https://93.184.216.34/a?token=1', events: ['bounce'] });
  const key = await made('/v1/api-keys', { name: 'Before', scopes: ['emails:read'] });
  const userId = newId();
  await sql`insert into users (id, email, created_at, updated_at) values (${userId}, 'member@example.com', now(), now())`.execute(
    api.db,
  );
  await sql`insert into members (workspace_id, user_id, role) values (${api.workspaceId}, ${userId}, 'viewer')`.execute(
    api.db,
  );
  const fromTo = (before: unknown, after: unknown) => ({ before, after });
  return {
    'PATCH /workspaces/{id}': {
      url: `/workspaces/${api.workspaceId}`,
      change: { track_opens: true },
      action: 'workspace.updated',
      details: { changes: { track_opens: fromTo(false, true) } },
      key: token,
    },
    'PATCH /instance/workspaces/{id}': {
      url: `/instance/workspaces/${api.workspaceId}`,
      change: { emails_per_month: 5_000 },
      action: 'workspace.governed',
      details: { changes: { emails_per_month: fromTo(null, 5_000) } },
      key: token,
    },
    'PATCH /workspaces/{id}/members/{userId}': {
      url: `/workspaces/${api.workspaceId}/members/${userId}`,
      change: { role: 'editor' },
      action: 'member.role_changed',
      details: { changes: { role: fromTo('viewer', 'editor') } },
      key: token,
    },
    'PATCH /v1/domains/{id}/limits': {
      url: `/v1/domains/${domain}/limits`,
      change: { maxDailyEmails: 5, maxMonthlyEmails: null },
      action: 'domain.limits_changed',
      details: { domain: 'audited.test', changes: { max_daily_emails: fromTo(null, 5) } },
    },
    'PATCH /v1/domains/{id}/webhook': {
      url: `/v1/domains/${domain}/webhook`,
      change: { webhookUrl: 'https://93.184.216.34/inbound?token=1' },
      action: 'domain.webhook_changed',
      details: {
        domain: 'audited.test',
        changes: { webhook_url: fromTo(null, 'https://93.184.216.34/inbound') },
      },
    },
    'PATCH /v1/newsletters/{id}': {
      url: `/v1/newsletters/${newsletter}`,
      change: { name: 'After', track_opens: false, timezone: 'UTC' },
      action: 'newsletter.updated',
      details: { changes: { name: fromTo('Before', 'After'), track_opens: fromTo(true, false) } },
    },
    'PATCH /v1/newsletters/{id}/issues/{issueId}': {
      url: `/v1/newsletters/${newsletter}/issues/${issue}`,
      change: { subject: 'After', html_body: '<p>2</p>', preheader: null },
      action: 'updated',
      details: {
        fields: ['subject', 'html_body'],
        changes: { subject: fromTo('Before', 'After') },
        record_name: 'After',
      },
    },
    'PATCH /v1/lists/{id}': {
      url: `/v1/lists/${list}`,
      change: { name: 'After' },
      action: 'contact_list.updated',
      details: { name: 'After', changes: { name: fromTo('Before', 'After') } },
    },
    'PATCH /broadcasts/{id}': {
      url: `/broadcasts/${broadcast}`,
      change: { name: 'After', html: '<p>2</p>' },
      action: 'updated',
      details: { fields: ['name', 'html'], changes: { name: fromTo('Before', 'After') }, record_name: 'After' },
    },
    'PATCH /v1/segments/{id}': {
      url: `/v1/segments/${segment}`,
      change: { name: 'After' },
      action: 'contact_segment.updated',
      details: { name: 'After', changes: { name: fromTo('Before', 'After') } },
    },
    'PATCH /v1/templates/{id}': {
      url: `/v1/templates/${template}`,
      change: { name: 'After' },
      action: 'template.updated',
      details: { name: 'After', changes: { name: fromTo('Before', 'After') } },
    },
    'PATCH /v1/automations/{id}': {
      url: `/v1/automations/${automation}`,
      change: { name: 'After', reentry: 'every' },
      action: 'automation.updated',
      details: { name: 'After', version: 2, fields: ['reentry'], changes: { name: fromTo('Before', 'After') } },
    },
    'PATCH /scheduled/{id}': {
      url: `/scheduled/${scheduled}`,
      change: { subject: 'After' },
      action: 'updated',
      details: { fields: ['subject'], changes: { subject: fromTo('Before', 'After') } },
    },
    'PATCH /v1/webhooks/{id}': {
      url: `/v1/webhooks/${webhook}`,
      change: { url: 'https://93.184.216.34/b?token=2', enabled: true },
      action: 'webhook.updated',
      details: { changes: { url: fromTo('https://93.184.216.34/a', 'https://93.184.216.34/b') } },
    },
    'PATCH /v1/api-keys/{id}': {
      url: `/v1/api-keys/${key}`,
      change: { enabled: false, name: 'Before', expires_at: null },
      action: 'api_key.updated',
      details: { changes: { enabled: fromTo(true, false) } },
    },
  };
}

/** Not in the table, and why. */
const NOT_LOGGED = {
  'PATCH /api/v1/templates/{id}': 'a second path of PATCH /v1/templates/{id}',
  'PATCH /v1/broadcasts/{id}': 'a second path of PATCH /broadcasts/{id}',
  'PATCH /broadcasts/{id}/links': 'needs a broadcast that was sent; its test is beside it',
  'PATCH /v1/broadcasts/{id}/links': 'a second path of it',
  'PATCH /v1/newsletters/{id}/issues/{issueId}/links': 'needs an issue that was sent; its test is beside it',
  'PATCH /v1/scheduled/{id}': 'a second path of PATCH /scheduled/{id}',
  'PATCH /scheduled/{id}/reschedule': 'each move has an entry, also one to the same time',
  'PATCH /v1/scheduled/{id}/reschedule': 'a second path of it',
  'PATCH /api-keys/{id}': 'a second path of PATCH /v1/api-keys/{id}',
  'PATCH /v1/newsletters/{id}/subscribers/{subscriberId}': 'an entry would keep what erasing the person removes',
  'PATCH /v1/contacts/{id}': 'an entry would keep what erasing the person removes',
  'PATCH /auth/me': 'a name belongs to the person, not to a workspace; a password change is in the security log',
};

test('a change is logged with its fields before and after; a PATCH that changes nothing is not', async () => {
  const table = await changes();
  const all = Object.entries(api.document.paths).flatMap(([path, methods]) =>
    'patch' in methods ? [`PATCH ${path}`] : [],
  );
  assert.deepEqual([...Object.keys(table), ...Object.keys(NOT_LOGGED)].toSorted(), all.toSorted());
  for (const [name, { url, change, action, details, key }] of Object.entries(table)) {
    const patch = async (body: object): Promise<void> => {
      const answer = await api.request({ method: 'PATCH', url, body, ...(key === undefined ? {} : { key }) });
      assert.equal(answer.status, 200, `${name}: ${answer.text}`);
    };
    const target = `?target=${/[0-9a-f-]{36}(?!.*[0-9a-f-]{36})/.exec(url)?.[0]}`;
    const earlier = (await list(target)).data;
    // The only field of these is required.
    if (!/\/members\/|\/webhook$/.test(url)) await patch({ zebra: 1 });
    assert.deepEqual((await list(target)).data, earlier, `${name}: an ignored field`);
    await patch(change);
    const [entry, ...older] = (await list(target)).data;
    assert.deepEqual([entry?.action, entry?.details, older], [action, details, earlier], name);
    await patch(change);
    assert.deepEqual((await list(target)).data, [entry, ...older], `${name}: the same again`);
  }
});

test('200 with what was done to one record, from both logs, a page at a time', async () => {
  const [suppressed] = (await list('?action=suppression.added')).data;
  const { type, id } = suppressed?.target ?? {};
  const ofId = (await list(`?target=${id}`)).data;
  assert.deepEqual(
    ofId.map((one) => one.action),
    ['suppression.removed', 'suppression.added'],
  );
  assert.deepEqual((await list(`?target=${type}:${id}`)).data, ofId);
  assert.deepEqual((await list(`?target=webhook:${id}`)).data, []);
  assert.equal((await list(`?target=${id}`)).total, 2);
  const first = await list(`?target=${id}&limit=1`);
  assert.deepEqual([...first.data, ...(await list(`?target=${id}&limit=1&cursor=${first.next_cursor}`)).data], ofId);
  assert.deepEqual((await list(`?target=${newId()}`)).data, []);
});

test('200 for an API key that names the scope, 403 for one that does not', async () => {
  const aKey = async (scope: string): Promise<string> => {
    const made = await api.request({ url: '/v1/api-keys', body: { name: 'audit', scopes: [scope] } });
    return (made.body as { key: string }).key; // what creating answers
  };
  const named = await api.request({ url: '/audit?action=suppression.added', key: await aKey('audit:read') });
  assert.equal(named.status, 200);
  assert.deepEqual((named.body as List).data, (await list('?action=suppression.added')).data);
  assert.equal((await api.request({ url: '/audit', key: await aKey('logs:read') })).status, 403);
});

test('200 for a key that is limited to a newsletter or a domain, with what it did itself and no more', async () => {
  const newsletter = await aNewsletter(api.db, api.workspaceId);
  const domainId = await aPendingDomain(api.db, api.workspaceId, 'limited.test');
  for (const limit of [{ newsletter_ids: [newsletter.id] }, { domain_ids: [domainId] }]) {
    const made = await api.request({
      url: '/v1/api-keys',
      body: { name: 'Limited', scopes: ['audit:read', 'suppressions:write'], ...limit },
    });
    assert.equal(made.status, 201, made.text);
    const { id, key } = made.body as { id: string; key: string }; // what creating answers
    const read = async (query = ''): Promise<List> => (await api.request({ url: `/audit${query}`, key })).body as List;
    const nothing = await read();
    assert.deepEqual([nothing.data, nothing.total, nothing.has_more], [[], 0, false]);
    assert.deepEqual((await read('?action=api_key.created')).data, [], 'the security log is no way around');
    await api.request({ url: '/v1/suppressions', body: { email: `${id}@example.com` }, key });
    const own = await read();
    assert.deepEqual(
      own.data.map(({ action, actor }) => [action, actor.id]),
      [['suppression.added', id]],
    );
    assert.equal(own.total, 1);
    assert.deepEqual((await read(`?actor=${id}`)).data, own.data);
    assert.deepEqual((await read(`?actor=${TEST_ADMIN.email}`)).data, []);
    assert.deepEqual((await read('?actor=user')).data, []);
  }
});

test('401 without a key, 403 for who is no owner or admin, and 400 for a time or target that is none', async () => {
  assert.equal((await api.request({ url: '/audit', key: null })).status, 401);
  assert.equal((await api.request({ url: '/audit?since=yesterday', key: token })).status, 400);
  for (const target of ['', 'webhook', ':x', 'Webhook:x', '42', 'webhook:']) {
    const refused = await api.request({ url: `/audit?target=${target}`, key: token });
    assert.deepEqual([refused.status, (refused.body as { param: string }).param], [400, 'target'], target);
  }
  await sql`update members set role = 'developer' where workspace_id = ${api.workspaceId}`.execute(api.db);
  assert.equal((await api.request({ url: '/audit', key: token })).status, 403);
  await sql`update members set role = 'owner' where workspace_id = ${api.workspaceId}`.execute(api.db);
});

test('200 without the entries of another workspace', async () => {
  const other = newId();
  await sql`insert into workspaces (id, name, slug) values (${other}, 'Other', ${`w-${other}`})`.execute(api.db);
  await sql`insert into audit_entries (workspace_id, at, actor_type, action, target_type, target_id)
    values (${other}, now(), 'system', 'planted', 'thing', 'x')`.execute(api.db);
  assert.deepEqual((await list('?action=planted')).data, []);
  assert.deepEqual((await list('?target=thing:x')).data, []);
});

test('all pages of a filtered log are the whole log filtered, wherever a page stops looking', async () => {
  const workspaceId = await aWorkspace(api.db);
  const at = (n: number): Date => new Date(Date.UTC(2026, 10, 1, 0, 0, Math.floor(n / 3))); // three at one time
  for (let n = 0; n < 30; n += 1) {
    const [actor, action] = [`${'ab'[n % 2]}@example.com`, ['made', 'changed', 'removed'][Math.floor(n / 2) % 3]];
    const table = n % 5 === 0 ? sql`security_log (id,` : sql`audit_entries (`;
    const id = n % 5 === 0 ? sql`${newId()},` : sql``;
    await sql`insert into ${table} workspace_id, at, actor_type, actor_email, action, target_type, target_id)
      values (${id} ${workspaceId}, ${at(n)}, 'user', ${actor}, ${action}, 'thing', ${String(n % 4)})`.execute(api.db);
  }
  const none: DoneFilter = { onlyBy: null, actor: null, action: null, target: null, since: null, until: null };
  const page = (limit: number) => ({ limit, offset: 0, after: null, afterTime: null });
  const all = (await pageOfDone(api.db, workspaceId, none, page(100))).rows;
  assert.equal(all.length, 30);
  const walk = async (filter: DoneFilter, limit: number, lookedAtMax: number): Promise<string[]> => {
    const found: string[] = [];
    for (let place: { after: string | null; afterTime: string | null } | undefined = page(limit); ; ) {
      const { rows, goOnAfter, goOnTime } = await pageOfDone(
        api.db,
        workspaceId,
        filter,
        { ...page(limit), ...place },
        lookedAtMax,
      );
      found.push(...rows.slice(0, limit).map(({ id }) => id));
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      if (last === undefined && goOnAfter === null) return found;
      place =
        last === undefined ? { after: goOnAfter, afterTime: goOnTime } : { after: last.id, afterTime: last.atText };
    }
  };
  for (const filter of [
    { ...none, actor: 'A@example.com' },
    { ...none, action: 'removed' },
    { ...none, action: 'made', actor: 'b@example.com', target: { type: 'thing', id: '1' } },
    { ...none, action: 'nothing' },
    { ...none, actor: 'user', since: at(7), until: at(20) },
  ]) {
    const expected = all.filter(
      (row) =>
        (filter.actor === null || filter.actor === 'user' || row.actorEmail === filter.actor.toLowerCase()) &&
        (filter.action === null || row.action === filter.action) &&
        (filter.target === null || row.targetId === filter.target.id) &&
        (filter.since === null || (row.at >= filter.since && row.at < (filter.until ?? row.at))),
    );
    for (const [limit, lookedAtMax] of [
      [2, 1],
      [3, 2],
      [1, 7],
      [50, 4],
      [4, 100],
    ] as const) {
      assert.deepEqual(
        await walk(filter, limit, lookedAtMax),
        expected.map(({ id }) => id),
        JSON.stringify({ filter, limit, lookedAtMax }),
      );
    }
  }
  const second = { ...page(1), offset: 1 };
  await assert.rejects(pageOfDone(api.db, workspaceId, { ...none, action: 'made' }, second, 3), /continue with cursor/);
});
