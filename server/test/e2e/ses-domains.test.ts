import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { checkDomain, type CheckPorts } from '../../src/features/domains/checks/check-domain.ts';
import { settleDueIdentities } from '../../src/features/domains/identities/identity-service.ts';
import type { IdentityPorts } from '../../src/features/domains/identities/settle-identity.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createTestApp, type TestApp, type TestRequest } from '../harness/app.ts';
import { aPendingDomain, aWorkspace } from '../harness/builders.ts';
import { type FakeSes, startFakeSes } from '../harness/fake-ses.ts';
import { SES_ERRORS } from '../harness/ses-faults.ts';
import { until } from '../harness/until.ts';
import { wireIdentities } from '../../src/main/providers.ts';

let app: TestApp;
let ses: FakeSes;
let ports: CheckPorts & IdentityPorts;
/** The DNS, by name. */
const records = new Map<string, string>();
before(async () => {
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIAEXAMPLE';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'wJalrXUtnFEMI';
  ses = await startFakeSes();
  app = await createTestApp({
    worker: true,
    env: { POSTHORN_PROVIDER_URL: 'ses://us-east-1?configurationSet=posthorn', POSTHORN_SES_ENDPOINT: ses.endpoint },
  });
  const { db, settings, secrets } = app;
  const identities = wireIdentities(settings);
  assert.ok(identities !== null);
  ports = {
    db,
    settings,
    secrets,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    sendSystemMail: async () => undefined,
    identities,
    findNameServers: async () => null,
    lookUp: () => async (name, type) => ({
      name,
      type,
      values: [records.get(name) ?? []].flat(),
      reason: null,
      answers: [],
    }),
  };
});
beforeEach(() => {
  ses.setFaults(undefined);
  records.clear();
});
after(async () => {
  ports.identities.close();
  await app.close();
  await ses.stop();
});

const call = async (request: TestRequest): Promise<{ status: number; body: any }> => app.request(request);
const read = async (id: string): Promise<any> => (await call({ url: `/v1/domains/${id}` })).body.data;
const check = (id: string) => checkDomain(ports, { workspaceId: app.workspaceId, id }, null);
const identity = (domain: string) => ses.account.identities[domain];
async function add(domain: string, region?: string): Promise<any> {
  const { status, body } = await call({ url: '/v1/domains', body: { domain, ...(region && { region }) } });
  assert.equal(status, 201, JSON.stringify(body));
  return body.data;
}
const publish = (domain: any): void => {
  for (const { name, value, required } of domain.dns_records) if (required) records.set(name, value);
};
/** The service of the application does its rounds too; these come sooner. */
const wait = (holds: () => Promise<boolean>) =>
  until('what SES or the service does', async () => {
    await settleDueIdentities(ports);
    return (await holds()) || undefined;
  });
const isMade = (domain: string) => wait(async () => identity(domain)?.selector !== undefined);
const rowsOf = async (domain: string): Promise<any[]> =>
  (await sql`select * from provider_identities where domain = ${domain}`.execute(app.db)).rows;
/** As if the time of the next attempt had come. */
const hasten = (domain: string) =>
  sql`update provider_identities set next_try_at = now() where domain = ${domain}`.execute(app.db);

