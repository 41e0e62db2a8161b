import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp, type TestRequest } from '../../../../test/harness/app.ts';
import { aPendingDomain, aWorkspace } from '../../../../test/harness/builders.ts';
import { isKnotThere, type Knot, needsKnot, startKnot } from '../../../../test/harness/knot.ts';
import { systemClock } from '#platform/clock.ts';
import { createLookUp } from '#platform/dns/lookup.ts';
import { createLog } from '#platform/log.ts';
import { createAddressRules } from '#platform/safe-fetch/address-rules.ts';
import type { SystemMail } from '#features/workspaces';
import { type CheckPorts, checkDomain } from './check-domain.ts';
import { checkDueDomains } from './check-service.ts';

let app: TestApp;
let knot: Knot;
let second: Knot;
const mails: SystemMail[] = [];
let ports: CheckPorts;
before(async () => {
  if (!isKnotThere()) return;
  [knot, second] = await Promise.all([startKnot(), startKnot()]);
  app = await createTestApp({ env: { POSTHORN_DNS_SERVERS: `${knot.server},${second.server}` } });
  const { db, settings, secrets } = app;
  const servers = [knot, second];
  ports = {
    db,
    settings,
    secrets,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    sendSystemMail: async (_ctx, mail) => void mails.push(mail),
    identities: null,
    findNameServers: async () => null,
    lookUp: () => createLookUp({ servers, rules: createAddressRules([]), clock: systemClock, timeoutMs: 500 }),
  };
});
after(async () => {
  await app?.close();
  await Promise.all([knot?.stop(), second?.stop()]);
  assert.deepEqual(app?.logged ?? [], []);
});

