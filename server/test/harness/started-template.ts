/**
 * A template on which the first start was made by the program itself: owner, home workspace, first key, sandbox domain
 * with its DKIM key. Hashing a password and making an RSA key cost each whole application about 0.2 s of a core.
 */
import { createListener } from '#platform/db/listener.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { composePosthorn } from '../../src/main/compose.ts';
import { SECRET, TEST_KEY, testSettings } from './app-settings.ts';
import { ensureTemplate, onServer, withDatabase } from './template.ts';
import { createTestClock } from './test-clock.ts';

/** Makes the template on a server that has none yet, and returns its name. */
export async function makeStartedTemplate(serverUrl: string): Promise<string> {
  const name = 'template_started';
  const migrated = await ensureTemplate(serverUrl);
  await onServer(serverUrl, (client) => client.query(`create database ${name} template ${migrated}`));
  const url = withDatabase(serverUrl, name);
  const log = createLog({ level: 'silent' });
  const database = openDatabase({ url, poolMax: 2, applicationName: 'test template', log });
  const clock = createTestClock();
  const posthorn = await composePosthorn({
    db: database.db,
    workerDb: database.db,
    healthDb: database.db,
    listener: createListener({ url, log, clock }),
    settings: testSettings(url, TEST_KEY),
    secrets: createSecrets(SECRET),
    clock,
    log,
    roles: ['api'],
    metrics: createMetrics(),
  });
  await posthorn.firstStart();
  await posthorn.app.close();
  await database.close();
  await onServer(serverUrl, (client) => client.query(`alter database ${name} with allow_connections false`));
  return name;
}
