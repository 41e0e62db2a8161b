/**
 * The HTTP layer alone, around routes that a test declares: what every endpoint has, tested once, without any feature.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { systemClock } from '#platform/clock.ts';
import { loadSettings, type Settings } from '#platform/config/settings.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { unauthenticated } from '#platform/errors/app-error.ts';
import { createApp } from '#platform/http/app.ts';
import type { Actor } from '#platform/http/context.ts';
import type { AppPorts } from '#platform/http/ports.ts';
import type { Route } from '#platform/http/route.ts';
import { createLog } from '#platform/log.ts';

export const WORKSPACE = '01999999-0000-7000-8000-000000000001';
export const OTHER_WORKSPACE = '01999999-0000-7000-8000-000000000002';

export interface PlatformApp {
  app: FastifyInstance;
  /** The messages logged at level error: a test that expects no failure of ours finds it empty. */
  errors: string[];
}

/** `Bearer good` may do everything, `Bearer read` only `*:read`, `Bearer other` belongs to another workspace. */
export async function createPlatformApp(
  db: Db,
  routes: readonly Route[],
  more: Partial<AppPorts> & { env?: Record<string, string> } = {},
): Promise<PlatformApp> {
  const { env, ...ports } = more;
  const errors: string[] = [];
  const log = createLog({ level: 'error', destination: { write: (line) => void errors.push(line) } });
  const settings: Settings = loadSettings({ POSTHORN_PUBLIC_URL: 'http://localhost:3000', ...env }).settings;
  const app = await createApp(routes, {
    db,
    clock: systemClock,
    log,
    settings,
    secrets: createSecrets('a master secret for tests, 32 bytes or more'),
    authenticate: async (request) => actorOf(request),
    readSendLimits: async () => undefined,
    ...ports,
  });
  await app.ready();
  return { app, errors };
}

function actorOf(request: FastifyRequest): Actor {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  switch (token) {
    case 'good':
      return keyActor(WORKSPACE, () => true);
    case 'read':
      return keyActor(WORKSPACE, (scope) => scope.endsWith(':read'));
    case 'other':
      return keyActor(OTHER_WORKSPACE, () => true);
    default:
      throw unauthenticated('Give an API key.');
  }
}

function keyActor(workspaceId: string, may: (scope: string) => boolean): Actor {
  const id = '01999999-0000-7000-8000-00000000000a';
  return {
    type: 'api_key',
    id,
    workspaceId,
    email: null,
    role: null,
    mode: 'live',
    apiKey: {
      id,
      workspaceId,
      name: 'test key',
      scopes: [],
      domainIds: [],
      newsletterIds: [],
      mode: 'live',
      limits: { hourly: 0, daily: 0, monthly: 0 },
    },
    may,
  };
}
