/**
 * Two workspaces with records of every kind, and every route of the OpenAPI document: what the one can find out about
 * the other, or do to it, through any place that takes an id. Nothing.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { SCOPES } from '#features/workspaces';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestAnswer, type TestApp, type TestRequest } from '../harness/app.ts';
import { type Documented, type GeneratedRequest, requestsFor } from './bad-inputs/requests.ts';
import { OPERATIONS } from './tenant-matrix/operations.ts';
import { type Operation, operationsOf, type Position, positionsOf } from './tenant-matrix/positions.ts';
import {
  aFurnishedWorkspace,
  APP_TO_FURNISH,
  fingerprint,
  type Furnished,
  KEY_BODY,
  tokenOf,
} from './tenant-matrix/two-workspaces.ts';
import { proof } from '../harness/property-runs.ts';

const VICTIM = { email: 'victim@example.com', password: 'a password of the victim' };
const ATTACKER = { email: 'attacker@example.com', password: 'a password of the attacker' };

let app: TestApp;
let a: Furnished;
let b: Furnished;

before(async () => {
  app = await createTestApp(APP_TO_FURNISH);
  b = await aFurnishedWorkspace(app, VICTIM);
  a = await aFurnishedWorkspace(app, ATTACKER);
});
after(() => app.close());

/** Every byte that A receives passes here. */
async function asA(request: TestRequest): Promise<TestAnswer> {
  const answer = await app.request(request);
  const received = `${JSON.stringify(answer.headers)}\n${answer.text}`;
  const echoed = `${request.url} ${JSON.stringify(request.body ?? '')} ${JSON.stringify(request.headers ?? '')}`;
  assert.ok(!received.includes(b.canary), `${request.method} ${request.url} told A about B: ${received}`);
  // The log of A's requests names the foreign ids that A asked for.
  const told = request.url.startsWith('/v1/requests') ? b.records.request : Object.values(b.records).flat();
  for (const id of told)
    assert.ok(echoed.includes(id) || !received.includes(id), `${request.method} ${request.url} named ${id} of B`);
  return answer;
}

const pathWith = (operation: Operation, ids: (name: string) => string): string =>
  operation.path.replace(/\{([^}]+)\}/g, (_match, name: string) => ids(name));

const recordOf = (of: Furnished, operation: Operation, name: string): string => {
  const kind = operation.known.ids?.[name] ?? 'no record';
  return of.records[kind][0] ?? 'x';
};

/** The answer without the requested id, the request id and fresh tokens. */
function essence(answer: TestAnswer, id: string): unknown {
  const { 'x-request-id': _id, date: _date, 'content-length': _length, ...headers } = answer.headers;
  const clean = (text: string): string =>
    text
      .replaceAll(id, '<id>')
      .replace(/req_[A-Za-z0-9_-]+/g, '<request>')
      .replace(/"(token|refresh_token)":"[^"]+"/g, '"$1":"<token>"');
  return { status: answer.status, headers: clean(JSON.stringify(headers)), text: clean(answer.text) };
}

function put(body: unknown, pointer: readonly (string | number)[], value: string): unknown {
  const [first, ...rest] = pointer;
  if (first === undefined) return value;
  if (typeof first === 'number') return [put(Array.isArray(body) ? body[first] : undefined, rest, value)];
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  return { ...fields, [first]: put(Reflect.get(fields, first), rest, value) };
}

/** Sign-in and refresh take their credentials in the body. */
async function bodyOf(operation: Operation): Promise<unknown> {
  if (operation.operationId === 'sign_in') return { ...ATTACKER };
  if (operation.operationId === 'refresh_session')
    return { refresh_token: (await tokenOf(app, ATTACKER)).refresh_token };
  return operation.known.body;
}

