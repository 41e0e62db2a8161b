// Writes server/openapi.json from the schemas of the routes, or with --check says whether it is stale. Needs no
// database: routes are data, and nothing is asked while they are registered.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { loadSettings } from '#platform/config/settings.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createListener } from '#platform/db/listener.ts';
import { openApiDocument } from '#platform/http/openapi/openapi.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { composePosthorn } from '../src/main/compose.ts';

const FILE = path.join(import.meta.dirname, '../openapi.json');
const log = createLog({ level: 'silent' });
// Never connected to: a pool opens its connections at the first query.
const url = 'postgresql://nobody@localhost:1/none';
const { db } = openDatabase({ url, poolMax: 1, applicationName: 'openapi', log });
const posthorn = await composePosthorn({
  db,
  workerDb: db,
  healthDb: db,
  listener: createListener({ url, log, clock: systemClock }),
  settings: loadSettings({}).settings,
  secrets: createSecrets('a secret that seals nothing here'),
  clock: systemClock,
  log,
  roles: ['api'],
  metrics: createMetrics(),
});
await posthorn.app.ready();
const text = `${JSON.stringify(openApiDocument(posthorn.app), null, 2)}\n`;
await posthorn.app.close();

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
  console.log('server/openapi.json is written.');
} else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
  console.log('server/openapi.json is stale; npm run gen');
  process.exitCode = 1;
}
