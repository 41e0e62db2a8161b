import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, TEST_ADMIN, type TestApp } from '../../../../test/harness/app.ts';
import { aPendingDomain, aWorkspace } from '../../../../test/harness/builders.ts';
import { storeMarkCheck } from './queries.ts';

/** A test reads fields of many shapes, and the app holds each answer against its schema. */
interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

let app: TestApp;
let token: string;
before(async () => {
  app = await createTestApp({ env: { POSTHORN_DNS_SERVERS: '127.0.0.1:9' } });
  const { body } = await app.request({ url: '/auth/login', key: null, body: TEST_ADMIN });
  token = String(Reflect.get(Object(body), 'token'));
});
after(async () => {
  await app.close();
  // An answer of 504 is an error of the log.
  assert.deepEqual(
    app.logged.filter((line) => !line.includes('timeout_error')),
    [],
  );
});

const BODY = {
  svgPath: 'logos/acme.svg',
  svgUrl: 'https://cdn.acme.example/logo.svg',
  vmcCertUrl: 'https://cdn.acme.example/mark.pem',
};
const as =
  (credential: string | null) =>
  async (method: string, url: string, body?: unknown): Promise<Answer> => {
    const headers =
      credential === null ? {} : { authorization: `Bearer ${credential}`, 'x-workspace-id': app.workspaceId };
    const key = credential === null ? app.key : null;
    return app.request({ method, url, key, headers, ...(body === undefined ? {} : { body }) });
  };
const call = async (...input: Parameters<ReturnType<typeof as>>) => as(token)(...input);
const enable = async (id: string, changed: Partial<typeof BODY> = {}) =>
  call('POST', `/cloud-domains/${id}/bimi`, { ...BODY, ...changed });
