/**
 * Bad input for every route that takes it, by the OpenAPI document and through the whole application: the answer
 * names what is wrong, nothing is stored, and the next request is served. The refusals of single routes are tested
 * beside them.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, TEST_ADMIN, type TestAnswer, type TestApp, type TestRequest } from '../harness/app.ts';
import { rowsAtOnce } from '../harness/noted-later.ts';
import { aPendingDomain } from '../harness/builders.ts';
import { type Operation, operationsOf, positionsOf } from './tenant-matrix/positions.ts';

const SEND = { from: 'Acme <hello@posthorn.test>', to: ['ada@example.com'], subject: 'Hello', text: 'Hello' };
const JSON_TYPE = 'application/json';

let app: TestApp;
let token: string;
let operations: Operation[];

before(async () => {
  app = await createTestApp({
    env: {
      POSTHORN_SIGNUP: 'open',
      POSTHORN_PUBLIC_LIMIT_PER_MINUTE: '100000',
      POSTHORN_PUBLIC_LIMIT_PER_HOUR: '100000',
    },
  });
  const { body } = await app.request({ url: '/auth/login', key: null, body: TEST_ADMIN });
  token = String(Reflect.get(body as object, 'token'));
  const template = await app.request({ url: '/v1/templates', body: { name: 'Hello', text: 'Hello' } });
  templateId = String(Reflect.get(template.body as object, 'id'));
  const contact = await app.request({ url: '/v1/contacts', body: { email: 'owned-contact@example.com' } });
  contactId = String(Reflect.get(contact.body as object, 'id'));
  const ownList = await app.request({ url: '/v1/lists', body: { name: 'Owned' } });
  listId = String(Reflect.get(ownList.body as object, 'id'));
  const filter = { match: 'all', conditions: [{ field: 'email', op: 'is_set' }] };
  const segment = await app.request({ url: '/v1/segments', body: { name: 'Owned', filter } });
  segmentId = String(Reflect.get(segment.body as object, 'id'));
  const broadcast = await app.request({ url: '/broadcasts', body: { name: 'Owned' } });
  broadcastId = String(Reflect.get(broadcast.body as object, 'id'));
  await app.request({ url: `/broadcasts/${broadcastId}` }); // what was noted of it is written when it is read
  const automation = await app.request({
    url: '/v1/automations',
    body: { name: 'Hello', trigger: { type: 'api' }, steps: [{ key: 'done', type: 'end', config: {} }] },
  });
  automationId = String(Reflect.get(automation.body as object, 'id'));
  const webhook = await app.request({ url: '/v1/webhooks', body: { url: 'http://127.0.0.1:59999/', events: ['*'] } });
  webhookId = String(Reflect.get(webhook.body as object, 'id'));
  const make = async (url: string, body: object): Promise<string> =>
    String(Reflect.get((await app.request({ url, body })).body as object, 'id'));
  owners.newsletterId = await make('/v1/newsletters', { name: 'Owner', slug: 'owner', double_opt_in: false });
  const list = `/v1/newsletters/${owners.newsletterId}`;
  owners.issueId = await make(`${list}/issues`, { subject: 'Hi', html_body: '<p>Hi</p>' });
  owners.subscriberId = await make(`${list}/subscribers`, { email: 'owned@example.com' });
  await app.request({ url: `${list}/issues/${owners.issueId}` }); // what was noted of it is written when it is read
  domainId = await aPendingDomain(app.db, app.workspaceId, 'owned.test');
  deletedNewsletterId = await make('/v1/newsletters', { name: 'Deleted', slug: 'deleted' });
  await app.request({ method: 'DELETE', url: `/v1/newsletters/${deletedNewsletterId}` });
  operations = operationsOf(app.document);
});
let webhookId: string;
let templateId: string;
let contactId: string;
let broadcastId: string;
let listId: string;
let segmentId: string;
let automationId: string;
let domainId: string;
let deletedNewsletterId: string;
/** A newsletter, and what it has one of. */
const owners = { newsletterId: '', issueId: '', subscriberId: '' };
after(() => app.close());

/** Rows of every table. */
/** A token in the query is their key. */
const OPENED_BY_LINK: readonly string[] = ['get_export_file', 'get_captured_email_html'];

