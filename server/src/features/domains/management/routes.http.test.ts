import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp, type TestRequest } from '../../../../test/harness/app.ts';
import { aDomain, aWorkspace } from '../../../../test/harness/builders.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp({ env: { POSTHORN_SENDER_DOMAINS: 'house.example' } });
});
after(async () => {
  await app.close();
  assert.deepEqual(app.logged, []);
});

const call = async (request: TestRequest): Promise<{ status: number; body: any }> => app.request(request);
const add = (domain: unknown, more: object = {}) => call({ url: '/v1/domains', body: { domain, ...more } });
const added = async (domain: string): Promise<any> => {
  const { status, body } = await add(domain);
  assert.equal(status, 201, JSON.stringify(body));
  return body.data;
};
/** One that is not verified, without the time that a key takes. */
const stored = (domain: string): Promise<string> => aDomain(app.db, app.workspaceId, domain, { sendingEnabled: false });
const entriesOf = async (id: string): Promise<string[]> => {
  const { rows } = await sql<{ action: string }>`
    select action from security_log where workspace_id = ${app.workspaceId} and target_id = ${id} order by at`.execute(
    app.db,
  );
  return rows.map(({ action }) => action);
};

test('201 with the domain and the records to publish, of which the key is RSA of 2048 bits', async () => {
  const { status, body } = await add('acme.example', { region: 'eu-north-1' });
  assert.equal(status, 201);
  assert.equal(body.success, true);
  assert.equal(typeof body.message, 'string');
  assert.partialDeepStrictEqual(body.data, {
    domain: 'acme.example',
    provider_region: 'eu-north-1',
    dkim_status: 'pending',
    sending_enabled: false,
    receiving_enabled: false,
    bimi_enabled: false,
    webhook_url: null,
    dkim_selector: 'posthorn1',
    max_daily_emails: null,
    max_monthly_emails: null,
    verified_at: null,
    last_checked_at: null,
    failure_reason: null,
    tracking: { opens: false, clicks: false },
  });
  const [dkim, spf, mx, dmarc] = body.data.dns_records;
  assert.partialDeepStrictEqual(dkim, {
    type: 'TXT',
    name: 'posthorn1._domainkey.acme.example',
    host: 'posthorn1._domainkey',
    purpose: 'dkim',
    status: 'pending',
    found_value: null,
    required: true,
    priority: null,
  });
  const publicKey = /^v=DKIM1; k=rsa; p=([A-Za-z0-9+/]+=*)$/.exec(dkim.value)?.[1] ?? '';
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  assert.equal(key.asymmetricKeyDetails?.modulusLength, 2048);
  assert.equal(dkim.strings.join(''), dkim.value);
  assert.ok(dkim.strings.every((one: string) => one.length <= 255));
  assert.partialDeepStrictEqual(spf, {
    type: 'TXT',
    name: 'acme.example',
    host: '@',
    purpose: 'spf',
    value: 'v=spf1 include:amazonses.com ~all',
    required: true,
  });
  assert.partialDeepStrictEqual(mx, {
    type: 'MX',
    name: 'acme.example',
    purpose: 'mx',
    value: '10 feedback-smtp.eu-north-1.amazonses.com',
    priority: 10,
    required: false,
  });
  assert.partialDeepStrictEqual(dmarc, { type: 'TXT', name: '_dmarc.acme.example', purpose: 'dmarc', required: false });
  assert.deepEqual(await entriesOf(body.data.id), ['domain.created']);
});

test('200 with all domains in a list, newest first, and with one of them', async () => {
  const domain = await added('listed.example');
  const list = await call({ url: '/v1/domains' });
  assert.equal(list.status, 200);
  assert.equal(list.body.success, true);
  assert.deepEqual(list.body.data[0], {
    id: domain.id,
    domain: 'listed.example',
    provider_region: 'us-east-1',
    dkim_status: 'pending',
    sending_enabled: false,
    receiving_enabled: false,
    created_at: domain.created_at,
    last_checked_at: null,
    max_daily_emails: null,
    max_monthly_emails: null,
  });
  const one = await call({ url: `/v1/domains/${domain.id}` });
  assert.deepEqual(one.body.data, domain);
});

test('200 with the records as a zone file, as plain text', async () => {
  const domain = await added('zone.example');
  const { status, headers, text } = await app.request({ url: `/v1/domains/${domain.id}/zone-file` });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(headers['content-disposition'], 'attachment; filename="zone.example.zone"');
  const strings = domain.dns_records[0].strings.map((one: string) => `"${one}"`).join(' ');
  assert.ok(text.includes(`posthorn1._domainkey.zone.example. 3600 IN TXT ${strings}\n`), text);
});