const bimiRecordOf = async (id: string) => {
  const { body }: Answer = await app.request({ url: `/v1/domains/${id}` });
  const record = body.data.dns_records.find(({ purpose }: { purpose: string }) => purpose === 'bimi');
  return [body.data.bimi_enabled, record?.value, record?.status];
};
const marks = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from domain_marks where workspace_id = ${app.workspaceId}`.execute(app.db);
  return rows[0]?.n ?? 0;
};

test('200 with the record to publish, which is among the records of the domain from then on', async () => {
  const id = await aPendingDomain(app.db, app.workspaceId, 'logo.test');
  const { status, body } = await enable(id);
  const value = 'v=BIMI1; l=https://cdn.acme.example/logo.svg; a=https://cdn.acme.example/mark.pem';
  assert.deepEqual(
    [status, body.success, body.data],
    [200, true, { bimi_enabled: true, dns_record: { type: 'TXT', name: 'default._bimi.logo.test', value } }],
  );
  assert.deepEqual(await bimiRecordOf(id), [true, value, 'pending']);
});

test('200 again names another logo in place of the first', async () => {
  const id = await aPendingDomain(app.db, app.workspaceId, 'other-logo.test');
  await enable(id);
  assert.equal((await enable(id, { svgUrl: 'https://cdn.acme.example/new.svg' })).status, 200);
  const [, value] = await bimiRecordOf(id);
  assert.match(value, /l=https:\/\/cdn\.acme\.example\/new\.svg;/);
});

test('200 to disable, also twice, and the record is gone', async () => {
  const id = await aPendingDomain(app.db, app.workspaceId, 'no-logo.test');
  await enable(id);
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await call('DELETE', `/cloud-domains/${id}/bimi`);
    assert.deepEqual([status, body.data.id, body.data.bimi_enabled], [200, id, false]);
  }
  assert.deepEqual(await bimiRecordOf(id), [false, undefined, undefined]);
});

test('the security log has each change once', async () => {
  const id = await aPendingDomain(app.db, app.workspaceId, 'logged-logo.test');
  await enable(id);
  await enable(id);
  await call('DELETE', `/cloud-domains/${id}/bimi`);
  await call('DELETE', `/cloud-domains/${id}/bimi`);
  const { rows } = await sql<{ action: string; details: { changes?: Record<string, { before: unknown }> } }>`
    select action, details from security_log where workspace_id = ${app.workspaceId} and target_id = ${id} order by at`.execute(
    app.db,
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['domain.bimi_enabled', 'domain.bimi_disabled'],
  );
  assert.equal(rows[0]?.details.changes?.['svg_url']?.before, null);
});

const bad: [param: string, values: string[]][] = [
  [
    'svgPath',
    [
      '../logo.svg',
      '/etc/logo.svg',
      'a/../../logo.svg',
      'a//logo.svg',
      './logo.svg',
      'a\\logo.svg',
      'logo.png',
      'C:/logo.svg',
    ],
  ],
  [
    'svgUrl',
    [
      'http://cdn.acme.example/logo.svg',
      'https://127.0.0.1/logo.svg',
      'https://169.254.169.254/a',
      'ftp://a.test/',
      'logo.svg',
      'https://cdn.acme.example/a;b.svg',
      'https://user:pass@cdn.acme.example/a.svg',
    ],
  ],
  [
    'vmcCertUrl',
    ['https://[::1]/mark.pem', 'https://10.0.0.1/mark.pem', 'http://cdn.acme.example/mark.pem', 'data:text/plain,x'],
  ],
];
test('422 for a path out of the storage and for addresses that no mailbox would fetch; nothing is stored', async () => {
  const id = await aPendingDomain(app.db, app.workspaceId, 'bad-logo.test');
  const before = await marks();
  for (const [param, values] of bad) {
    for (const value of values) {
      const { status, body } = await enable(id, { [param]: value });
      assert.deepEqual([status, body.param], [422, param], `${value}: ${JSON.stringify(body)}`);
    }
  }
  assert.equal(await marks(), before);
  assert.deepEqual(await bimiRecordOf(id), [false, undefined, undefined]);
});

test('400 and 422 with every fault at once that the fields themselves show', async () => {
  const id = await aPendingDomain(app.db, app.workspaceId, 'bad-fields.test');
  const faultsOf = async (changed: object): Promise<unknown[]> => {
    const answer = await enable(id, changed);
    return [answer.status, answer.body.details.map((fault: string) => fault.split(' ')[0])];
  };
  const svgUrl = 'http://cdn.acme.example/logo.svg';
  assert.deepEqual(await faultsOf({ svgPath: '../logo.svg', svgUrl }), [422, ['svgPath', 'svgUrl']]);
  assert.deepEqual(await faultsOf({ svgPath: '../logo.svg', svgUrl, vmcCertUrl: 5 }), [
    400,
    ['vmcCertUrl', 'svgPath', 'svgUrl'],
  ]);
});

test('401 with an API key: BIMI is for people', async () => {
  const id = await aPendingDomain(app.db, app.workspaceId, 'key-logo.test');
  const withKey = as(null);
  const answers = [
    await withKey('POST', `/cloud-domains/${id}/bimi`, BODY),
    await withKey('POST', `/cloud-domains/${id}/bimi/verify`),
    await withKey('DELETE', `/cloud-domains/${id}/bimi`),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 401],
  );
  assert.deepEqual(await bimiRecordOf(id), [false, undefined, undefined]);
});

test('404 for a domain of another workspace, and nothing happens to it', async () => {
  const other = await aWorkspace(app.db);
  const id = await aPendingDomain(app.db, other, 'their-logo.test');
  assert.equal((await enable(id)).status, 404);
  assert.equal((await call('POST', `/cloud-domains/${id}/bimi/verify`)).status, 404);
  assert.equal((await call('DELETE', `/cloud-domains/${id}/bimi`)).status, 404);
  const { rows } = await sql`select from domain_marks where workspace_id = ${other}`.execute(app.db);
  assert.equal(rows.length, 0);
});

test('409 to verify a domain without a logo', async () => {
  const id = await aPendingDomain(app.db, app.workspaceId, 'nothing-to-verify.test');
  assert.equal((await call('POST', `/cloud-domains/${id}/bimi/verify`)).status, 409);
});

test('504 when the DNS gives no certain answer, and 409 for a second check within ten seconds', async () => {
  const id = await aPendingDomain(app.db, app.workspaceId, 'silent-logo.test');
  await enable(id);
  const first = await call('POST', `/cloud-domains/${id}/bimi/verify`);
  assert.deepEqual([first.status, first.body.name], [504, 'timeout_error'], JSON.stringify(first.body));
  assert.equal((await call('POST', `/cloud-domains/${id}/bimi/verify`)).status, 409);
});

test('the last check can be read afterwards, until another logo is named', async () => {
  const id = await aPendingDomain(app.db, app.workspaceId, 'checked.test');
  const shown = async (): Promise<Answer['body']> => (await call('GET', `/v1/domains/${id}`)).body.data;
  await enable(id);
  assert.equal((await shown()).bimi_check, null);
  const logo = 'data:image/svg+xml;base64,PHN2Zy8+';
  const check = { dmarc_ok: true, bimi_ok: false, message: 'No title.', faults: [], certificate: null, logo };
  const now = new Date('2026-11-20T10:00:00Z');
  const record = { status: 'missing', found: [], hint: 'There is no BIMI record.', publish: null };
  const checked = { certificateUrl: BODY.vmcCertUrl, kind: null, expiresAt: null, now, check: { ...check, record } };
  await storeMarkCheck(app.db, { workspaceId: app.workspaceId, id }, checked);
  const after = await shown();
  assert.deepEqual(after.bimi_check, { checked_at: now.toISOString(), ...check });
  const shownRecord = after.dns_records.find(({ purpose }: { purpose: string }) => purpose === 'bimi');
  assert.deepEqual([shownRecord.status, shownRecord.hint], ['missing', 'There is no BIMI record.']);
  const { record: _record, logo: _logo, ...former } = checked.check;
  await storeMarkCheck(app.db, { workspaceId: app.workspaceId, id }, { ...checked, check: former });
  assert.equal((await shown()).bimi_check.logo, null, 'a check that was stored before logos were kept');
  await enable(id, { svgUrl: 'https://cdn.acme.example/other.svg' });
  assert.equal((await shown()).bimi_check, null);
});
