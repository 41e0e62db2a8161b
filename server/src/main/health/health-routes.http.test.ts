import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openDatabase } from '#platform/db/database.ts';
import { openApiDocument } from '#platform/http/openapi/openapi.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { createPlatformApp } from '../../../test/harness/platform-app.ts';
import { healthRoutes } from './health-routes.ts';

const log = createLog({ level: 'silent' });

test('503 from /health without a database is an error like every other, and documented', async () => {
  const url = 'postgresql://nobody@127.0.0.1:1/none';
  const gone = openDatabase({ url, poolMax: 1, applicationName: 'health', log });
  const { app } = await createPlatformApp(gone.db, healthRoutes({ db: gone.db, log, metrics: createMetrics() }));
  try {
    const answer = await app.inject({ url: '/health' });
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.headers['retry-after'], '1');
    const body = answer.json<Record<string, unknown>>();
    assert.partialDeepStrictEqual(body, {
      statusCode: 503,
      name: 'service_unavailable_error',
      requestId: answer.headers['x-request-id'],
      documentation: 'http://localhost:3000/docs/errors#service_unavailable_error',
      status: 'unavailable',
      database: 'unavailable',
    });
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...openApiDocument(app), $id: 'api' });
    const fits = ajv.getSchema('api#/paths/~1health/get/responses/503/content/application~1json/schema');
    assert.ok(fits?.(body), JSON.stringify(fits?.errors));
  } finally {
    await app.close();
    await gone.close();
  }
});

test('200 from /health for 500 requests at once, which share one look at the database', async () => {
  const database = await createTestDatabase();
  let statements = 0;
  const counted = database.db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const { app } = await createPlatformApp(database.db, healthRoutes({ db: counted, log, metrics: createMetrics() }));
  try {
    const ask = async (): Promise<number> => (await app.inject({ url: '/health' })).statusCode;
    assert.equal(await ask(), 200);
    const ofOne = statements;
    assert.ok(ofOne > 0);
    const all = await Promise.all(Array.from({ length: 500 }, ask));
    assert.deepEqual([...new Set(all)], [200]);
    assert.equal(statements, 2 * ofOne);
    assert.equal(await ask(), 200);
    assert.equal(statements, 3 * ofOne, 'the next one looks anew');
  } finally {
    await app.close();
    await database.close();
  }
});