test('a new domain becomes an identity in its region with its key, and is verified when SES says so too', async () => {
  const domain = await add('new.example', 'eu-north-1');
  assert.partialDeepStrictEqual(domain.provider_identity, { status: 'pending', checked_at: null });
  await isMade('new.example');
  assert.partialDeepStrictEqual(identity('new.example'), { region: 'eu-north-1', selector: 'posthorn1' });
  await check(domain.id);
  assert.partialDeepStrictEqual(await read(domain.id), { dkim_status: 'pending', sending_enabled: false });

  assert.deepEqual(
    { ...(await read(domain.id)).provider_identity, checked_at: null },
    { status: 'found', dkim_status: 'PENDING', sending_enabled: false, failure_reason: null, checked_at: null },
  );

  publish(domain);
  await check(domain.id);
  const waiting = await read(domain.id);
  assert.partialDeepStrictEqual(waiting, { dkim_status: 'pending', sending_enabled: false });
  assert.match(waiting.failure_reason, /Amazon SES has not yet seen the DKIM record/);

  const made = identity('new.example');
  assert.ok(made !== undefined);
  made.verified = true;
  await check(domain.id);
  assert.partialDeepStrictEqual(await read(domain.id), {
    dkim_status: 'verified',
    sending_enabled: true,
    provider_identity: { status: 'found', dkim_status: 'SUCCESS', sending_enabled: true },
  });
  const { body } = await call({ url: `/v1/domains/${domain.id}/checks` });
  assert.deepEqual(
    body.data.map(({ outcome, records: seen }: any) => [
      outcome,
      seen.find(({ key }: any) => key === 'identity').status,
    ]),
    [
      ['verified', 'found'],
      ['temporary_failure', 'missing'],
      ['failed', 'missing'],
    ],
  );
});

test('mail of a domain that SES signs leaves unsigned, in the region of the domain; other mail leaves signed by us', async () => {
  const domain = await add('signed.example', 'eu-north-1');
  await isMade('signed.example');
  publish(domain);
  Object.assign(identity('signed.example') ?? {}, { verified: true });
  await check(domain.id);
  const send = async (from: string) => {
    const { status, body } = await call({
      url: '/v1/send',
      body: { from, to: 'ada@example.com', subject: 'Hello', text: 'Hello' },
    });
    assert.equal(status, 202, JSON.stringify(body));
  };
  await send('a@signed.example');
  await wait(async () => ses.messages.some(({ from }) => from === 'a@signed.example'));
  const mail = ses.messages.find(({ from }) => from === 'a@signed.example');
  assert.ok(mail !== undefined && !/^DKIM-Signature:/im.test(mail.mime.toString('latin1')));
  assert.equal(ses.requests.findLast(({ operation }) => operation === 'SendEmail')?.region, 'eu-north-1');

  await send('a@posthorn.test');
  await wait(async () => ses.messages.some(({ from }) => from === 'a@posthorn.test'));
  const own = ses.messages.find(({ from }) => from === 'a@posthorn.test');
  assert.equal(own?.mime.toString('latin1').match(/^DKIM-Signature:/gim)?.length, 1);
  assert.equal(ses.requests.findLast(({ operation }) => operation === 'SendEmail')?.region, 'us-east-1');
});

test('SES gets the next key of a domain when it is seen in the DNS, and goes on taking its mail', async () => {
  const domain = await add('rotated.example');
  await isMade('rotated.example');
  publish(domain);
  Object.assign(identity('rotated.example') ?? {}, { verified: true });
  await check(domain.id);
  const { status } = await call({ method: 'POST', url: `/v1/domains/${domain.id}/rotate-dkim` });
  assert.equal(status, 200);
  await check(domain.id);
  assert.equal(identity('rotated.example')?.selector, 'posthorn1');
  for (const { name, value, purpose } of (await read(domain.id)).dns_records)
    if (purpose === 'dkim') records.set(name, value);
  await check(domain.id);
  assert.equal(identity('rotated.example')?.selector, 'posthorn2');
  assert.partialDeepStrictEqual((await rowsOf('rotated.example'))[0], { selector: 'posthorn2', failure: null });
  assert.ok((await rowsOf('rotated.example'))[0].ready_at !== null);
});

