import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createTestApp, type TestApp, type TestRequest } from '../../../../test/harness/app.ts';
import { aPendingDomain } from '../../../../test/harness/builders.ts';
import { createSigning } from '../dkim-key.ts';
import { checkDomain, type CheckPorts } from './check-domain.ts';

let app: TestApp;
let ports: CheckPorts;
/** The DNS, by name; null: its servers do not agree. */
const zone = new Map<string, string | null>();
before(async () => {
  app = await createTestApp();
  const { db, settings, secrets } = app;
  ports = {
    db,
    settings,
    secrets,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    sendSystemMail: async () => undefined,
    identities: null,
    findNameServers: async () => null,
    lookUp: () => async (name, type) => {
      const value = zone.get(name);
      return { name, type, values: value === null ? null : [value ?? []].flat(), reason: 'no agreement', answers: [] };
    },
  };
});
beforeEach(() => zone.clear());
after(async () => {
  await app.close();
  assert.deepEqual(app.logged, []);
});

const call = async (request: TestRequest): Promise<{ status: number; body: any }> => app.request(request);
const read = async (id: string): Promise<any> => (await call({ url: `/v1/domains/${id}` })).body.data;
const rotate = (id: string) => call({ method: 'POST', url: `/v1/domains/${id}/rotate-dkim` });
const check = (id: string) => checkDomain(ports, { workspaceId: app.workspaceId, id }, null);
const keysOf = (domain: any): unknown[] =>
  domain.dns_records.flatMap(({ dkim_key: key, name }: any) => (key === null ? [] : [[key, name.split('.')[0]]]));
const publish = (domain: any): void => {
  for (const { name, value, type } of domain.dns_records) if (type === 'TXT') zone.set(name, value);
};
/** Mail is signed with this selector from now on: in a process that has no key in hand. */
const signsWith = async (domain: string): Promise<string | undefined> =>
  (await createSigning({ ...app, serviceSigns: false }).loadDkimKey(app.workspaceId, domain))?.selector;
async function verified(domain: string): Promise<any> {
  const { body } = await call({ url: '/v1/domains', body: { domain } });
  publish(body.data);
  await check(body.data.id);
  const now = await read(body.data.id);
  assert.equal(now.dkim_status, 'verified');
  return now;
}
const minutesToCheck = async (id: string): Promise<number> => {
  const { rows } = await sql<{ minutes: number }>`
    select extract(epoch from next_check_at - now())::float8 / 60 as minutes from domain_watches
     where workspace_id = ${app.workspaceId} and domain_id = ${id}`.execute(app.db);
  return Math.round(rows[0]?.minutes ?? -1);
};

test('200 with a next key beside the current one, which signs until the record of the next is seen everywhere', async () => {
  const domain = await verified('rotated.example');
  const { status, body } = await rotate(domain.id);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(keysOf(body.data), [
    ['current', 'posthorn1'],
    ['next', 'posthorn2'],
  ]);
  assert.notEqual(body.data.dns_records[0].value, body.data.dns_records[1].value);
  assert.equal(await minutesToCheck(domain.id), 1);
  await check(domain.id);
  assert.equal(await minutesToCheck(domain.id), 15, 'it is looked for as often as the records of a new domain');
  zone.set('posthorn2._domainkey.rotated.example', null);
  await check(domain.id);
  assert.equal(await signsWith('rotated.example'), 'posthorn1', 'the servers do not agree');

  publish(await read(domain.id));
  await check(domain.id);
  const rotated = await read(domain.id);
  assert.partialDeepStrictEqual(rotated, {
    dkim_selector: 'posthorn2',
    dkim_status: 'verified',
    sending_enabled: true,
  });
  assert.deepEqual(keysOf(rotated), [
    ['current', 'posthorn2'],
    ['former', 'posthorn1'],
  ]);
  assert.equal(await signsWith('rotated.example'), 'posthorn2');
  const days = (Date.parse(rotated.dns_records[1].needed_until) - Date.now()) / 86_400_000;
  assert.ok(Math.abs(days - 7) < 0.01, String(days));
  assert.equal(rotated.dns_records[1].required, false);
  const { rows } = await sql<{ action: string; details: any }>`
    select action, details from security_log
     where workspace_id = ${app.workspaceId} and target_id = ${domain.id} order by at desc limit 2`.execute(app.db);
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['domain.dkim_rotated', 'domain.dkim_rotation_begun'],
  );
});

test('the former key is retired after seven days, and not before; then the next rotation may begin', async () => {
  const domain = await verified('retired.example');
  await rotate(domain.id);
  publish(await read(domain.id));
  await check(domain.id);
  const passDays = (days: number) =>
    sql`
    update domain_dkim_keys set until = until - make_interval(days => ${days})
     where workspace_id = ${app.workspaceId} and domain_id = ${domain.id}`.execute(app.db);
  await passDays(6);
  await check(domain.id);
  assert.equal(keysOf(await read(domain.id)).length, 2);
  assert.equal((await rotate(domain.id)).status, 409);
  await passDays(1);
  assert.deepEqual(keysOf(await read(domain.id)), [['current', 'posthorn2']]);
  await check(domain.id);
  const again = await rotate(domain.id);
  assert.equal(again.status, 200, JSON.stringify(again.body));
  assert.deepEqual(keysOf(again.body.data).at(-1), ['next', 'posthorn3']);
});

test('a record of the next key in the place of the current one is a rotation too, and stops nothing', async () => {
  const domain = await verified('replaced.example');
  await rotate(domain.id);
  publish(await read(domain.id));
  zone.delete('posthorn1._domainkey.replaced.example');
  await check(domain.id);
  assert.partialDeepStrictEqual(await read(domain.id), {
    dkim_selector: 'posthorn2',
    dkim_status: 'verified',
    failure_reason: null,
  });
});

test('after 72 hours the next key is looked for with every other check, and still taken', async () => {
  const domain = await verified('late.example');
  await rotate(domain.id);
  await sql`update domain_dkim_keys set until = now() - interval '1 second'
    where workspace_id = ${app.workspaceId} and domain_id = ${domain.id}`.execute(app.db);
  await check(domain.id);
  assert.equal(await minutesToCheck(domain.id), 360);
  publish(await read(domain.id));
  await check(domain.id);
  assert.equal(await signsWith('late.example'), 'posthorn2');
});

test('409 for a second rotation, for a domain that is not verified, and for the sandbox domain', async () => {
  const domain = await verified('twice.example');
  assert.equal((await rotate(domain.id)).status, 200);
  const pending = await aPendingDomain(app.db, app.workspaceId, 'unverified.example');
  const { rows } = await sql<{ id: string }>`
    select id from domains where workspace_id = ${app.workspaceId} and domain = 'posthorn.test'`.execute(app.db);
  const keys = async () => (await sql`select count(*) as n from domain_dkim_keys`.execute(app.db)).rows;
  const before = await keys();
  for (const id of [domain.id, pending, rows[0]?.id ?? '']) {
    const { status, body } = await rotate(id);
    assert.deepEqual([status, body.name], [409, 'conflict_error'], body.message);
  }
  assert.deepEqual(await keys(), before);
});