test('400 for what is no domain and 422 for a public suffix, with param domain', async () => {
  for (const [given, status] of [
    ['co.uk', 422],
    ['https://acme.example/', 400],
    [null, 400],
    [['acme.example'], 400],
  ]) {
    const { status: answered, body } = await add(given);
    assert.deepEqual([answered, body.name, body.param], [status, 'validation_error', 'domain'], body.message);
  }
});

test('400 with param region for a region that there is not', async () => {
  for (const region of ['eu-west-1', 'us-east-1 ', '', 1, null]) {
    const { status, body } = await add('region.example', { region });
    assert.deepEqual([status, body.param], [400, 'region'], String(region));
  }
});

test('400 with every fault at once: a name that is none beside a region that there is not', async () => {
  const { status, body } = await add('https://acme.example/', { region: 'eu-west-1' });
  assert.deepEqual([status, body.details.map((fault: string) => fault.split(' ')[0])], [400, ['region', 'domain']]);
});

test('409 with param domain for a domain that the workspace has already, in any spelling', async () => {
  await stored('twice.example');
  for (const domain of ['twice.example', 'TWICE.example.']) {
    const { status, body } = await add(domain);
    assert.deepEqual([status, body.name, body.param], [409, 'conflict_error', 'domain']);
  }
});

test('409 with a hint for a domain that another workspace has verified; one that is not verified there may be added', async () => {
  const other = await aWorkspace(app.db);
  const id = await aDomain(app.db, other, 'theirs.example');
  await sql`insert into verified_domains (domain, workspace_id, domain_id)
    values ('theirs.example', ${other}, ${id})`.execute(app.db);
  const { status, body } = await add('theirs.example');
  assert.deepEqual([status, body.param], [409, 'domain']);
  assert.match(body.message, /claim/);
  await aDomain(app.db, other, 'both.example', { sendingEnabled: false });
  assert.equal((await add('both.example')).status, 201);
});

test('one of five parallel requests for one domain is 201, the others are 409', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => add('race.example')));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, 409, 409, 409, 409]);
});

test('a stored private key is encrypted, and opens to the key of the record', async () => {
  const { id, dns_records: records } = await added('sealed.example');
  const { rows } = await sql<{ sealed: Buffer }>`
    select dkim_private_key as sealed from domains where workspace_id = ${app.workspaceId} and id = ${id}`.execute(
    app.db,
  );
  const sealed = rows[0]?.sealed ?? Buffer.alloc(0);
  const read = (key: Buffer) => createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
  assert.throws(() => read(sealed));
  const shown = read(app.secrets.open('dkim private key', sealed));
  assert.ok(records[0].value.includes(shown.export({ format: 'der', type: 'spki' }).toString('base64')));
});

test('a deleted domain is gone with its rows, and added again it has another key', async () => {
  const first = await added('again.example');
  const { status, body } = await call({ method: 'DELETE', url: `/v1/domains/${first.id}` });
  assert.deepEqual([status, body], [200, { success: true, message: 'The domain was deleted.' }]);
  assert.equal((await call({ url: `/v1/domains/${first.id}` })).status, 404);
  assert.equal((await call({ method: 'DELETE', url: `/v1/domains/${first.id}` })).status, 404);
  const { rows } = await sql`
    select from domain_watches where workspace_id = ${app.workspaceId} and domain_id = ${first.id}`.execute(app.db);
  assert.equal(rows.length, 0);
  const second = await added('again.example');
  assert.notEqual(second.dns_records[0].value, first.dns_records[0].value);
  assert.deepEqual(await entriesOf(first.id), ['domain.created', 'domain.deleted']);
});

test('409 for the deletion of the domain that the installation sends its own mail from', async () => {
  const { body } = await call({ url: '/v1/domains' });
  const { id } = body.data.find(({ domain }: { domain: string }) => domain === 'posthorn.test');
  assert.equal((await call({ method: 'DELETE', url: `/v1/domains/${id}` })).status, 409);
});

test('422 from a domain that is not verified, and from one that was deleted a moment ago', async () => {
  const id = await stored('unverified.example');
  const send = () =>
    call({
      url: '/v1/send',
      body: { from: 'a@unverified.example', to: 'ada@example.com', subject: 'Hello', text: 'Hello' },
    });
  assert.deepEqual([(await send()).status, (await send()).body.param], [422, 'from']);
  await sql`update domains set sending_enabled = true where workspace_id = ${app.workspaceId} and id = ${id}`.execute(
    app.db,
  );
  await call({ method: 'PATCH', url: `/v1/domains/${id}/limits`, body: { maxDailyEmails: 9 } });
  assert.equal((await send()).status, 202);
  await call({ method: 'DELETE', url: `/v1/domains/${id}` });
  assert.deepEqual([(await send()).status, (await send()).body.param], [422, 'from']);
});