test('a domain that is deleted is deleted at SES, again and again until SES has done it', async () => {
  const domain = await add('gone.example');
  await isMade('gone.example');
  await wait(async () => (await rowsOf('gone.example'))[0]?.selector === 'posthorn1');
  ses.setFaults({ rules: [{ ...SES_ERRORS.internal, operation: 'DeleteEmailIdentity' }] });
  assert.equal((await call({ method: 'DELETE', url: `/v1/domains/${domain.id}` })).status, 200);
  await wait(async () => (await rowsOf('gone.example'))[0]?.attempts > 0);
  assert.ok(identity('gone.example') !== undefined);
  ses.setFaults(undefined);
  await hasten('gone.example');
  await wait(async () => (await rowsOf('gone.example')).length === 0);
  assert.equal(identity('gone.example'), undefined);
});

test('the deletion of an identity that is gone already ends', async () => {
  const domain = await add('gone-twice.example');
  await isMade('gone-twice.example');
  delete ses.account.identities['gone-twice.example'];
  await call({ method: 'DELETE', url: `/v1/domains/${domain.id}` });
  await wait(async () => (await rowsOf('gone-twice.example')).length === 0);
});

test('an identity that the account has already stays as it is until the domain has shown its key, and is never deleted', async () => {
  ses.account.identities['operators.example'] = { verified: true };
  const domain = await add('operators.example');
  await wait(async () => (await rowsOf('operators.example'))[0]?.failure !== null);
  assert.equal(identity('operators.example')?.selector, undefined);
  await check(domain.id);
  assert.equal(identity('operators.example')?.selector, undefined, 'the key is not in the DNS');
  publish(domain);
  await check(domain.id);
  assert.equal(identity('operators.example')?.selector, 'posthorn1');
  assert.partialDeepStrictEqual(await read(domain.id), { dkim_status: 'verified' });
  await call({ method: 'DELETE', url: `/v1/domains/${domain.id}` });
  await wait(async () => (await rowsOf('operators.example')).length === 0);
  assert.ok(identity('operators.example') !== undefined);
});

test('the identity goes to the workspace that shows its key, not to the one that added the name first', async () => {
  const stranger = await aWorkspace(app.db);
  const squat = await aPendingDomain(app.db, stranger, 'wanted.example');
  await sql`insert into provider_identities (domain, region, workspace_id, domain_id)
    values ('wanted.example', 'us-east-1', ${stranger}, ${squat})`.execute(app.db);
  const domain = await add('wanted.example');
  assert.equal((await rowsOf('wanted.example'))[0].domain_id, squat);
  publish(domain);
  await check(domain.id);
  assert.partialDeepStrictEqual((await rowsOf('wanted.example'))[0], {
    workspace_id: app.workspaceId,
    domain_id: domain.id,
    selector: 'posthorn1',
  });
  assert.equal(identity('wanted.example')?.selector, 'posthorn1');
});

test('SES that is down or has given up is doubt: nothing is lost, and the next look mends it', async () => {
  const domain = await add('doubt.example');
  await isMade('doubt.example');
  publish(domain);
  ses.setFaults({ rules: [{ ...SES_ERRORS.unavailable, operation: 'GetEmailIdentity' }] });
  await check(domain.id);
  const doubtful = await read(domain.id);
  assert.equal(doubtful.dkim_status, 'temporary_failure');
  assert.match(doubtful.failure_reason, /Amazon SES gave no answer/);
  ses.setFaults(undefined);
  Object.assign(identity('doubt.example') ?? {}, { gaveUp: true });
  await check(domain.id);
  await wait(async () => identity('doubt.example')?.gaveUp === false);
  Object.assign(identity('doubt.example') ?? {}, { verified: true });
  await wait(async () => (await rowsOf('doubt.example'))[0]?.selector === 'posthorn1');
  await check(domain.id);
  assert.equal((await read(domain.id)).dkim_status, 'verified');
  ses.setFaults({ rules: [{ ...SES_ERRORS.unavailable, operation: 'GetEmailIdentity' }] });
  await check(domain.id);
  assert.partialDeepStrictEqual(await read(domain.id), { dkim_status: 'verified', sending_enabled: true });
});
