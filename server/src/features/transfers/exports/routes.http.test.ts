import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { invalid } from '#platform/errors/app-error.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPlatformApp, WORKSPACE } from '../../../../test/harness/platform-app.ts';
import type { TargetType } from '../target-type.ts';
import type { ExportSource, TransferTarget, TransferTargets } from '../transfer-target.ts';
import { exportRoutes } from './routes.ts';

let database: TestDatabase;
let app: FastifyInstance;
const asked: string[] = [];
const hidden = newId();

/** A target whose lists are named by `list_id`, with one filter of its own. */
function aTarget(resource: string, filter: string): TransferTarget {
  const exports: ExportSource = {
    resource,
    filters: {
      asked: Type.Object({ list_id: Type.String(), [filter]: Type.Optional(Type.String({ maxLength: 5 })) }),
      shown: Type.Object({ list_id: Type.String(), [filter]: Type.Optional(Type.String()) }),
      example: { list_id: newId() },
      read(given) {
        const { list_id: targetId = '', [filter]: value } = given as Record<string, string | undefined>; // checked
        return { targetId, filters: value === undefined ? {} : { [filter]: value } };
      },
      show: (targetId, filters) => ({ list_id: targetId, ...filters }),
    },
    columns: {},
    async authorise(_ctx, targetId) {
      asked.push(`${resource} ${targetId}`);
      if (targetId === '') throw invalid('filters.list_id', 'no list');
    },
    maySee: (_actor, targetId) => targetId !== hidden,
    page: async () => [],
  };
  return { type: resource as TargetType, exports, imports: {} as TransferTarget['imports'] }; // only exports are asked for
}

before(async () => {
  database = await createTestDatabase();
  await sql`insert into workspaces (id, name, slug) values (${WORKSPACE}, 'W', 'w')`.execute(database.db);
  const targets: TransferTargets = new Map(
    [aTarget('people', 'status'), aTarget('shapes', 'colour')].map((target) => [target.type, target]),
  );
  ({ app } = await createPlatformApp(database.db, exportRoutes({ targets })));
});
after(async () => {
  await app.close();
  await database.close();
});

const call = (method: 'GET' | 'POST', url: string, body?: object) =>
  app.inject({ method, url, headers: { authorization: 'Bearer good' }, ...(body === undefined ? {} : { body }) });

test('202 for an export of each kind of list, by the filters of its own, which its record shows', async () => {
  for (const [resource, filters] of [
    ['people', { list_id: newId(), status: 'on' }],
    ['shapes', { list_id: newId(), colour: 'red' }],
    ['shapes', { list_id: newId() }],
  ] as const) {
    const made = await call('POST', '/v1/exports', { resource, filters });
    assert.equal(made.statusCode, 202, made.body);
    assert.deepEqual(asked.splice(0), [`${resource} ${filters.list_id}`]);
    const read = (await call('GET', `/v1/exports/${made.json().id}`)).json();
    assert.deepEqual([read.resource, read.filters], [resource, filters]);
  }
});

test('400 for a kind of list that is none, and for filters that the kind does not take', async () => {
  for (const body of [
    { resource: 'others', filters: { list_id: newId() } },
    { resource: 'shapes', filters: { list_id: newId(), colour: 'far too long' } },
    { resource: 'people', filters: {} },
  ])
    assert.equal((await call('POST', '/v1/exports', body)).statusCode, 400, JSON.stringify(body));
  assert.deepEqual(asked, []);
});

test('404 for an export whose list the caller may not see', async () => {
  const made = await call('POST', '/v1/exports', { resource: 'people', filters: { list_id: hidden } });
  assert.equal((await call('GET', `/v1/exports/${made.json().id}`)).statusCode, 404);
});