const call = async (request: TestRequest): Promise<{ status: number; body: any }> => app.request(request);
const create = async (domain: string): Promise<any> => (await call({ url: '/v1/domains', body: { domain } })).body.data;
const add = async (domain: string): Promise<any> => read(await aPendingDomain(app.db, app.workspaceId, domain));
const read = async (id: string): Promise<any> => (await call({ url: `/v1/domains/${id}` })).body.data;
/** A check, however long ago the last one was. */
async function verify(id: string): Promise<any> {
  await sql`update domain_watches set begun_at = null where workspace_id = ${app.workspaceId} and domain_id = ${id}`.execute(
    app.db,
  );
  const { status, body } = await call({ method: 'POST', url: `/v1/domains/${id}/verify` });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
async function publish(records: { type: string; name: string; value: string; required: boolean }[]): Promise<void> {
  for (const { name, value } of records.filter(({ required }) => required)) {
    for (const server of [knot, second]) await server.setText(name, [value]);
  }
}
const statusOf = (domain: any, purpose: string): string =>
  domain.dns_records.find((record: any) => record.purpose === purpose).status;
const eventsOf = async (id: string): Promise<string[]> => {
  const { rows } = await sql<{ type: string }>`
    select type from workspace_events
     where workspace_id = ${app.workspaceId} and payload #>> '{domain,id}' = ${id} order by id`.execute(app.db);
  return rows.map(({ type }) => type);
};
const here = needsKnot;

test('200 failed while the records are missing, then verified, and mail can be sent', async (t) => {
  if (!here(t)) return;
  const domain = await create('good.test');
  const missing = await verify(domain.id);
  assert.partialDeepStrictEqual(missing, {
    success: true,
    data: { id: domain.id, dkim_status: 'failed', sending_enabled: false },
  });
  assert.match(missing.data.failure_reason, /no TXT record at posthorn1\._domainkey\.good\.test/);
  assert.equal(statusOf(await read(domain.id), 'dkim'), 'missing');
  await publish(domain.dns_records);
  const { data } = await verify(domain.id);
  assert.partialDeepStrictEqual(data, { dkim_status: 'verified', sending_enabled: true, failure_reason: null });
  const verified = await read(domain.id);
  assert.ok(verified.verified_at && verified.last_checked_at);
  const listed = (await call({ url: '/v1/domains' })).body.data.find(({ id }: any) => id === domain.id);
  assert.equal(listed.last_checked_at, verified.last_checked_at);
  assert.deepEqual(
    verified.dns_records.map(({ purpose, status }: any) => [purpose, status]),
    [
      ['dkim', 'found'],
      ['spf', 'found'],
      ['mx', 'missing'],
      ['dmarc', 'missing'],
    ],
  );
  assert.equal(verified.dns_records[0].found_value, domain.dns_records[0].value);
  const sent = await call({
    url: '/v1/send',
    body: { from: 'a@good.test', to: 'ada@example.com', subject: 'Hello', text: 'Hello' },
  });
  assert.equal(sent.status, 202);
  assert.deepEqual(await eventsOf(domain.id), ['domain.failed', 'domain.verified']);
  const { rows } = await sql<{ action: string; actor: string }>`
    select action, actor_type as actor from security_log
     where workspace_id = ${app.workspaceId} and target_id = ${domain.id} order by at`.execute(app.db);
  assert.deepEqual(rows, [
    { action: 'domain.created', actor: 'api_key' },
    { action: 'domain.failed', actor: 'api_key' },
    { action: 'domain.verified', actor: 'api_key' },
  ]);
});

test('the zone file is read by Knot, and the domain is verified from what Knot made of it', async (t) => {
  if (!here(t)) return;
  const domain = await create('zoned.test');
  const { text } = await app.request({ url: `/v1/domains/${domain.id}/zone-file` });
  const own = 'zoned.test. 3600 IN SOA ns1.test. admin.test. 1 3600 600 86400 60\nzoned.test. 3600 IN NS ns1.test.\n';
  const zones = await Promise.all(
    [knot, second].map(() => startKnot({ zone: 'zoned.test', records: text, head: own })),
  );
  try {
    const from: CheckPorts = {
      ...ports,
      lookUp: () => createLookUp({ servers: zones, rules: createAddressRules([]), clock: systemClock }),
    };
    const checked = await checkDomain(from, { workspaceId: app.workspaceId, id: domain.id }, null);
    assert.equal(checked?.dkimStatus, 'verified', checked?.failureReason ?? '');
    assert.equal(statusOf(await read(domain.id), 'dmarc'), 'found');
    assert.equal(statusOf(await read(domain.id), 'mx'), 'missing', 'it is a comment');
  } finally {
    await Promise.all(zones.map((zone) => zone.stop()));
  }
});

test('each check is kept with every server that was asked, its answer and the TTL', async (t) => {
  if (!here(t)) return;
  const domain = await add('evidence.test');
  await publish(domain.dns_records.slice(0, 1));
  await verify(domain.id);
  await verify(domain.id);
  const { status, body } = await call({ url: `/v1/domains/${domain.id}/checks?limit=1` });
  assert.equal(status, 200);
  assert.deepEqual([body.success, body.data.length, body.total, body.has_more], [true, 1, 2, true]);
  const [check] = body.data;
  assert.deepEqual([check.requested, check.outcome], [true, 'failed']);
  assert.deepEqual(check.records[0], {
    key: 'dkim posthorn1',
    status: 'found',
    found: [domain.dns_records[0].value],
    hint: null,
  });
  const lookup = check.lookups.find(({ name }: any) => name === 'posthorn1._domainkey.evidence.test');
  assert.deepEqual(
    lookup.answers,
    [knot, second].map(({ server }) => ({ server, values: [domain.dns_records[0].value], ttl: 300, error: null })),
  );
  const next = await call({ url: `/v1/domains/${domain.id}/checks?limit=1&cursor=${body.next_cursor}` });
  assert.equal(next.body.has_more, false);
  assert.notEqual(next.body.data[0].id, check.id);
});

test('a check is not repeated within ten seconds: the last result is the answer, and nobody is asked', async (t) => {
  if (!here(t)) return;
  const domain = await add('often.test');
  await verify(domain.id);
  await publish(domain.dns_records);
  const again = await Promise.all(
    [1, 2, 3].map(() => call({ method: 'POST', url: `/v1/domains/${domain.id}/verify` })),
  );
  for (const { status, body } of again) {
    assert.deepEqual([status, body.data.dkim_status], [200, 'failed']);
    assert.match(body.message, /ten seconds/);
  }
  assert.equal((await call({ url: `/v1/domains/${domain.id}/checks` })).body.total, 1);
});

test('an SPF record of another sender is merged, two are a failure with the one to publish', async (t) => {
  if (!here(t)) return;
  const domain = await add('merged.test');
  await publish(domain.dns_records);
  for (const server of [knot, second]) {
    await server.setText('merged.test', ['v=spf1 include:a.example -all', 'v=spf1 include:b.example ~all']);
  }
  assert.equal((await verify(domain.id)).data.dkim_status, 'failed');
  const [, spf] = (await read(domain.id)).dns_records;
  assert.deepEqual(
    [spf.status, spf.value],
    ['duplicate', 'v=spf1 include:a.example include:b.example include:amazonses.com -all'],
  );
  for (const server of [knot, second]) await server.setText('merged.test', [spf.value]);
  assert.equal((await verify(domain.id)).data.dkim_status, 'verified');
});

test('a record under the domain twice is found there, and told', async (t) => {
  if (!here(t)) return;
  const domain = await add('wrong.test');
  for (const server of [knot, second]) {
    await server.setText('posthorn1._domainkey.wrong.test.wrong.test', [domain.dns_records[0].value]);
  }
  const { data } = await verify(domain.id);
  assert.match(data.failure_reason, /posthorn1\._domainkey\.wrong\.test\.wrong\.test/);
});

test('servers that do not agree are a temporary failure, which stops no domain that sends', async (t) => {
  if (!here(t)) return;
  const domain = await add('lagging.test');
  await publish(domain.dns_records);
  await second.set('posthorn1._domainkey.lagging.test', 'TXT', []);
  const { data } = await verify(domain.id);
  assert.deepEqual([data.dkim_status, data.sending_enabled], ['temporary_failure', false]);
  assert.match(data.failure_reason, /different answers/);
  assert.equal(statusOf(await read(domain.id), 'dkim'), 'temporary_failure');
  await publish(domain.dns_records);
  await verify(domain.id);
  await second.set('posthorn1._domainkey.lagging.test', 'TXT', []);
  const later = await verify(domain.id);
  assert.deepEqual([later.data.dkim_status, later.data.sending_enabled], ['verified', true]);
  assert.match(later.message, /still sends, but its last check failed.*different answers/);
});

/** As of so long ago. */
const failingSince = (id: string, hours: number, checks: number) =>
  sql`update domain_watches set failed_checks = ${checks}, failing_since = now() - make_interval(hours => ${hours})
    where workspace_id = ${app.workspaceId} and domain_id = ${id}`.execute(app.db);

test('a domain whose record is gone sends on, stops at the third failed check after 24 hours, and tells its owners', async (t) => {
  if (!here(t)) return;
  const domain = await add('lost.test');
  await publish(domain.dns_records);
  await verify(domain.id);
  for (const server of [knot, second]) await server.set('posthorn1._domainkey.lost.test', 'TXT', []);
  mails.length = 0;
  const key = { workspaceId: app.workspaceId, id: domain.id };
  await failingSince(domain.id, 23, 2);
  assert.equal((await checkDomain(ports, key, null))?.sendingEnabled, true);
  await failingSince(domain.id, 24, 2);
  const lost = await checkDomain(ports, key, null);
  assert.deepEqual([lost?.dkimStatus, lost?.sendingEnabled], ['failed', false]);
  assert.match(mails[0]?.subject ?? '', /lost\.test can no longer send/);
  assert.deepEqual(await eventsOf(domain.id), ['domain.verified', 'domain.failed']);
  await publish(domain.dns_records);
  assert.equal((await checkDomain(ports, key, null))?.sendingEnabled, true);
  assert.match(mails[1]?.subject ?? '', /lost\.test is verified/);
});

test('mail that cannot be queued does not keep the state of a domain from being stored', async (t) => {
  if (!here(t)) return;
  const domain = await add('unmailed.test');
  await publish(domain.dns_records);
  const failing: CheckPorts = {
    ...ports,
    sendSystemMail: async () => {
      throw new Error('the home workspace cannot send');
    },
  };
  const checked = await checkDomain(failing, { workspaceId: app.workspaceId, id: domain.id }, null);
  assert.equal(checked?.dkimStatus, 'verified');
  assert.equal((await call({ url: `/v1/domains/${domain.id}/checks` })).body.total, 1);
});

/** The same domain with the same key in another workspace, as if both could publish. */
async function copyToAnother(id: string): Promise<{ workspaceId: string; id: string }> {
  const workspaceId = await aWorkspace(app.db);
  await sql`insert into domains (workspace_id, id, domain, dkim_selector, dkim_private_key, dkim_public_key)
    select ${workspaceId}, d.id, d.domain, d.dkim_selector, d.dkim_private_key, d.dkim_public_key
      from domains d where d.workspace_id = ${app.workspaceId} and d.id = ${id}`.execute(app.db);
  await sql`insert into domain_watches (workspace_id, domain_id, watch_until, next_check_at)
    values (${workspaceId}, ${id}, now() + interval '1 day', now() + interval '1 hour')`.execute(app.db);
  return { workspaceId, id };
}

test('of two workspaces whose checks race, one is verified and the other failed with the reason', async (t) => {
  if (!here(t)) return;
  const domain = await add('raced.test');
  await publish(domain.dns_records);
  const both = [{ workspaceId: app.workspaceId, id: domain.id }, await copyToAnother(domain.id)];
  const checked = await Promise.all(both.map((key) => checkDomain(ports, key, { actor: systemActor, ip: null })));
  assert.deepEqual(checked.map((one) => one?.dkimStatus).sort(), ['failed', 'verified']);
  const loser = checked.find((one) => one?.dkimStatus === 'failed');
  assert.match(loser?.failureReason ?? '', /another workspace/);
});
const systemActor = { type: 'system', id: null, email: null } as const;

test('the others with the name are checked at once when one is verified, and the name is free when that is deleted', async (t) => {
  if (!here(t)) return;
  const domain = await add('claimed.test');
  await publish(domain.dns_records);
  const other = await copyToAnother(domain.id);
  await verify(domain.id);
  while ((await checkDueDomains(ports)) > 0);
  const stateOf = async (): Promise<{ status: string; reason: string | null } | undefined> => {
    const { rows } = await sql<{ status: string; reason: string | null }>`
      select d.dkim_status as status, w.failure_reason as reason
        from domains d join domain_watches w on w.workspace_id = d.workspace_id and w.domain_id = d.id
       where d.workspace_id = ${other.workspaceId}`.execute(app.db);
    return rows[0];
  };
  assert.match((await stateOf())?.reason ?? '', /verified in another workspace/);
  await call({ method: 'DELETE', url: `/v1/domains/${domain.id}` });
  await checkDomain(ports, other, null);
  assert.equal((await stateOf())?.status, 'verified');
});

test('a check that is due is made once, whoever asks at the same time, and no other is made', async (t) => {
  if (!here(t)) return;
  const [due, later] = [await add('due.test'), await add('later.test')];
  await sql`update domain_watches set next_check_at = now() + interval '1 day' where workspace_id is not null`.execute(
    app.db,
  );
  await sql`update domain_watches set next_check_at = now()
    where workspace_id = ${app.workspaceId} and domain_id = ${due.id}`.execute(app.db);
  const found = await Promise.all([1, 2, 3].map(() => checkDueDomains(ports)));
  assert.equal(
    found.reduce((sum, one) => sum + one, 0),
    1,
  );
  assert.equal((await read(due.id)).dkim_status, 'pending');
  assert.equal((await call({ url: `/v1/domains/${due.id}/checks` })).body.total, 1);
  assert.equal((await call({ url: `/v1/domains/${later.id}/checks` })).body.total, 0);
});

test('of one workspace five checks are taken at a time, so that its name servers delay nobody else', async (t) => {
  if (!here(t)) return;
  await sql`update domain_watches set next_check_at = null where workspace_id is not null`.execute(app.db);
  const crowd = await aWorkspace(app.db);
  await sql`insert into domains (workspace_id, id, domain, dkim_selector)
    select ${crowd}, ph_uuidv7(), 'crowd' || n || '.test', 's' from generate_series(1, 12) n`.execute(app.db);
  await sql`insert into domain_watches (workspace_id, domain_id, watch_until, next_check_at)
    select d.workspace_id, d.id, now() + interval '1 day', now() - interval '1 hour'
      from domains d where d.workspace_id = ${crowd}`.execute(app.db);
  assert.equal(await checkDueDomains(ports), 5);
});

test('evidence that is older than 30 days goes with the next check', async (t) => {
  if (!here(t)) return;
  const domain = await add('old.test');
  await verify(domain.id);
  await sql`update domain_checks set at = now() - interval '31 days'
    where workspace_id = ${app.workspaceId} and domain_id = ${domain.id}`.execute(app.db);
  await verify(domain.id);
  assert.equal((await call({ url: `/v1/domains/${domain.id}/checks` })).body.total, 1);
});

test('the domain of the installation is verified without a look at the DNS', async (t) => {
  if (!here(t)) return;
  const { body } = await call({ url: '/v1/domains' });
  const { id } = body.data.find(({ domain }: any) => domain === 'posthorn.test');
  const verified = await call({ method: 'POST', url: `/v1/domains/${id}/verify` });
  assert.deepEqual([verified.status, verified.body.data.dkim_status], [200, 'verified']);
  assert.equal((await call({ url: `/v1/domains/${id}/checks` })).body.total, 0);
});

test('no transaction is open while the DNS is asked', async (t) => {
  if (!here(t)) return;
  const domain = await add('held.test');
  let open = -1;
  const watching: CheckPorts = {
    ...ports,
    lookUp: () => async (name, type) => {
      const { rows } = await sql<{ open: number }>`
        select count(*)::int as open from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`.execute(app.db);
      open = Math.max(open, rows[0]?.open ?? 0);
      return { name, type, values: [], reason: null, answers: [] };
    },
  };
  await checkDomain(watching, { workspaceId: app.workspaceId, id: domain.id }, null);
  assert.equal(open, 0);
});