test('404 for an id that is none, and for a domain of another workspace', async () => {
  const other = await aDomain(app.db, await aWorkspace(app.db), 'foreign.example');
  for (const id of [newId(), other, 'x']) {
    assert.equal((await call({ url: `/v1/domains/${id}` })).status, 404);
    assert.equal((await call({ method: 'DELETE', url: `/v1/domains/${id}` })).status, 404);
    assert.equal((await call({ method: 'PATCH', url: `/v1/domains/${id}/limits`, body: {} })).status, 404);
  }
});

test('a key that is limited to a domain sees and changes that alone, and adds none', async () => {
  const [own, other] = [{ id: await stored('own.example') }, { id: await stored('other.example') }];
  const { body } = await call({
    url: '/v1/api-keys',
    body: { name: 'limited', scopes: ['domains:write'], domain_ids: [own.id] },
  });
  const { key } = body;
  const list = await call({ url: '/v1/domains', key });
  assert.deepEqual(
    list.body.data.map(({ domain }: { domain: string }) => domain),
    ['own.example'],
  );
  assert.equal((await call({ url: `/v1/domains/${own.id}`, key })).status, 200);
  assert.equal((await call({ url: `/v1/domains/${other.id}`, key })).status, 403);
  assert.equal((await call({ method: 'DELETE', url: `/v1/domains/${other.id}`, key })).status, 403);
  assert.equal((await call({ url: '/v1/domains', body: { domain: 'more.example' }, key })).status, 403);
});

test('limits: what is left out stays, null is unlimited, and the answer has the four fields', async () => {
  const id = await stored('limits.example');
  const change = (body: object) => call({ method: 'PATCH', url: `/v1/domains/${id}/limits`, body });
  const limits = { id, domain: 'limits.example', max_daily_emails: 5, max_monthly_emails: 0 };
  assert.deepEqual((await change({ maxDailyEmails: 5, maxMonthlyEmails: 0 })).body.data, limits);
  assert.deepEqual((await change({})).body.data, limits);
  assert.deepEqual((await change({ max_monthly_emails: null })).body.data, { ...limits, max_monthly_emails: null });
  const { body } = await call({ url: `/v1/domains/${id}` });
  assert.deepEqual([body.data.max_daily_emails, body.data.max_monthly_emails], [5, null]);
  assert.deepEqual(await entriesOf(id), ['domain.limits_changed', 'domain.limits_changed']);
});

test('the ETag of a domain is that of its settings: usage and checks leave it, a change of a limit makes it old', async () => {
  const id = await stored('etag.example');
  const etag = async (): Promise<string> => String((await app.request({ url: `/v1/domains/${id}` })).headers['etag']);
  const change = (limit: number, tag: string) =>
    call({
      method: 'PATCH',
      url: `/v1/domains/${id}/limits`,
      body: { maxDailyEmails: limit },
      headers: { 'if-match': tag },
    });
  const first = await etag();
  await sql`update domain_watches set last_checked_at = now()
    where workspace_id = ${app.workspaceId} and domain_id = ${id}`.execute(app.db);
  assert.equal((await change(5, first)).status, 200);
  assert.equal((await change(6, first)).status, 409);
  const removed = (tag: string) => call({ method: 'DELETE', url: `/v1/domains/${id}`, headers: { 'if-match': tag } });
  assert.equal((await removed(first)).status, 409);
  const { body } = await call({ url: `/v1/domains/${id}` });
  assert.equal(body.data.max_daily_emails, 5);
  assert.equal((await removed(await etag())).status, 200);
});

test('400 with the field for a limit that is no whole number from 0 or null', async () => {
  const id = await stored('bad-limits.example');
  for (const value of [-1, 1.5, '5', true, [], 3_000_000_000, {}]) {
    for (const param of ['maxDailyEmails', 'maxMonthlyEmails']) {
      const { status, body } = await call({
        method: 'PATCH',
        url: `/v1/domains/${id}/limits`,
        body: { [param]: value },
      });
      assert.deepEqual([status, body.param], [400, param], JSON.stringify(value));
    }
  }
});

test('403 in the self-hosted edition for every route of domains, whatever the request says', async (t) => {
  const hosted = await createTestApp({ env: { POSTHORN_EDITION: 'self-hosted' } });
  t.after(() => hosted.close());
  const paths = Object.entries(hosted.document.paths).filter(([path]) => path.startsWith('/v1/domains'));
  assert.ok(paths.length >= 3);
  for (const [path, methods] of paths) {
    for (const method of Object.keys(methods)) {
      const { status, body } = (await hosted.request({
        method: method.toUpperCase(),
        url: path.replace('{id}', 'x'),
        ...(method === 'get' || method === 'delete' ? {} : { body: { domain: 5 } }),
      })) as { status: number; body: any };
      assert.deepEqual([status, body.name], [403, 'permission_error'], `${method} ${path}`);
      assert.match(body.message, /cloud edition only/);
    }
  }
});
