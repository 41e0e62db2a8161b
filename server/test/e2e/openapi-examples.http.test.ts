/**
 * Every operation of the OpenAPI document is asked for by its own example, with ids that exist in place of the invented
 * ones, and answers with its documented good status.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { makeOwnRecords, type OwnRecord, ownIdFor, signInTo } from './bad-inputs/own-records.ts';

/** Operations that need more than a request: the tests of their feature bring about what they need. */
const NEED_MORE: Readonly<Record<string, string>> = {
  reset_password: 'a token that was mailed',
  verify_email: 'a token that was mailed',
  accept_invite: 'a token that was mailed',
  get_export_file: 'a token of a finished export',
  receive_ses_events: 'a signature by Amazon',
  change_member_role: 'a second member',
  remove_member: 'a second member',
  delete_workspace: 'a workspace without mail',
  end_session: 'a second session',
  get_email_attachment: 'mail with an attachment',
  get_email_raw: 'mail that was given as a whole message',
  get_captured_email: 'mail that a worker has handed over',
  get_captured_email_raw: 'mail that a worker has handed over',
  resume_send: 'a send that was paused',
  resume_issue: 'an issue that was paused',
  retry_failed_recipients: 'an issue that was sent, and refused',
  get_import: 'an import that a worker has begun',
  get_import_errors: 'an import that a worker has begun',
  cancel_import: 'an import that a worker has begun',
  undo_import: 'an import that is finished',
};

const EXAMPLE_PERSON = { email: 'ada@example.com', password: 'correct horse battery' };
const EXAMPLE_NEWSLETTER = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';

let app: TestApp;
let records: OwnRecord[];
/** Takes the place of what the examples invent. */
let real: Map<string, string>;
const receiver = createServer((_request, response) => response.end('ok'));

before(async () => {
  app = await createTestApp({ env: { POSTHORN_SIGNUP: 'open', POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' } });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo; // a TCP listener has one
  const url = `http://127.0.0.1:${port}/`;
  records = await makeOwnRecords(app, url);
  const { body } = await app.request({ url: '/auth/register', key: null, body: EXAMPLE_PERSON });
  real = new Map([
    [EXAMPLE_NEWSLETTER, ownIdFor(records, 'GET /v1/newsletters/{id}', 'id') ?? ''],
    ['https://example.com/webhooks/posthorn', url],
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

const withReal = (value: unknown): unknown =>
  JSON.parse(
    [...real]
      .reduce((text, [invented, id]) => text.replaceAll(invented, id), JSON.stringify(value))
      .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, nearNow),
  );

async function ask(method: string, path: string, { security, parameters, requestBody }: Exampled) {
  const name = `${method} ${path}`;
  const examples = parameters.flatMap(({ in: place, name: field, example }): [string, string][] =>
    place === 'query' && example !== undefined ? [[field, example]] : [],
  );
  const query = new URLSearchParams(examples).toString();
  const url = path.replace(/\{(\w+)\}/g, (_, parameter: string) => ownIdFor(records, name, parameter) ?? 'missing');
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const key = security.length === 0 ? null : security.length === 1 ? await signInTo(app) : app.key;
  return app.request({
    method,
    url: query === '' ? url : `${url}?${query}`,
    key,
    ...(content?.example === undefined ? {} : { body: withReal(content.example) }),
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
  });
}

test('2xx as documented for the example of every operation', async () => {
  const operations = Object.entries(app.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as unknown as Exampled, // as operation.ts writes it, without references
    })),
  );
  // An address that is suppressed by one example could not be written to by the next.
  operations.sort((a, b) => Number(/suppress/.test(a.path)) - Number(/suppress/.test(b.path)));
  const failed: string[] = [];
  let asked = 0;
  for (const { method, path, operation } of operations) {
    const id = operation.operationId.replace(/_at_.*$/, '');
    // A second path of a route is the same route; some examples cannot be carried out twice.
    if (NEED_MORE[id] !== undefined || id !== operation.operationId) continue;
    const { status, text } = await ask(method, path, operation);
    asked += 1;
    if (status >= 300 || !Object.hasOwn(operation.responses, String(status))) {
      failed.push(`${method} ${path} answered ${status} ${text.slice(0, 300)}`);
    }
  }
  assert.deepEqual(failed, []);
  assert.ok(asked > 80, `${asked} were asked`);
});

test('no operation is excused that is not there', () => {
  const known = Object.values(app.document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  for (const id of Object.keys(NEED_MORE)) assert.ok(known.includes(id), id);
});