/** The request of one cell; `id` stands in the position, everything else is A's own. */
async function requestFor(
  position: Position,
  id: string,
  credential: string | Record<string, string> | null,
): Promise<TestRequest> {
  const { operation, where, name } = position;
  const own = (parameter: string): string =>
    where === 'path' && parameter === name ? id : recordOf(a, operation, parameter);
  // With a foreign workspace in the header, the records in the path are the foreign one's too: both lies at once.
  const foreign = (parameter: string): string => (id === b.workspaceId ? recordOf(b, operation, parameter) : newId());
  const url = pathWith(operation, where === 'header' ? foreign : own);
  const usual = operation.known.bodyWith?.[position.pointer.join('.')] ?? (await bodyOf(operation));
  const body = where === 'body' ? put(usual, position.pointer, id) : usual;
  return {
    method: operation.method,
    url: where === 'query' ? `${url}?${name}=${id}` : url,
    key: typeof credential === 'string' ? credential : null,
    headers: {
      ...(where === 'header' ? { 'x-workspace-id': id } : {}),
      ...(typeof credential === 'string' ? {} : credential),
    },
    ...(body === undefined ? {} : { body }),
  };
}

/** Routes that end the session that asks need a session of their own. */
const endsItself = (operation: Operation): boolean =>
  ['sign_out', 'end_other_sessions'].includes(operation.operationId);

const credentialsFor = ({ where, operation }: Position): ('key' | 'token' | 'cookie' | 'none')[] => {
  if (operation.known.access === 'public') return ['none'];
  if (where === 'header') return ['token', 'cookie']; // keys name their workspace: tested below
  return operation.known.access === 'user' ? ['token'] : ['key', 'token'];
};

/** The session of a browser, which sends its cookie and the header of a change, and no token. */
async function cookieOf(who: { email: string; password: string }): Promise<Record<string, string>> {
  const headers = { 'x-posthorn-session': 'cookie' };
  const answer = await app.request({ url: '/auth/login', key: null, body: who, headers });
  return { cookie: String(answer.headers['set-cookie']).split(';', 1)[0] ?? '', 'x-posthorn-csrf': '1' };
}

/** The answer to a foreign id. A filter finds nothing, and a wish for a workspace at sign-in is passed over. */
function expectedStatus({ where, operation }: Position): readonly number[] {
  if (where !== 'path' && where !== 'header' && operation.known.foreignIs !== undefined)
    return [operation.known.foreignIs];
  if (where === 'query') return [200];
  if (where === 'path') return operation.known.ofOperator === true ? [403] : [404];
  if (where === 'body') return operation.known.access === 'public' ? [200] : [422];
  // A person may look at their own account whatever workspace they name; the rest is refused.
  return [403];
}

proof('404, or what is documented, for every id of another workspace: as for an id that never existed', async (t) => {
  const before = await fingerprint(app, b);
  const positions = positionsOf(app.document).filter((position) => position.kind !== 'no record');
  let { token } = await tokenOf(app, ATTACKER);
  let cookie = await cookieOf(ATTACKER);
  let cells = 0;
  const faults: string[] = [];
  for (const position of positions) {
    const { operation } = position;
    for (const credential of credentialsFor(position)) {
      const held = { key: a.key, token, cookie, none: null }[credential];
      const missing = newId();
      const never = await asA(await requestFor(position, missing, held));
      for (const id of b.records[position.kind]) {
        const what = `${operation.method} ${operation.path} with ${position.where} ${position.name} and a ${credential}`;
        const foreign = await asA(await requestFor(position, id, held));
        if (!expectedStatus(position).includes(foreign.status))
          faults.push(`${what} answered ${foreign.status} ${foreign.text}`);
        try {
          assert.deepEqual(essence(foreign, id), essence(never, missing), what);
        } catch (error) {
          faults.push(String(error));
        }
        cells += 1;
      }
      if (!endsItself(operation)) continue;
      ({ token } = await tokenOf(app, ATTACKER));
      cookie = await cookieOf(ATTACKER);
    }
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(await fingerprint(app, b), before, 'nothing of B changed');
  assert.ok(cells > 150, `${cells} cells`);
  t.diagnostic(`${cells} cells over ${positions.length} id positions, 0 leaks, 0 byte differences`);
});

test('a key stays in its workspace whatever X-Workspace-ID says', async () => {
  for (const workspace of [b.workspaceId, newId(), 'nonsense']) {
    const { status, body } = await asA({ url: '/v1/api-keys', key: a.key, headers: { 'x-workspace-id': workspace } });
    assert.equal(status, 200);
    assert.ok(typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data));
    assert.ok(body.data.some((key: { name: string }) => key.name === `${a.canary} full`));
  }
});

