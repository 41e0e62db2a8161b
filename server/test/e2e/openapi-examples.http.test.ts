/**
 * Every operation of the OpenAPI document is asked for by its own example, with ids that exist in place of the invented
 * ones, and answers with its documented good status.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aPng } from '../harness/a-png.ts';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { rowsAtOnce } from '../harness/noted-later.ts';
import { makeOwnRecords, type OwnRecord, ownIdFor, signInTo } from './bad-inputs/own-records.ts';
import { prepareRecords } from './bad-inputs/prepared-records.ts';
import { UNLOGGED } from './unlogged-operations.ts';

/** Not asked for here, and why; the tests of their feature do it. */
const NEED_MORE: Readonly<Record<string, string>> = {
  get_export_file: 'its link is signed, and a worker writes its file',
  request_email_change: 'its password is that of an account',
  confirm_email_change: 'its token is that of a mail',
  delete_account: 'its password is that of an account',
  set_up_two_factor: 'its password is that of an account',
  enable_two_factor: 'its code is that of an app',
  disable_two_factor: 'its code is that of an app',
  replace_recovery_codes: 'its code is that of an app',
  verify_two_factor: 'its challenge is that of a sign-in',
  correct_broadcast: 'its broadcast was sent',
  correct_issue: 'its issue was sent',
  redirect_broadcast_link: 'its broadcast was sent',
  redirect_issue_link: 'its issue was sent',
  upload_image: 'its body is a file that is no text',
  create_import: 'a form with a file',
  undo_bulk_contact_job: 'a worker works on its job',
  verify_bimi: 'its domain is in no DNS',
  rotate_domain_dkim: 'its domain is verified in no DNS',
  test_domain_webhook: 'its domain forwards nothing yet',
  get_inbound_attachment: 'its message is known by an id of its own',
  get_inbound_file: 'its link is signed',
  redeliver_inbound_email: 'its domain forwards nothing',
  receive_ses_events: 'Amazon signs what it posts',
  get_email_raw: 'only SMTP takes a whole message',
  get_captured_email: 'a worker captures mail when it hands it over',
  get_captured_email_raw: 'a worker captures mail when it hands it over',
  get_captured_email_attachment: 'a worker captures mail when it hands it over',
  get_captured_email_html: 'its link is signed',
  simulate_outcome: 'a worker captures mail when it hands it over',
  pause_issue: 'a worker sends the issue before it can be paused',
  pause_broadcast: 'it is sent before it can be paused',
  resume_broadcast: 'it is paused before it can be resumed',
  retry_failed_of_broadcast: 'a worker sends it before a recipient can fail',
  resume_issue: 'a worker sends the issue before it can be paused',
  retry_failed_recipients: 'a worker sends the issue before a recipient can fail',
};

const EXAMPLE_PERSON = { email: 'ada@example.com', password: 'correct horse battery' };
const EXAMPLE_NEWSLETTER = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';

let app: TestApp;
let records: OwnRecord[];
let tokens: Readonly<Record<string, string>>;
/** Takes the place of what the examples invent. */
let real: Map<string, string>;
let picture: Buffer;
const receiver = createServer(({ url }, response) => response.end(url === '/harbour.png' ? picture : 'ok'));

before(async () => {
  app = await createTestApp({ env: { POSTHORN_SIGNUP: 'open', POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' } });
  picture = await aPng(40, 30, '#102030');
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo; // a TCP listener has one
  const url = `http://127.0.0.1:${port}/`;
  const own = await makeOwnRecords(app, url);
  const { body } = await app.request({ url: '/auth/register', key: null, body: EXAMPLE_PERSON });
  const prepared = await prepareRecords(app, own, EXAMPLE_PERSON);
  records = [...prepared.records, ...own];
  ({ tokens } = prepared);
  real = new Map([
    [EXAMPLE_NEWSLETTER, ownIdFor(records, 'GET /v1/newsletters/{id}', 'id') ?? ''],
    ['https://example.com/webhooks/posthorn', url],
    ['https://example.com/inbound', url],
    ['https://www.example.com/pictures/harbour.jpg', `${url}harbour.png`],
    ['prt_…', String(Reflect.get(body as object, 'refresh_token'))], // an answer of 201 is an object
  ]);
});
after(async () => {
  await app.close();
  receiver.closeAllConnections();
  receiver.close();
});

interface Exampled {
  operationId: string;
  security: object[];
  parameters: { in: string; name: string; example?: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: object;
}

/** The examples name days around this one; they stand for the day before and the day after the test. */
const DAY_OF_EXAMPLES = '2026-11-22';
const DAY_MS = 86_400_000;

const nearNow = (instant: string): string =>
  new Date(Date.now() + (instant > DAY_OF_EXAMPLES ? DAY_MS : -DAY_MS)).toISOString();

const withReal = (value: unknown, operationId: string): unknown =>
  JSON.parse(
    [...real, ['the-token-of-the-link', tokens[operationId] ?? ''] as const]
      .reduce((text, [invented, id]) => text.replaceAll(invented, id), JSON.stringify(value))
      .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, nearNow),
  );

/** `more` is added to the query. */
async function ask(
  method: string,
  path: string,
  operation: Exampled,
  { more = [], ifMatch }: { more?: [string, string][]; ifMatch?: string } = {},
) {
  const { operationId, security, parameters, requestBody } = operation;
  const name = `${method} ${path}`;
  const examples = parameters.flatMap(({ in: place, name: field, example }): [string, string][] =>
    place === 'query' && example !== undefined ? [[field, example]] : [],
  );
  const query = new URLSearchParams([...examples, ...more]).toString();
  const url = path.replace(/\{(\w+)\}/g, (_, parameter: string) => ownIdFor(records, name, parameter) ?? newId());
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const key = security.length === 0 ? null : security.some((one) => 'apiKey' in one) ? app.key : await tokenOfUser();
  return app.request({
    method,
    url: query === '' ? url : `${url}?${query}`,
    key,
    ...(content?.example === undefined ? {} : { body: withReal(content.example, operationId) }),
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
  });
}

let token: string | undefined;
/** One sign-in serves until it is ended. */
async function tokenOfUser(): Promise<string> {
  if (token !== undefined && (await app.request({ url: '/auth/me', key: token })).status === 200) return token;
  return (token = await signInTo(app));
}

const operationsOf = (): { method: string; path: string; operation: Exampled }[] =>
  Object.entries(app.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as unknown as Exampled, // as operation.ts writes it, without references
    })),
  );

