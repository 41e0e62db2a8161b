import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { Type } from 'typebox';
import { cpuMsOf } from '../../../test/harness/cpu-time.ts';
import { createPlatformApp } from '../../../test/harness/platform-app.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { pathsMeant } from './path-meant.ts';
import { route } from './route.ts';

const common = { tag: 'Things', summary: 'x', access: 'public', response: Type.Object({}) } as const;
const params = Type.Object({ id: Type.String() });
const handler = async (): Promise<object> => ({});

const elsewhere = ['/messages', '/v1/things/messages'];

test('404 for a path with a slash too many, in capital letters, without /v1 or of another service names the one that exists', async () => {
  const database = await createTestDatabase();
  const { app } = await createPlatformApp(database.db, [
    route({ ...common, method: 'POST', path: '/v1/things', id: 'create_thing', elsewhere, handler }),
    route({ ...common, method: 'GET', path: '/v1/things/:id', id: 'get_thing', params, handler }),
    route({ ...common, method: 'POST', path: '/v1/things/:id/test', id: 'test_thing', params, handler }),
  ]);
  const messageAt = async (url: string): Promise<string> => {
    const answer = await app.inject({ method: 'POST', url });
    assert.equal(answer.statusCode, 404, url);
    return answer.json<{ message: string }>().message;
  };
  for (const meant of ['/v1/things', '/v1/things/7', '/v1/things/7/test'])
    assert.equal(await messageAt(`${meant}/?page=2`), `There is nothing at this path. Did you mean ${meant}?`);
  for (const [url, meant] of [
    ['/things', '/v1/things'],
    ['/V1/Things', '/v1/things'],
    ['/V1/THINGS/aB/Test', '/v1/things/aB/test'],
    ['/messages', 'POST /v1/things'],
  ] as const)
    assert.equal(await messageAt(url), `There is nothing at this path. Did you mean ${meant}?`);
  const wrongMethod = await app.inject({ method: 'POST', url: '/v1/things/messages' });
  assert.equal(wrongMethod.statusCode, 405);
  assert.equal(
    wrongMethod.json<{ message: string }>().message,
    'POST is not available here. Use GET. Did you mean POST /v1/things?',
  );
  for (const url of ['/v1/thing/', '/v1/things/7/tests/', '/v1/things/7/test/8/', '/'])
    assert.equal(await messageAt(url), 'There is nothing at this path.');
  await app.close();
  await database.close();
});

test('a path of a hundred thousand slashes takes time by its length', () => {
  const app = Fastify();
  const meant = pathsMeant(app);
  const took = cpuMsOf(() => assert.equal(meant(`${'/'.repeat(100_000)}a/`), undefined), 1);
  assert.ok(took < 200, `${took} ms`);
});