test('lists, their cursors and filters tell A nothing of B', async () => {
  const { token } = await tokenOf(app, ATTACKER);
  const { token: tokenOfB } = await tokenOf(app, VICTIM);
  const lists = operationsOf(app.document).filter(
    ({ method, secured, path }) => method === 'GET' && secured && app.document.paths[path] !== undefined,
  );
  let cursors = 0;
  for (const operation of lists) {
    const credential = operation.known.access === 'user' ? token : a.key;
    await asA({ url: pathWith(operation, (name) => recordOf(a, operation, name)), key: credential });
    // A cursor of B's own list is only a place in an order: A reads its own rows from there.
    const ofB = pathWith(operation, (name) => recordOf(b, operation, name));
    const page = await app.request({
      url: `${ofB}?limit=1`,
      key: operation.known.access === 'user' ? tokenOfB : b.key,
    });
    const cursor = page.body !== null && typeof page.body === 'object' && Reflect.get(page.body, 'next_cursor');
    if (typeof cursor !== 'string') continue;
    cursors += 1;
    const url = `${pathWith(operation, (name) => recordOf(a, operation, name))}?cursor=${encodeURIComponent(cursor)}`;
    assert.equal((await app.request({ url, key: credential })).status, 200, url);
    await asA({ url, key: credential });
  }
  for (const query of [`to=ada@${b.canary}.example`, `subject=${b.canary}`, `tag=canary:${b.canary}`]) {
    const answer = await app.request({ url: `/v1/emails?${query}`, key: a.key });
    assert.deepEqual(Reflect.get(answer.body as object, 'data'), []); // 200 with the list envelope, as checked
  }
  assert.ok(cursors >= 4, `${cursors} lists had a cursor`);
});

test('one Idempotency-Key in two workspaces is two keys', async () => {
  const headers = { 'idempotency-key': 'the-same-key-in-both' };
  const own = await asA({ url: '/v1/api-keys', key: a.key, body: KEY_BODY, headers });
  assert.equal(own.headers['idempotent-replayed'], 'true', 'A has used it too');
  const fresh = { 'idempotency-key': b.idempotencyKey };
  const first = await app.request({ url: '/v1/api-keys', key: b.key, body: KEY_BODY, headers: fresh });
  const second = await app.request({ url: '/v1/api-keys', key: a.key, body: KEY_BODY, headers: fresh });
  assert.equal(second.status, 201);
  assert.equal(second.headers['idempotent-replayed'], undefined);
  assert.notEqual(Reflect.get(second.body as object, 'id'), Reflect.get(first.body as object, 'id'));
  const other = { ...KEY_BODY, name: 'Another' };
  assert.equal((await asA({ url: '/v1/api-keys', key: a.key, body: other, headers: fresh })).status, 409);
});

