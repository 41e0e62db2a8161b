import type { FastifyInstance, InjectOptions } from 'fastify';
import { composePosthorn, type Posthorn } from '../../src/main/compose.ts';
import { checkSecret } from '../../src/main/instance/check-database.ts';
import { findHomeWorkspaceId } from '../../src/main/instance/queries.ts';
import type { Settings } from '#platform/config/settings.ts';
import { createSecrets, type Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { createListener } from '#platform/db/listener.ts';
import { type OpenApiDocument, openApiDocument } from '#platform/http/openapi/openapi.ts';
import { startAll } from '#platform/lifecycle.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { changesFirstStart, SECRET, TEST_ADMIN, TEST_KEY, testSettings } from './app-settings.ts';
import { createTestDatabase } from './database.ts';
import { freePort } from './posthorn-process.ts';
import { createResponseCheck } from './response-check.ts';
import { withoutReferences } from './without-references.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

export { TEST_ADMIN };

export interface TestAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** Parsed when it is JSON. */
  body: unknown;
  text: string;
}

export interface TestRequest {
  method?: string;
  url: string;
  body?: unknown;
  /** The first key when left out; null: no credentials. */
  key?: string | null;
  headers?: Record<string, string>;
}

export interface TestApp {
  db: Db;
  url: string;
  /** Of the SMTP relay; 0: it does not run. */
  relayPort: number;
  /** Of mail that arrives; 0: none does. */
  mailPort: number;
  app: FastifyInstance;
  document: OpenApiDocument;
  settings: Settings;
  secrets: Secrets;
  clock: TestClock;
  /** The home workspace and its full-access key. */
  workspaceId: string;
  key: string;
  /** Lines logged at warn or above: a test that expects none asserts so. */
  logged: string[];
  /** Sends a request through the whole application; every answer is checked against the OpenAPI document. */
  request(request: TestRequest): Promise<TestAnswer>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  env?: Record<string, string>;
  /** True: worker, sweeper and feedback run, with the capture provider. */
  worker?: boolean;
  /** True: the SMTP relay listens, with STARTTLS. */
  relay?: boolean;
  /** True: mail can arrive over SMTP, as soon as a domain receives. */
  mail?: boolean;
  /** The limits of a statement; 30 s when left out. */
  queryTimeoutMs?: number;
  /** The database as the worker gets it; the same when left out. */
  workerDb?: (db: Db) => Db;
}

let shared: { document: OpenApiDocument; check: ReturnType<typeof createResponseCheck> } | undefined;

/** All applications of a process have the same routes, so the first one's document and check serve all: 0.3 s each. */
function documentation(app: FastifyInstance): NonNullable<typeof shared> {
  if (shared === undefined) {
    const document = withoutReferences(openApiDocument(app));
    shared = { document, check: createResponseCheck(document) };
  }
  return shared;
}

/** The whole application over a database of its own, without a socket. The key has no limits unless `env` sets them. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const template = changesFirstStart(options.env ?? {}) ? undefined : process.env['POSTHORN_TEST_STARTED_TEMPLATE'];
  const database = await createTestDatabase({
    ...(options.queryTimeoutMs === undefined ? {} : { queryTimeoutMs: options.queryTimeoutMs }),
    ...(template === undefined ? {} : { template }),
  });
  const key = options.env?.['POSTHORN_API_KEY'] ?? TEST_KEY;
  const relayPort = options.relay === true ? String(await freePort()) : '0';
  const settings = testSettings(database.url, key, {
    POSTHORN_SMTP_RELAY_PORT: relayPort,
    POSTHORN_SMTP_RELAYS_PORT: '0',
    POSTHORN_INBOUND_SMTP_PORT: options.mail === true ? String(await freePort()) : '0',
    ...options.env,
  });
  const logged: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line) => void logged.push(line) } });
  const secrets = createSecrets(SECRET);
  const clock = createTestClock();
  const listener = createListener({ url: database.url, log, clock });
  const posthorn: Posthorn = await composePosthorn({
    db: database.db,
    workerDb: options.workerDb?.(database.db) ?? database.db,
    healthDb: database.db,
    listener,
    settings,
    secrets,
    clock,
    log,
    roles: [
      'api',
      ...(options.worker === true ? (['worker'] as const) : []),
      ...(options.relay === true || options.mail === true ? (['smtp'] as const) : []),
    ],
    metrics: createMetrics(),
  });
  await checkSecret(database.db, secrets);
  await posthorn.firstStart();
  const services = await startAll([listener, ...posthorn.services, posthorn.workers], log);
  await posthorn.app.ready();
  const { document, check } = documentation(posthorn.app);

  const request = async (wanted: TestRequest): Promise<TestAnswer> => {
    const method = wanted.method ?? (wanted.body === undefined ? 'GET' : 'POST');
    const credentials: Record<string, string> =
      wanted.key === null ? {} : { authorization: `Bearer ${wanted.key ?? key}` };
    const raw = typeof wanted.body === 'string' || Buffer.isBuffer(wanted.body);
    const inject: InjectOptions = {
      method: method as NonNullable<InjectOptions['method']>, // light-my-request lists methods; tests also try others
      url: wanted.url,
      headers: {
        ...credentials,
        ...(wanted.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...wanted.headers,
      },
      ...(wanted.body === undefined
        ? {}
        : { payload: raw ? (wanted.body as string | Buffer) : JSON.stringify(wanted.body) }), // checked by `raw`
    };
    const answer = await posthorn.app.inject(inject);
    const isJson = /^application\/json(;|$)/.test(String(answer.headers['content-type']));
    check({ method, url: wanted.url, status: answer.statusCode, headers: answer.headers, text: answer.body });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: isJson && answer.body !== '' ? JSON.parse(answer.body) : answer.body,
      text: answer.body,
    };
  };

  const workspaceId = await findHomeWorkspaceId(database.db);

  return {
    db: database.db,
    url: database.url,
    relayPort: settings.smtpRelayPort,
    mailPort: settings.inboundSmtpPort,
    app: posthorn.app,
    document,
    settings,
    secrets,
    clock,
    workspaceId,
    key,
    logged,
    request,
    async close() {
      await posthorn.app.close();
      await services.stop();
      await database.close();
    },
  };
}
