/**
 * The transactional API with a real database and nothing behind it: no worker runs, so an accepted email stays queued
 * and a test can look at it. Every answer is checked against the OpenAPI document.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { createSandboxDomain } from '#features/domains';
import { createAuditFeature } from '#features/audit';
import { createEmailsFeature, sendTemplateTest } from '#features/emails';
import { createScheduledEmailsFeature, listScheduledOfTemplate } from '#features/scheduled-emails';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { missingNewsletters } from '#features/newsletters';
import { createTemplatesFeature } from '#features/templates';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { unauthenticated } from '#platform/errors/app-error.ts';
import type { Actor, ApiKeyActor } from '#platform/http/context.ts';
import { openApiDocument } from '#platform/http/openapi/openapi.ts';
import { newId } from '#platform/ids.ts';
import { simulatedEvent } from '#providers/capture/simulate-outcome.ts';
import { TEST_KEY, testSettings } from './app-settings.ts';
import { aWorkspace } from './builders.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createPlatformApp } from './platform-app.ts';
import { createResponseCheck } from './response-check.ts';

export interface EmailsApp {
  t: TestDatabase;
  app: FastifyInstance;
  workspaceId: string;
  /** The messages logged at level error. */
  errors: string[];
  /** A token for the given kind of caller, of the app's workspace unless said otherwise. */
  caller(given?: CallerOptions): Promise<string>;
  call(request: CallRequest): Promise<Called>;
  close(): Promise<void>;
}

export interface CallerOptions {
  workspaceId?: string;
  scopes?: string[];
  domainIds?: string[];
  newsletterIds?: string[];
  mode?: 'live' | 'test';
  limits?: ApiKeyActor['limits'];
  /** A dashboard user with this role instead of a key. */
  role?: string;
}

export interface CallRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Called {
  status: number;
  // biome-ignore lint: a test looks into whatever came back
  body: any;
  headers: Record<string, unknown>;
  raw: Buffer;
}

const MASTER = 'a master secret for tests, 32 bytes or more';
const silent = createLog({ level: 'silent' });

export async function createEmailsApp(env: Record<string, string> = {}): Promise<EmailsApp> {
  const t = await createTestDatabase();
  const workspaceId = await aWorkspace(t.db, { isHome: true });
  await createSandboxDomain(t.db, createSecrets(MASTER), workspaceId);
  const actors = new Map<string, Actor>();
  // No issue is sent here.
  const scheduledEmails = createScheduledEmailsFeature({
    db: t.db,
    clock: systemClock,
    log: silent,
    settings: testSettings(t.url, TEST_KEY),
    secrets: createSecrets(MASTER),
    missingNewsletters,
    audit: createAuditFeature({ db: t.db, log: silent, clock: systemClock }).auditLog,
  });
  const feature = createEmailsFeature({
    ...scheduledEmails.ports,
    missingNewsletters,
    loadRecipients: async () => new Map(),
    simulatedEvent,
  });
  const templates = createTemplatesFeature({
    sendTest: sendTemplateTest,
    scheduledOfTemplate: listScheduledOfTemplate,
    automationsOfTemplate: async () => [],
  });
  const { app, errors } = await createPlatformApp(t.db, [...templates.routes, ...feature.routes], {
    env,
    authenticate: async (request) => {
      const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
      const actor = actors.get(token);
      if (actor === undefined) throw unauthenticated('Give an API key.');
      return actor;
    },
  });
  const check = createResponseCheck(openApiDocument(app));

  const caller = async (given: CallerOptions = {}): Promise<string> => {
    const token = randomBytes(9).toString('hex');
    actors.set(token, await anActor(t, given.workspaceId ?? workspaceId, given));
    return token;
  };
  const full = await caller();

  return {
    t,
    app,
    workspaceId,
    errors,
    caller,
    async call({ method, url, token, body, headers }) {
      const answer = await app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${token ?? full}`, ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      check({ method, url, status: answer.statusCode, headers: answer.headers, text: answer.payload });
      const isJson = String(answer.headers['content-type']).startsWith('application/json');
      return {
        status: answer.statusCode,
        body: isJson ? JSON.parse(answer.payload) : undefined,
        headers: answer.headers,
        raw: answer.rawPayload,
      };
    },
    async close() {
      await app.close();
      await t.close();
      assert.deepEqual(errors, [], 'nothing was logged as our failure');
    },
  };
}

async function anActor(t: TestDatabase, workspaceId: string, given: CallerOptions): Promise<Actor> {
  const id = newId();
  const scopes = given.scopes ?? ['*'];
  const may = (scope: string): boolean => scopes.includes('*') || scopes.includes(scope);
  const common = { id, workspaceId, mode: given.mode ?? ('live' as const), may };
  if (given.role !== undefined) {
    return { ...common, type: 'user', email: 'user@example.com', role: given.role, apiKey: null };
  }
  const limits = given.limits ?? { hourly: 0, daily: 0, monthly: 0 };
  await sql`insert into api_keys (workspace_id, id, name, prefix, last4, hash, scopes, mode, limit_hourly, limit_daily,
      limit_monthly)
    values (${workspaceId}, ${id}, 'test', 'ph_live_test', '0000', '\\x00', ${scopes}::text[], ${common.mode},
      ${limits.hourly}, ${limits.daily}, ${limits.monthly})`.execute(t.db);
  return {
    ...common,
    type: 'api_key',
    email: null,
    role: null,
    apiKey: {
      id,
      workspaceId,
      name: 'test',
      scopes,
      domainIds: given.domainIds ?? [],
      newsletterIds: given.newsletterIds ?? [],
      mode: common.mode,
      limits,
    },
  };
}

/** Rows of the tables that an accepted send writes: a refused one leaves them as they were. */
export async function countStored(t: TestDatabase): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from emails where workspace_id is not null) as emails,
           (select count(*) from contents where workspace_id is not null) as contents,
           (select count(*) from send_requests where workspace_id is not null) as sends,
           (select count(*) from email_events where workspace_id is not null) as events,
           (select count(*) from attachments where workspace_id is not null) as attachments,
           (select count(*) from batches where workspace_id is not null) as batches,
           (select coalesce(sum(used), 0) from usage_windows where workspace_id is not null and tier <> 'uses') as used`.execute(
    t.db,
  );
  return rows[0] ?? {};
}
