import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { aDomain } from '../../../../test/harness/builders.ts';
import { type FakeSes, startFakeSes } from '../../../../test/harness/fake-ses.ts';
import { SES_ERRORS } from '../../../../test/harness/ses-faults.ts';
import { until } from '../../../../test/harness/until.ts';
import { liftAsked } from './lift-service.ts';

const OPERATION = 'DeleteSuppressedDestination';
let app: TestApp;
let ses: FakeSes;
before(async () => {
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIAEXAMPLE';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'wJalrXUtnFEMI';
  ses = await startFakeSes();
  app = await createTestApp({
    worker: true,
    env: { POSTHORN_PROVIDER_URL: 'ses://us-east-1', POSTHORN_SES_ENDPOINT: ses.endpoint },
  });
});
afterEach(async () => {
  ses.setFaults(undefined);
  await sql`delete from suppression_lifts`.execute(app.db);
});
after(async () => {
  await app.close();
  await ses.stop();
});

const suppress = (email: string, reason: string) =>
  sql`insert into suppressions (workspace_id, id, email, reason)
      values (${app.workspaceId}, gen_random_uuid(), ${email}, ${reason})`.execute(app.db);
async function lift(email: string): Promise<void> {
  const { status } = await app.request({ method: 'DELETE', url: `/v1/suppressions/${encodeURIComponent(email)}` });
  assert.equal(status, 200);
}
const lifts = async (): Promise<{ email: string; tries: number }[]> =>
  (await sql<{ email: string; tries: number }>`select email, tries from suppression_lifts`.execute(app.db)).rows;
const calls = (): string[] => ses.requests.filter(({ operation }) => operation === OPERATION).map((one) => one.region);
const settled = () => until('no lift', async () => (await lifts()).length === 0 || undefined);

test('a lifted bounce is taken off the list of the account, in each region that mail of the workspace leaves', async () => {
  const id = await aDomain(app.db, app.workspaceId, 'north.example');
  await sql`insert into provider_identities (domain, region, workspace_id, domain_id)
            values ('north.example', 'eu-north-1', ${app.workspaceId}, ${id})`.execute(app.db);
  ses.account.suppressed = { 'us-east-1': ['ada@example.net', 'bob@example.net'], 'eu-north-1': ['ada@example.net'] };
  await suppress('ada@example.net', 'hard_bounce');
  await lift('Ada@example.net');
  await settled();
  assert.deepEqual(ses.account.suppressed, { 'us-east-1': ['bob@example.net'], 'eu-north-1': [] });
});

test('an address that SES does not list is no failure, and an entry that a person made is not told', async () => {
  await suppress('gone@example.net', 'complaint');
  await lift('gone@example.net');
  await settled();
  const before = calls().length;
  await suppress('manual@example.net', 'manual');
  await lift('manual@example.net');
  assert.deepEqual([await lifts(), calls().length], [[], before]);
});

test('a SES that gives no answer holds nobody up; it is told again, and after three days no more', async () => {
  ses.account.suppressed = { 'us-east-1': ['eve@example.net'] };
  ses.setFaults({ rules: [{ ...SES_ERRORS.denied, operation: OPERATION }] });
  await suppress('eve@example.net', 'hard_bounce');
  await lift('eve@example.net');
  await until('an attempt', async () => (await lifts())[0]?.tries === 1 || undefined);
  const { status } = await app.request({ url: '/v1/suppressions/eve@example.net' });
  assert.equal(status, 404);
  ses.setFaults(undefined);
  await until('the postponed attempt', async () => {
    const { rows } = await sql`select from suppression_lifts where next_try_at > now()`.execute(app.db);
    return rows.length === 1 || undefined;
  });
  await sql`update suppression_lifts set next_try_at = now()`.execute(app.db);
  liftAsked.tell();
  await settled();
  assert.deepEqual(ses.account.suppressed, { 'us-east-1': [] });

  ses.setFaults({ rules: [{ ...SES_ERRORS.denied, operation: OPERATION }] });
  await sql`insert into suppression_lifts (workspace_id, email, asked_at)
            values (${app.workspaceId}, 'old@example.net', now() - interval '4 days')`.execute(app.db);
  liftAsked.tell();
  await settled();
  assert.match(app.logged.join(), /could not be taken off the list of the provider; it is not tried again/);
});
