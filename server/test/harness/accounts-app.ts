/**
 * Accounts and keys behind the real HTTP layer, on a database of their own: no sending, no workers. Every answer is
 * checked against the OpenAPI document.
 */
import type { FastifyInstance, InjectOptions } from 'fastify';
import { Type } from 'typebox';
import {
  type ApiKeysFeature,
  createApiKeysFeature,
  createFirstWorkspace,
  listKeysOf,
  takesOfKey,
} from '#features/api-keys';
import {
  createWorkspacesFeature,
  type SystemMail,
  type WorkspaceReaction,
  type WorkspacesFeature,
} from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import { loadSettings, type Settings } from '#platform/config/settings.ts';
import { createSecrets, type Secrets } from '#platform/crypto/secrets.ts';
import { createListener, type Listener } from '#platform/db/listener.ts';
import { createApp } from '#platform/http/app.ts';
import { openApiDocument } from '#platform/http/openapi/openapi.ts';
import { type Route, route } from '#platform/http/route.ts';
import { createLog } from '#platform/log.ts';
import { takeUsage } from '#platform/usage/take-usage.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestClock } from './test-clock.ts';
import { createResponseCheck } from './response-check.ts';

export const OWNER = { email: 'owner@posthorn.test', password: 'the owner has a password' };

export interface Call {
  token?: string;
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
  ip?: string;
}

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

export interface Reply {
  status: number;
  body: Body;
  headers: Record<string, unknown>;
}

interface HeldClock extends Clock {
  advance(seconds: number): void;
  set(at: Date): void;
}

/** A clock that stands still until it is moved. */
function heldClock(at = new Date('2026-11-20T10:15:00.000Z')): HeldClock {
  const clock = createTestClock({ held: true, at });
  return { ...clock, advance: (seconds) => clock.advance(seconds * 1_000) };
}

export interface AccountsApp {
  app: FastifyInstance;
  database: TestDatabase;
  clock: HeldClock;
  settings: Settings;
  secrets: Secrets;
  workspaces: WorkspacesFeature;
  apiKeys: ApiKeysFeature;
  listener: Listener;
  mails: SystemMail[];
  errors: string[];
  /** Of the first start. */
  home: { workspaceId: string; apiKey: string };
  call(method: string, url: string, call?: Call): Promise<Reply>;
  /** Signs in and returns the whole answer. */
  signIn(email?: string, password?: string): Promise<Body>;
  /** Adds somebody to a workspace by invitation and signs them in. */
  join(workspaceId: string, email: string, role: string, ownerToken: string): Promise<Body>;
  /** The token of the newest mail's link. */
  mailedToken(): string;
  close(): Promise<void>;
}

/** Two routes: one returns the caller, one counts like a send. */
const probes: Route[] = [
  route({
    method: 'GET',
    path: '/probe',
    id: 'probe',
    tag: 'Probe',
    summary: 'Says who calls',
    access: { scope: 'emails:read' },
    response: Type.Unknown(),
    handler: async (ctx) => ({ actor: ctx.actor.id, workspace_id: ctx.workspaceId, mode: ctx.actor.mode }),
  }),
  route({
    method: 'POST',
    path: '/probe/send',
    id: 'probe_send',
    tag: 'Probe',
    summary: 'Counts as one send',
    access: { scope: 'emails:send', sendLimited: true },
    response: Type.Unknown(),
    handler: async (ctx) => {
      await takeUsage(ctx.db, takesOfKey(ctx.actor, ctx.clock.now()));
      return { success: true };
    },
  }),
];