async function rowCounts(): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name not in ('api_requests', 'attempt_counts', 'workers') order by 1`.execute(
    app.db,
  );
  const counts = tables.map(
    ({ name }) => sql`(select count(*) from ${sql.table(name)} t where ${rowsAtOnce(name)}) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(app.db);
  return rows[0] ?? {};
}

async function nothingStored(work: () => Promise<void>): Promise<void> {
  const before = await rowCounts();
  await work();
  assert.deepEqual(await rowCounts(), before);
  assert.deepEqual(app.logged, [], 'nothing unexpected was logged');
  assert.equal((await app.request({ url: '/health', key: null })).status, 200);
}

const credentialOf = (operation: Operation): string | null =>
  operation.known.access === 'public' ? null : operation.known.access === 'user' ? token : app.key;

const urlOf = (operation: Operation, id = app.workspaceId): string => operation.path.replace(/\{[^}]+\}/g, id);

/** A list of what belongs to a record there is. */
const urlOfList = ({ path }: Operation): string =>
  path
    .replace('{issueId}', owners.issueId)
    .replace('{subscriberId}', owners.subscriberId)
    .replace('{id}', ownerOf(path));

const ownerOf = (path: string): string => {
  if (/^(\/v1)?\/broadcasts\//.test(path)) return broadcastId;
  if (path.startsWith('/v1/webhooks/')) return webhookId;
  if (path.startsWith('/v1/lists/')) return listId;
  if (path.startsWith('/v1/segments/')) return segmentId;
  if (path.startsWith('/v1/contacts/')) return contactId;
  if (/^(\/api)?\/v1\/templates\//.test(path)) return templateId;
  if (path.startsWith('/v1/automations/')) return automationId;
  if (/^\/(?:v1\/|cloud-)domains\//.test(path)) return domainId;
  if (path.startsWith('/v1/deleted-newsletters/')) return deletedNewsletterId;
  return path.startsWith('/v1/newsletters/') ? owners.newsletterId : app.workspaceId;
};

const documentedBody = (operation: Operation): { required?: boolean; schema: object } | undefined => {
  const documented: object = app.document.paths[operation.path]?.[operation.method.toLowerCase()] ?? {};
  const content = Reflect.get(Reflect.get(documented, 'requestBody') ?? {}, 'content');
  return content === undefined || typesOf(operation).length > 1 ? undefined : content['application/json'];
};

/** The media types that a route takes: more than JSON means bytes, which it judges by itself. */
function typesOf(operation: Operation): string[] {
  const documented: object = app.document.paths[operation.path]?.[operation.method.toLowerCase()] ?? {};
  return Object.keys(Reflect.get(Reflect.get(documented, 'requestBody') ?? {}, 'content') ?? {});
}

/** Some routes also take no body at all. */
const takesNothing = ({ path, method }: Operation): boolean =>
  app.document.paths[path]?.[method.toLowerCase()]?.requestBody?.required === false;
const takesArray = (schema: object): boolean =>
  JSON.stringify(Reflect.get(schema, 'anyOf') ?? '').startsWith('[{"type":"array"');

function expectFault(answer: TestAnswer, status: number, what: string): void {
  assert.equal(answer.status, status, `${what}: ${answer.text}`);
  const name = Reflect.get(answer.body as object, 'name'); // an error has the envelope, as every answer here is checked
  const names: Record<number, string> = {
    400: 'validation_error',
    401: 'authentication_error',
    404: 'not_found_error',
    415: 'request_error',
    422: 'validation_error',
  };
  assert.equal(name, names[status], what);
}

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const wide = (keys: number): string => `{${Array.from({ length: keys }, (_, index) => `"k${index}":1`).join(',')}}`;

/** The bodies that are never valid JSON bodies: bytes, media type, status. */
const BODIES: [what: string, body: string | Buffer, status: number, type?: string][] = [
  ['a string', '"x"', 400],
  ['a number', '1', 400],
  ['true', 'true', 400],
  ['half a body', '{"from":', 400],
  ['a comma at the end', '{"a":1,}', 400],
  ['a comment', '{/* a */}', 400],
  ['single quotes', "{'a':1}", 400],
  ['NaN', '{"a":NaN}', 400],
  ['two values', '{} {}', 400],
  ['a byte order mark', '\ufeff{}', 400],
  ['UTF-16', Buffer.from('{"from":"x"}', 'utf16le'), 400],
  ['Latin-1', Buffer.from('{"from":"ü"}', 'latin1'), 400],
  ['a byte that is no UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0xff, 0x62, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ['an overlong slash', Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ['a key twice', '{"to":"a@example.com","to":"b@example.com"}', 400],
  ['a key twice, once escaped', '{"to":1,"\\u0074o":2}', 400],
  ['a number beyond all bounds', '{"a":1e400}', 400],
  ['an integer that would be rounded', '{"a":9007199254740993}', 400],
  ['100,000 levels', deep, 400],
  ['NUL between tokens', '{"a"\u0000:1}', 400],
  ['a form', 'to=a%40example.com', 415, 'application/x-www-form-urlencoded'],
  ['plain text', '{}', 415, 'text/plain'],
  ['XML', '<a/>', 415, 'application/xml'],
  ['UTF-16 by name', '{}', 415, 'application/json; charset=utf-16'],
  ['another type with the same beginning', '{}', 415, 'application/jsonx'],
];

test('every route with a body refuses what is no JSON object, and stores nothing', async (t) => {
  const withBody = operations.filter((operation) => documentedBody(operation) !== undefined);
  assert.ok(withBody.length > 15);
  let cells = 0;
  await nothingStored(async () => {
    for (const operation of withBody) {
      const schema = documentedBody(operation)?.schema ?? {};
      const request = { method: operation.method, url: urlOf(operation), key: credentialOf(operation) };
      const rows: typeof BODIES = [
        ...BODIES,
        ...(takesNothing(operation)
          ? []
          : ([
              ['nothing', '', 400],
              ['null', 'null', 400],
            ] satisfies typeof BODIES)),
        ...(takesArray(schema) ? [] : ([['a list', '[{}]', 400]] satisfies typeof BODIES)),
        ['an empty list', '[]', 400],
      ];
      for (const [what, body, status, type = JSON_TYPE] of rows) {
        const answer = await app.request({ ...request, body, headers: { 'content-type': type } });
        expectFault(answer, status, `${operation.method} ${operation.path} with ${what}`);
        cells += 1;
      }
      const gzip = { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' };
      const packed = await app.request({ ...request, body: Buffer.from('1f8b0800', 'hex'), headers: gzip });
      expectFault(packed, 415, `${operation.path} with gzip`);
    }
  });
  t.diagnostic(`${cells} requests to ${withBody.length} routes`);
});

test('a hundred thousand keys, __proto__ and constructor are only data, and change nothing in the process', async () => {
  const marks = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then'];
  const evil = `{${marks.map((name) => `"${name}":{"isAdmin":true,"prototype":{"isAdmin":true}}`).join(',')}}`;
  await nothingStored(async () => {
    for (const operation of operations.filter((one) => documentedBody(one) !== undefined)) {
      const request = { method: operation.method, url: urlOf(operation, 'x'), key: credentialOf(operation) };
      // All routes share the code that reads bodies: the largest takes 60 ms, and goes to one of them.
      const many = wide(operation.operationId === 'send_email' ? 100_000 : 1_000);
      for (const body of [evil, many]) {
        const { status } = await app.request({ ...request, body, headers: { 'content-type': JSON_TYPE } });
        // With no known field set a change of the caller's own account is a change of nothing.
        assert.ok(status >= 400 || operation.operationId === 'update_me', `${operation.path} answered ${status}`);
      }
    }
  });
  const kept = `{"from":"hello@posthorn.test","to":"ada@example.com","subject":"x","text":"x","metadata":${evil.replace('"__proto__"', '"proto"')}}`;
  const sent = await app.request({ url: '/v1/send', body: kept, headers: { 'content-type': JSON_TYPE } });
  assert.equal(sent.status, 202, sent.text);
  const [{ id }] = Reflect.get(sent.body as object, 'emails');
  const email = await app.request({ url: `/v1/emails/${id}` });
  assert.deepEqual(
    Object.keys(Reflect.get(email.body as object, 'metadata')).sort(),
    [...marks.slice(1), 'proto'].sort(),
  );
  assert.equal(Reflect.get({}, 'isAdmin'), undefined);
  assert.equal(Reflect.get(Object, 'isAdmin'), undefined);
});

const UUID = '0197f400-1c2d-7abc-8def-0123456789ab';
const BAD_IDS = [
  '1',
  "'",
  '1%20OR%201%3D1',
  `${UUID}'--`,
  `%7B${UUID}%7D`,
  UUID.replaceAll('-', ''),
  UUID.slice(1),
  '00000000-0000-0000-0000-000000000000',
  '%20'.repeat(36),
  'x'.repeat(10_000),
  '%00',
  `${UUID}%00`,
  '%ff',
  '%',
  'undefined',
  'null',
  'NaN',
  '%2e%2e',
  '..%2fapi-keys',
  '%F0%9F%93%AE',
  `${UUID};x=1`,
  `${UUID}%0a`,
];

test('404 for every id that names nothing, whatever it looks like, on every route with an id', async (t) => {
  const routes = new Set(
    positionsOf(app.document)
      .filter((one) => one.where === 'path')
      .map((one) => one.operation),
  );
  let cells = 0;
  await nothingStored(async () => {
    for (const operation of routes) {
      for (const id of BAD_IDS) {
        const { method, known } = operation;
        // Two of them in a path lead to another route before anybody has read it, and so do these.
        if (
          id === '%2e%2e' &&
          /\{.*\{|^\/v1\/(?:(?:lists|segments)\/\{id\}\/contacts|contacts\/bulk\/\{id\}\/undo|broadcasts\/\{id\}\/send)$/.test(
            operation.path,
          )
        )
          continue;
        const body = known.body === undefined || method === 'GET' ? {} : { body: known.body };
        // The required fields of a route are asked for first.
        const url = `${urlOf(operation, id)}${OPENED_BY_LINK.includes(operation.operationId) ? '?token=x' : ''}`;
        const answer = await app.request({ method, url, key: credentialOf(operation), ...body });
        expectFault(answer, 404, `${method} ${urlOf(operation, id).slice(0, 200)}`);
        cells += 1;
      }
    }
  });
  t.diagnostic(`${cells} requests to ${routes.size} routes`);
});

const PAGING: [query: string, param: string | null][] = [
  ...['0', '-1', '1.5', '1e9', 'NaN', '%201', '0x1', '%EF%BC%91', '', '%00', 'null', '1;1'].flatMap(
    (value): [string, string][] => [
      [`page=${value}`, 'page'],
      [`limit=${value}`, 'limit'],
    ],
  ),
  ['page=99999999999999999999', 'page'],
  ['page=1&page=2', 'page'],
  ['page[]=1', 'page'],
  ['limit[$gt]=1', 'limit'],
  ['cursor=x', 'cursor'],
  ['cursor=', 'cursor'],
  [`cursor=${Buffer.from('{"i":"x"}').toString('base64url')}`, 'cursor'],
  [`cursor=${Buffer.from(`{"i":"${UUID}' or 1=1"}`).toString('base64url')}`, 'cursor'],
  ...['0000-01-01T00:00:00.000000Z', '2026-02-30T00:00:00.000000Z', 'ada\0@example.com', '', 7, {}].map(
    (key): [string, string] => [
      `cursor=${Buffer.from(JSON.stringify({ c: key, i: UUID })).toString('base64url')}`,
      'cursor',
    ],
  ),
  ['page=1000000', null],
  ['limit=1000', null],
  ['limit=99999999999999999999', null],
  ['limit=00007', null],
];

test('400 with the parameter for pages and cursors that are none, on every list; a page past the end is empty', async () => {
  const lists = operations.filter(({ path, method }) => {
    const documented = app.document.paths[path]?.[method.toLowerCase()] ?? {};
    return /"name":"cursor"/.test(JSON.stringify(documented));
  });
  assert.ok(lists.length >= 9);
  await nothingStored(async () => {
    for (const operation of lists) {
      for (const [query, param] of PAGING) {
        const answer = await app.request({ url: `${urlOfList(operation)}?${query}`, key: credentialOf(operation) });
        const what = `${operation.path}?${query}`;
        if (param === null) {
          assert.equal(answer.status, 200, `${what}: ${answer.text}`);
          const { data, limit } = answer.body as { data: unknown[]; limit: number };
          if (query.startsWith('page')) assert.deepEqual(data, [], what);
          assert.ok(limit <= 100, what);
        } else {
          expectFault(answer, 400, what);
          assert.equal(Reflect.get(answer.body as object, 'param'), param, what);
        }
      }
    }
  });
});

const FILTERS: [query: string, param: string][] = [
  ...['ACTIVE', 'deleted', 'sent,queued', '', 'sent%00', '%ff'].map((value): [string, string] => [
    `status=${value}`,
    'status',
  ]),
  ['status=sent&status=queued', 'status'],
  ['status[]=sent', 'status'],
  ['status[$ne]=sent', 'status'],
  ['to=%00', 'to'],
  ['to=%25', 'to'],
  ['to=%ff', 'to'],
  ['subject=%00', 'subject'],
  ['subject=%ff', 'subject'],
  ['subject=100%', 'subject'],
  ['subject=%ed%a0%80', 'subject'],
  [`subject=${'x'.repeat(999)}`, 'subject'],
  ['tag=a%20b', 'tag'],
  ['source=carrier-pigeon', 'source'],
  ['api_key_id=1', 'api_key_id'],
  ['domain_id=%27', 'domain_id'],
  ['since=yesterday', 'since'],
  ['since=2026-02-30T00:00:00Z', 'since'],
  ['until=1e400', 'until'],
];

test('400 with the parameter for filters that are none; wildcards are letters like others', async () => {
  await nothingStored(async () => {
    for (const url of ['/v1/emails', '/api/v1/email/logs']) {
      for (const [query, param] of FILTERS) {
        const answer = await app.request({ url: `${url}?${query}` });
        expectFault(answer, 400, `${url}?${query}`);
        assert.equal(Reflect.get(answer.body as object, 'param'), param, query);
      }
    }
    for (const query of ['subject=%25', 'subject=_', 'subject=%5C', "subject='", 'from=_%40posthorn.test']) {
      const answer = await app.request({ url: `/v1/emails?${query}` });
      assert.deepEqual([answer.status, Reflect.get(answer.body as object, 'data')], [200, []], query);
    }
    for (const query of ['search=%00', 'search=%ff', 'to=%00'])
      expectFault(await app.request({ url: `/v1/captured-emails?${query}` }), 400, query);
  });
});

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('401 for every way of nearly having a key or a token', async () => {
  const made = await app.request({ url: '/v1/api-keys', body: { name: 'x', scopes: ['*'] } });
  const key = String(Reflect.get(made.body as object, 'key'));
  const [head = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const flipped = (text: string): string => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`;
  const { body: signedIn } = await app.request({ url: '/auth/login', key: null, body: TEST_ADMIN });
  const credentials = [
    // Keys.
    key.slice(0, 12),
    key.slice(0, -1),
    `${key}0`,
    flipped(key),
    key.replace('live', 'test'),
    key.toUpperCase(),
    key.toLowerCase(),
    `${key.slice(0, 20)} ${key.slice(20)}`,
    `${key}, ${key}`,
    'x'.repeat(10_000),
    // Tokens.
    `${head}.${payload}.`,
    `${head}.${payload}`,
    `${token}.`,
    `${token}=`,
    `${head}.${payload}.${flipped(signature.slice(0, -1))}`,
    `${head}.${base64url({ ...claims, sub: UUID })}.${signature}`,
    `${head}.${base64url({ ...claims, exp: 99_999_999_999 })}.${signature}`,
    ...['none', 'None', 'nOnE', 'RS256', 'ES256', 'HS384', 'HS512', 'PS256'].map(
      (alg) => `${base64url({ ...header, alg })}.${payload}.${alg.toLowerCase() === 'none' ? '' : signature}`,
    ),
    `${base64url({ ...header, kid: '../../dev/null' })}.${payload}.${signature}`,
    `${base64url({ ...header, jwk: { kty: 'oct', k: '' } })}.${payload}.${signature}`,
    // A credential for another purpose.
    String(Reflect.get(signedIn as object, 'refresh_token')),
  ];
  await nothingStored(async () => {
    for (const credential of credentials) {
      for (const url of ['/v1/emails', '/auth/me'])
        expectFault(await app.request({ url, key: credential }), 401, `${url} with ${credential}`);
      const inOtherHeader = await app.request({ url: '/v1/emails', key: null, headers: { 'x-api-key': credential } });
      expectFault(inOtherHeader, 401, `X-API-Key ${credential}`);
    }
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${key}`,
      `Token ${key}`,
      key,
      `Bearer Bearer ${key}`,
    ]) {
      const answer = await app.request({ url: '/v1/emails', key: null, headers: { authorization } });
      expectFault(answer, 401, authorization);
    }
  });
  for (const scheme of ['bearer', 'BEARER', 'Bearer'])
    assert.equal(
      (await app.request({ url: '/v1/emails', key: null, headers: { authorization: `${scheme} ${key}` } })).status,
      200,
    );
});

test('400 for an Idempotency-Key of another form on every POST that asks who calls', async () => {
  const posts = operations.filter(
    ({ method, secured, known }) => method === 'POST' && secured && known.access !== 'user',
  );
  assert.ok(posts.length >= 8);
  await nothingStored(async () => {
    for (const operation of posts) {
      for (const key of ['', ' ', 'a b', 'x'.repeat(257), 'ü', 'a\tb', 'a, b']) {
        const request: TestRequest = {
          method: 'POST',
          url: urlOf(operation),
          headers: { 'idempotency-key': key, 'content-type': typesOf(operation)[0] ?? JSON_TYPE },
          body: operation.known.body ?? {},
        };
        const answer = await app.request(request);
        expectFault(answer, 400, `${operation.path} with "${key}"`);
        assert.equal(Reflect.get(answer.body as object, 'param'), 'Idempotency-Key');
      }
    }
  });
});

test('a repeated Idempotency-Key: the same body in other words is replayed, another body is 409, and one email is stored', async () => {
  const headers = { 'idempotency-key': 'bad-inputs', 'content-type': JSON_TYPE };
  const reordered = Object.fromEntries(Object.entries(SEND).toReversed());
  const before = await rowCounts();
  const first = await app.request({ url: '/v1/send', headers, body: JSON.stringify(SEND) });
  assert.equal(first.status, 202);
  for (const body of [
    JSON.stringify(reordered),
    JSON.stringify(SEND, null, 4),
    JSON.stringify(SEND).replace('Hello', '\\u0048ello'),
  ]) {
    const again = await app.request({ url: '/v1/send', headers, body });
    assert.deepEqual([again.status, again.text], [202, first.text]);
    assert.equal(again.headers['idempotent-replayed'], 'true');
  }
  const other = await app.request({ url: '/v1/send', headers, body: JSON.stringify({ ...SEND, text: 'hello' }) });
  assert.equal(other.status, 409);
  assert.equal((await rowCounts())['emails'], (before['emails'] ?? 0) + 1);
});

const ACCEPTED: [what: string, more: object, to: string][] = [
  ['a local part of 64', { to: `${'a'.repeat(64)}@example.com` }, `${'a'.repeat(64)}@example.com`],
  ['a label of 63', { to: `a@${'b'.repeat(63)}.com` }, `a@${'b'.repeat(63)}.com`],
  ['a domain of another script', { to: 'a@bücher.example' }, 'a@xn--bcher-kva.example'],
  ['capitals', { to: 'A@X.TEST' }, 'a@x.test'],
  ['spaces around', { to: '  a@x.test ' }, 'a@x.test'],
  ['a comma in a quoted name', { to: '"Doe, Jane" <jane@x.test>' }, 'jane@x.test'],
  ['998 characters of subject', { subject: 'é'.repeat(998) }, 'ada@example.com'],
  ['a subject that looks encoded', { subject: '=?utf-8?Q?=0D=0ABcc:_x?=' }, 'ada@example.com'],
  ['emoji and right to left', { subject: '👩‍👩‍👧 שלום', text: '\ufffe 😀' }, 'ada@example.com'],
  ['operators in metadata', { metadata: { $where: '1', 'a.b': { $ne: null }, '': [] } }, 'ada@example.com'],
  ['unknown fields', { zebra: 'x', OX: 'x' }, 'ada@example.com'],
];
for (const [what, more, to] of ACCEPTED) {
  test(`202 for ${what}: refusing it would be the mistake`, async () => {
    const sent = await app.request({ url: '/v1/send', body: { ...SEND, to: 'ada@example.com', ...more } });
    assert.equal(sent.status, 202, sent.text);
    const [email] = Reflect.get(sent.body as object, 'emails');
    assert.equal(email.to, to);
    const unknown = Object.keys(more).filter((name) => ['zebra', 'OX'].includes(name));
    assert.equal(sent.headers['x-unknown-fields'] ?? '', unknown.join(','));
  });
}
