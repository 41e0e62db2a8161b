import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp, type TestRequest } from '../../../../test/harness/app.ts';
import { aPendingDomain } from '../../../../test/harness/builders.ts';

let app: TestApp;
/** A DNS server that is there and never answers, until it is told to say SERVFAIL. */
let silent: Socket;
let answers = false;
before(async () => {
  silent = createSocket('udp4', (message, { port, address }) => {
    if (!answers) return;
    const reply = Buffer.from(message);
    reply.writeUInt16BE(0x8182, 2); // a response, SERVFAIL
    silent.send(reply, port, address);
  });
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  app = await createTestApp({ env: { POSTHORN_DNS_SERVERS: `127.0.0.1:${silent.address().port}` } });
});
after(async () => {
  await app.close();
  silent.close();
});

const call = async (request: TestRequest): Promise<{ status: number; body: any }> => app.request(request);
const verify = (id: string) => call({ method: 'POST', url: `/v1/domains/${id}/verify` });
const read = async (id: string): Promise<any> => (await call({ url: `/v1/domains/${id}` })).body.data;

test('504 when a DNS server does not answer in time: the check is stored, and nothing is called missing', async () => {
  answers = false;
  const id = await aPendingDomain(app.db, app.workspaceId, 'silent.example');
  const { status, body } = await verify(id);
  assert.deepEqual([status, body.name], [504, 'timeout_error'], JSON.stringify(body));
  const domain = await read(id);
  assert.equal(domain.dkim_status, 'temporary_failure');
  assert.ok(domain.dns_records.every(({ status: one }: any) => one === 'temporary_failure'));
  const { body: checks } = await call({ url: `/v1/domains/${id}/checks` });
  assert.equal(checks.data[0].outcome, 'temporary_failure');
  assert.equal(checks.data[0].lookups[0].answers[0].error, 'timeout');
  const again = await verify(id);
  assert.deepEqual([again.status, again.body.data.dkim_status], [200, 'temporary_failure'], 'the last result');
});

test('200 temporary_failure when a DNS server answers that it cannot say', async () => {
  answers = true;
  const id = await aPendingDomain(app.db, app.workspaceId, 'servfail.example');
  const { status, body } = await verify(id);
  assert.deepEqual([status, body.data?.dkim_status], [200, 'temporary_failure'], JSON.stringify(body));
  assert.match(body.data.failure_reason, /SERVFAIL/);
});

test('429 for a sixth check of one workspace at once; it takes the place of nothing', async () => {
  answers = false;
  const ids = [];
  for (let n = 0; n < 6; n += 1) ids.push(await aPendingDomain(app.db, app.workspaceId, `many${n}.example`));
  const statuses = (await Promise.all(ids.map(verify))).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [429, 504, 504, 504, 504, 504]);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from domain_watches
     where domain_id = any (${ids}::uuid[]) and begun_at is not null`.execute(app.db);
  assert.equal(rows[0]?.n, 5, 'the sixth can be asked for at once');
});
