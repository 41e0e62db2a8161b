import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { missingNewsletters } from '#features/newsletters';
import { createLog } from '#platform/log.ts';
import { createSafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../../test/harness/app.ts';
import { createStuckLook } from './running/stuck-runs.ts';
import { createRunService, type RunService } from './run-service.ts';
import type { AutomationsWiring } from './wiring.ts';

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

export interface CallOptions {
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  body: Body;
  text: string;
  headers: Record<string, unknown>;
}

export interface AutomationsApp {
  app: TestApp;
  /** Below `/v1/automations`; a path that begins with `/v1` is taken whole. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** A published template with a sender. */
  template(given?: object): Promise<string>;
  newsletter(slug: string, given?: object): Promise<string>;
  /** One by the API, disabled. */
  automation(given: object): Promise<Body>;
  /** The same, enabled. */
  enabled(given: object): Promise<Body>;
  key(given: object): Promise<string>;
  wiring: AutomationsWiring;
  /** Run by hand: no worker is under way. */
  service: RunService;
  /** Errors that the service has logged. */
  logged: string[];
  /** Takes the steps of this many seconds from now: due rows are moved, not the clock. */
  later(seconds: number): Promise<void>;
  event(name: string, email: string, payload?: object, options?: CallOptions): Promise<Body>;
  /** All runs of an automation with their steps, the oldest first. */
  runs(automationId: string): Promise<Body[]>;
  /** The subjects of the emails of automations to this address, in order. */
  mails(email: string): Promise<string[]>;
  stuck(): Promise<number>;
  close(): Promise<void>;
}

/** Every step of a run as `key status`. */
export const stepsOf = (run: Body): string[] =>
  run.steps.map(({ key, status }: { key: string; status: string }) => `${key} ${status}`);

export const END = { key: 'done', type: 'end', config: {} };
export const SIGN_UP = { type: 'event:signed_up' };
export const FROM = 'Acme <hello@posthorn.test>';

export async function createAutomationsApp(options: TestAppOptions = {}): Promise<AutomationsApp> {
  const app = await createTestApp(options);
  const call: AutomationsApp['call'] = (method, path, given = {}) =>
    app.request({ method, url: path.startsWith('/v1/') ? path : `/v1/automations${path}`, ...given });
  const made = async (path: string, body: object): Promise<Body> => {
    const reply = await call('POST', path, { body });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const { db, clock, settings, secrets, workspaceId } = app;
  const logged: string[] = [];
  const log = createLog({ level: 'error', destination: { write: (line) => void logged.push(line) } });
  const safeFetch = createSafeFetch({ clock, allow: ['127.0.0.1/32'], development: null });
  const wiring: AutomationsWiring = { db, clock, log, settings, secrets, safeFetch, missingNewsletters };
  const service = createRunService(wiring);
  const automation = (given: object): Promise<Body> =>
    made('/v1/automations', { name: 'A', trigger: SIGN_UP, steps: [END], ...given });
  return {
    app,
    call,
    async template(given = {}) {
      const body = {
        name: 'T',
        subject: 'Hello {{ name | default: "you" }}',
        text: 'Hello {{ name | default: "you" }}',
        from: FROM,
        ...given,
      };
      return (await made('/v1/templates', body)).id;
    },
    async newsletter(slug, given = {}) {
      return (await made('/v1/newsletters', { name: slug, slug, double_opt_in: false, ...given })).id;
    },
    automation,
    async enabled(given) {
      const { id } = await automation(given);
      return made(`/v1/automations/${id}/enable`, {});
    },
    async key(given) {
      return (await made('/v1/api-keys', { name: 'test', scopes: ['*'], ...given })).key;
    },
    wiring,
    service,
    logged,
    async later(seconds) {
      await sql`update automation_due set due_at = due_at - make_interval(secs => ${seconds})
        where workspace_id = ${workspaceId}`.execute(db);
      await service.runOnce();
    },
    async event(name, email, payload = {}, options = {}) {
      const reply = await call('POST', '/v1/events', { body: { name, email, payload }, ...options });
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    },
    async runs(id) {
      const { data } = (await call('GET', `/${id}/runs`)).body;
      const runs: Body[] = [];
      for (const run of data.toReversed()) runs.push((await call('GET', `/${id}/runs/${run.id}`)).body);
      return runs;
    },
    async mails(email) {
      const { rows } = await sql<{ subject: string }>`
        select c.subject from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
          join contents c on c.workspace_id = s.workspace_id and c.id = s.content_id
         where e.workspace_id = ${workspaceId} and e.recipient = ${email} and s.source = 'automation' order by e.id`.execute(
        db,
      );
      return rows.map(({ subject }) => subject);
    },
    stuck: () => createStuckLook()(db),
    async close() {
      await safeFetch.close();
      await app.close();
    },
  };
}