/** Forms that people and mail programs send: a link may have gained parameters on its way. */
const TAKE_ANY_PARAMETER: readonly string[] = ['receive_ses_events', 'subscribe_publicly', 'resend_publicly'];

/** The hash of each table, without what is noted of every caller. */
async function stored(): Promise<unknown> {
  assert.equal((await app.request({ url: '/audit?limit=1' })).status, 200, 'the audit log is written');
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('api_requests', 'attempt_counts', 'workers') order by 1`.execute(app.db);
  const hashes = tables.map(
    ({ name }) => sql`(select md5(string_agg(row, ',' order by row)) from (
      select (to_jsonb(t) - '{last_used_at,last_used_ip,last_seen_at}'::text[])::text as row
        from ${sql.table(name)} t where ${rowsAtOnce(name)}) rows) as ${sql.ref(name)}`,
  );
  return (await sql`select ${sql.join(hashes)}`.execute(app.db)).rows[0];
}

test('400 with the parameter for a write with an unknown parameter of the query, which changes nothing', async () => {
  const writes = operationsOf().filter(({ method }) => method !== 'GET');
  assert.ok(writes.length > 70, `${writes.length} are asked`);
  await tokenOfUser();
  const earlier = await stored();
  const taken: string[] = [];
  for (const { method, path, operation } of writes) {
    if (TAKE_ANY_PARAMETER.includes(operation.operationId)) continue;
    const { status, body } = await ask(method, path, operation, { more: [['zebra', '1']] });
    const param: unknown = Reflect.get(Object(body), 'param');
    if (status !== 400 || param !== 'zebra') taken.push(`${method} ${path} answered ${status} ${String(param)}`);
  }
  assert.deepEqual(taken, []);
  assert.deepEqual(await stored(), earlier);
});

test('409 for a change of a record of another version, by each operation that takes If-Match, and nothing is changed', async () => {
  const compare = operationsOf().filter(({ operation }) =>
    operation.parameters.some(({ name }) => name === 'If-Match'),
  );
  assert.ok(compare.length > 50, `${compare.length} are asked`);
  await tokenOfUser();
  const earlier = await stored();
  const taken: string[] = [];
  for (const { method, path, operation } of compare) {
    const { status, body } = await ask(method, path, operation, { ifMatch: '"of.before"' });
    const param: unknown = Reflect.get(Object(body), 'param');
    if (status !== 409 || param !== 'If-Match') taken.push(`${method} ${path} answered ${status} ${String(param)}`);
  }
  assert.deepEqual(taken, []);
  assert.deepEqual(await stored(), earlier);
});

/** Entries of both logs, but those of sign-ins, which the test makes itself. */
async function countLogged(): Promise<number> {
  assert.equal((await app.request({ url: '/audit?limit=1' })).status, 200, 'the audit log is written');
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from audit_entries) + (select count(*) from security_log where action <> 'user.signed_in') as n`.execute(
    app.db,
  );
  return Number(rows[0]?.n);
}

test('2xx as documented for the example of every operation; each that changes something is logged, or says why not', async () => {
  const operations = operationsOf();
  // An address that is suppressed by one example could not be written to by the next; nor is a session left to end.
  const isLast = ({ method, path }: { method: string; path: string }): boolean =>
    path.includes('suppress') || `${method} ${path}` === 'DELETE /auth/sessions';
  operations.sort((a, b) => Number(isLast(a)) - Number(isLast(b)));
  const failed: string[] = [];
  let asked = 0;
  let logged = await countLogged();
  for (const { method, path, operation } of operations) {
    const id = operation.operationId.replace(/_at_.*$/, '');
    // A second path of a route is the same route; some examples cannot be carried out twice.
    if (NEED_MORE[id] !== undefined || id !== operation.operationId) continue;
    const { status, text } = await ask(method, path, operation);
    asked += 1;
    if (method !== 'GET') {
      const now = await countLogged();
      const isLogged = now > logged;
      logged = now;
      if (isLogged === (UNLOGGED[id] !== undefined)) {
        failed.push(`${method} ${path} is ${isLogged ? 'logged, though its reason says not' : 'not logged'}`);
      }
    }
    if (status >= 300 || !Object.hasOwn(operation.responses, String(status))) {
      failed.push(`${method} ${path} answered ${status} ${text.slice(0, 300)}`);
    }
  }
  assert.deepEqual(failed, []);
  assert.ok(asked > 100, `${asked} were asked`);
});

test('no operation is excused that is not there', () => {
  const known = Object.values(app.document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  for (const id of [...Object.keys(NEED_MORE), ...Object.keys(UNLOGGED), ...TAKE_ANY_PARAMETER])
    assert.ok(known.includes(id), id);
});