export async function createAccountsApp(
  options: {
    env?: Record<string, string>;
    beforeWorkspaceDeleted?: WorkspaceReaction[];
    /** A second process on the same database. */
    beside?: AccountsApp;
    missingDomains?: (ids: readonly string[]) => readonly string[];
  } = {},
): Promise<AccountsApp> {
  const { beside } = options;
  const database = beside?.database ?? (await createTestDatabase());
  const clock = beside?.clock ?? heldClock();
  const errors: string[] = [];
  const log = createLog({ level: 'error', destination: { write: (line) => void errors.push(line) } });
  const { settings } = loadSettings({
    POSTHORN_PUBLIC_URL: 'https://mail.example.com',
    POSTHORN_ADMIN_EMAIL: OWNER.email,
    POSTHORN_ADMIN_PASSWORD: OWNER.password,
    POSTHORN_TRUST_PROXY: '127.0.0.1/32',
    ...options.env,
  });
  const secrets = createSecrets('a master secret for tests, 32 bytes or more');
  const listener = createListener({ url: database.url, log, clock });
  const mails: SystemMail[] = [];
  const { missingDomains, beforeWorkspaceDeleted } = options;
  const workspaces = createWorkspacesFeature({
    sendSystemMail: async (_ctx, mail) => void mails.push(mail),
    listKeysOf,
    ...(beforeWorkspaceDeleted === undefined ? {} : { beforeWorkspaceDeleted }),
  });
  const apiKeys = createApiKeysFeature({
    db: database.db,
    clock,
    log,
    secrets,
    settings,
    listener,
    ...(missingDomains === undefined ? {} : { missingDomains: async (_db, _workspace, ids) => missingDomains(ids) }),
  });
  await listener.start();
  const first = await createFirstWorkspace({ db: database.db, clock, settings });
  const home =
    first === undefined
      ? beside?.home
      : { workspaceId: first.workspaceId, apiKey: first.apiKey ?? settings.apiKey ?? '' };
  if (home === undefined) throw new Error('the first start made nothing');
  const app = await createApp([...workspaces.routes, ...apiKeys.routes, ...probes], {
    db: database.db,
    clock,
    log,
    settings,
    secrets,
    authenticate: (request) => apiKeys.authenticate(request),
    readSendLimits: (ctx) => apiKeys.readSendLimits(ctx),
  });
  await app.ready();
  const check = createResponseCheck(openApiDocument(app));

  const call: AccountsApp['call'] = async (method, url, given = {}) => {
    const headers: Record<string, string> = { ...given.headers };
    if (given.token !== undefined) headers['authorization'] = `Bearer ${given.token}`;
    if (given.key !== undefined) headers['authorization'] = `Bearer ${given.key}`;
    if (given.ip !== undefined) headers['x-forwarded-for'] = given.ip;
    if (given.body !== undefined) headers['content-type'] = 'application/json';
    const request = {
      method,
      url,
      headers,
      ...(given.body === undefined ? {} : { payload: JSON.stringify(given.body) }),
    } as InjectOptions; // the method is one of those that Fastify knows
    const answer = await app.inject(request);
    check({ method, url, status: answer.statusCode, headers: answer.headers, text: answer.body });
    return { status: answer.statusCode, body: JSON.parse(answer.body), headers: answer.headers };
  };
  const signIn: AccountsApp['signIn'] = async (email = OWNER.email, password = OWNER.password) => {
    const answer = await call('POST', '/auth/login', { body: { email, password } });
    if (answer.status !== 200) throw new Error(`sign-in of ${email} answered ${answer.status}: ${answer.body.message}`);
    return answer.body;
  };
  const mailedToken = (): string => /token=([A-Za-z0-9_-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';

  return {
    app,
    database,
    clock,
    settings,
    secrets,
    workspaces,
    apiKeys,
    listener,
    mails,
    errors,
    home,
    call,
    signIn,
    mailedToken,
    async join(workspaceId, email, role, ownerToken) {
      const invited = await call('POST', `/workspaces/${workspaceId}/invites`, {
        token: ownerToken,
        body: { email, role },
      });
      if (invited.status !== 201) throw new Error(`the invitation answered ${invited.status}: ${invited.body.message}`);
      const password = 'a password of a guest';
      await call('POST', `/invites/${mailedToken()}/accept`, { body: { password } });
      return call('POST', '/auth/login', { body: { email, password, workspace_id: workspaceId } }).then(
        (reply) => reply.body,
      );
    },
    async close() {
      await app.close();
      await workspaces.background.stop();
      for (const service of apiKeys.services) await service.stop();
      await listener.stop();
      if (beside === undefined) await database.close();
    },
  };
}