test('401 on every route but the public ones without credentials, and with wrong ones', async () => {
  for (const operation of operationsOf(app.document)) {
    assert.equal(operation.secured, operation.known.access !== 'public', `${operation.operationId} in the document`);
    if (!operation.secured) continue;
    const url = pathWith(operation, (name) => recordOf(b, operation, name));
    const { method } = operation;
    const body = method === 'GET' ? {} : { body: {} };
    for (const headers of [
      {},
      { authorization: 'Bearer' },
      { authorization: `Bearer ${a.key}x` },
      { authorization: `Basic ${Buffer.from(`${VICTIM.email}:${VICTIM.password}`).toString('base64')}` },
      { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' },
      { 'x-api-key': a.key, authorization: `Bearer ${b.key}` },
    ]) {
      const answer = await app.request({ method, url, key: null, headers, ...body });
      assert.equal(answer.status, 401, `${method} ${url} ${JSON.stringify(headers)}: ${answer.text}`);
    }
    const inQuery = await app.request({ method, url: `${url}?api_key=${b.key}&key=${b.key}`, key: null, ...body });
    assert.equal(inQuery.status, 401, `${method} ${url} takes no key in the query`);
  }
});

/** The scope that includes this one. */
const impliedBy = (scope: string): string => scope.replace(/:read$/, ':write');

test('403 that names the scope for a key with every scope but that one, and never for a key with just that one', async (t) => {
  const operations = operationsOf(app.document);
  const scopes = new Set(operations.map(({ known }) => known.access).filter((access) => access.includes(':')));
  const made = async (name: string, held: readonly string[]): Promise<string> => {
    const { body } = await app.request({ url: '/v1/api-keys', key: a.key, body: { name, scopes: held } });
    return String(Reflect.get(body as object, 'key'));
  };
  for (const scope of scopes) {
    const implying = impliedBy(scope);
    const allBut = (...left: (string | undefined)[]): Promise<string> =>
      made(
        `all but ${scope}`,
        SCOPES.filter((one) => !left.includes(one)),
      );
    const without = await allBut(scope, implying);
    const only = await made(`only ${scope}`, [scope]);
    for (const operation of operations.filter(({ known }) => known.access === scope)) {
      const { method } = operation;
      const request = {
        method,
        url: pathWith(operation, () => newId()),
        ...(method === 'GET' ? {} : { body: {} }),
      };
      const others = [operation.known.orAccess ?? []].flat();
      const key =
        others.length === 0
          ? without
          : await allBut(scope, implying, ...others.flatMap((one) => [one, impliedBy(one)]));
      const refused = await app.request({ ...request, key });
      assert.equal(refused.status, 403, `${method} ${operation.path}: ${refused.text}`);
      assert.match(refused.text, new RegExp(`This key needs the scope \\\\"${scope}\\\\"`), operation.path);
      const allowed = await app.request({ ...request, key: only });
      assert.ok(![401, 403].includes(allowed.status), `${method} ${operation.path}: ${allowed.text}`);
    }
  }
  // Routes of a person take no key, however much it may do.
  for (const operation of operations.filter(({ known }) => known.access === 'user')) {
    const url = pathWith(operation, (name) => recordOf(a, operation, name));
    assert.equal((await app.request({ method: operation.method, url, key: a.key })).status, 401, operation.path);
  }
  t.diagnostic(`${scopes.size} scopes over ${operations.length} routes`);
});

test('403 for a viewer on everything that changes the workspace, which stays as it was', async () => {
  const viewer = { email: 'viewer@example.com', password: 'a password of the viewer' };
  assert.equal((await app.request({ url: '/auth/register', key: null, body: viewer })).status, 201);
  const { user } = await tokenOf(app, viewer);
  await sql`insert into members (workspace_id, user_id, role)
    values (${a.workspaceId}, ${user.id}, 'viewer')`.execute(app.db);
  const { token } = (
    await app.request({ url: '/auth/login', key: null, body: { ...viewer, workspace_id: a.workspaceId } })
  ).body as { token: string };
  const before = await fingerprint(app, a);
  let refused = 0;
  for (const operation of operationsOf(app.document)) {
    const { method, known } = operation;
    if (method === 'GET' || !operation.secured || known.ofEverybody === true || known.changesNothing === true) continue;
    const url = pathWith(operation, (name) => recordOf(a, operation, name));
    const answer = await app.request({
      method,
      url,
      key: token,
      ...(known.body === undefined ? {} : { body: known.body }),
    });
    assert.equal(answer.status, 403, `${method} ${url}: ${answer.text}`);
    refused += 1;
  }
  assert.ok(refused > 15);
  assert.deepEqual(await fingerprint(app, a), before);
});

test('somebody who was a member is a stranger on every route, with the token they still hold', async () => {
  const leaver = { email: 'leaver@example.com', password: 'a password of the leaver' };
  assert.equal((await app.request({ url: '/auth/register', key: null, body: leaver })).status, 201);
  const { user } = await tokenOf(app, leaver);
  await sql`insert into members (workspace_id, user_id, role)
    values (${b.workspaceId}, ${user.id}, 'admin')`.execute(app.db);
  const signIn = { url: '/auth/login', key: null, body: { ...leaver, workspace_id: b.workspaceId } };
  const { token } = (await app.request(signIn)).body as { token: string };
  assert.equal((await app.request({ url: `/workspaces/${b.workspaceId}`, key: token })).status, 200);
  const { token: tokenOfB } = await tokenOf(app, VICTIM);
  const removed = { method: 'DELETE', url: `/workspaces/${b.workspaceId}/members/${user.id}`, key: tokenOfB };
  assert.equal((await app.request(removed)).status, 200);
  const before = await fingerprint(app, b);
  for (const operation of operationsOf(app.document).filter((one) => one.secured)) {
    const { method, known } = operation;
    const body = method === 'GET' || known.body === undefined ? {} : { body: known.body };
    const url = pathWith(operation, (name) => recordOf(b, operation, name));
    const answer = await asA({ method, url, key: token, ...body });
    assert.equal(answer.status, 401, `${method} ${url}: ${answer.text}`);
  }
  assert.deepEqual(await fingerprint(app, b), before);
});

/** Of each operation. */
const RUNS = Number(process.env['POSTHORN_PROPERTY_RUNS'] ?? 4);
const SEED = Number(process.env['POSTHORN_PROPERTY_SEED'] ?? 13);

proof('random traffic of A with the ids of B tells nothing and changes nothing', async (t) => {
  const before = await fingerprint(app, b);
  let requests = 0;
  for (const operation of operationsOf(app.document)) {
    const { method, path } = operation;
    const documented: unknown = app.document.paths[path]?.[method.toLowerCase()];
    const { token } = await tokenOf(app, ATTACKER);
    const ofB = (name: string): readonly string[] => {
      const ids = b.records[operation.known.ids?.[name] ?? 'no record'];
      return ids.length === 0 ? ['x'] : ids;
    };
    const traffic = requestsFor(method, path, documented as Documented, ofB); // the document is made of these
    const ask = async ({ as, ...request }: GeneratedRequest): Promise<void> => {
      await asA({ ...request, key: as === 'key' ? a.key : as === 'token' ? token : as });
      requests += 1;
    };
    const slow = operation.known.access === 'public';
    await fc.assert(fc.asyncProperty(traffic, ask), { seed: SEED, numRuns: slow ? 3 : RUNS, endOnFailure: true });
  }
  assert.deepEqual(await fingerprint(app, b), before);
  t.diagnostic(`${requests} requests, 0 leaks`);
});

test('an operation or an id position that the matrix does not know fails it', () => {
  const [path = ''] = Object.keys(app.document.paths).filter((one) => one === '/v1/emails/{id}');
  const renamed = structuredClone(app.document);
  const operation = renamed.paths[path]?.['get'];
  assert.ok(operation !== undefined);
  operation.operationId = 'brand_new';
  assert.throws(() => operationsOf(renamed), /add brand_new/);
  const widened = structuredClone(app.document);
  Object.assign(widened.paths['/v1/queue']?.['get'] ?? {}, {
    parameters: [{ in: 'query', name: 'template_id', schema: { type: 'string', format: 'uuid' } }],
  });
  assert.throws(() => positionsOf(widened), /say what template_id/);
  const named = new Set(operationsOf(app.document).map(({ operationId }) => operationId.replace(/_at_.*$/, '')));
  assert.deepEqual(
    Object.keys(OPERATIONS).filter((id) => !named.has(id)),
    [],
    'and nothing is known that is gone',
  );
});
