import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { createAuditFeature } from '#features/audit';
import { createLog } from '#platform/log.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../../test/harness/app.ts';
import type { ScheduledWiring } from './wiring.ts';

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

export const EMAIL = {
  from: 'Acme <hello@posthorn.test>',
  to: ['ada@example.com'],
  subject: 'Reminder',
  text: 'We see each other tomorrow.',
};

/** So far from now, in ISO 8601. */
export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

export interface ScheduledApp {
  app: TestApp;
  /** Of services that a test runs by hand, beside the application. */
  wiring: ScheduledWiring;
  logged: string[];
  /** Below `/scheduled`; a path that begins with `/v1` or `/` and a word is taken whole. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** One by the API, an hour from now. */
  scheduled(body?: object, key?: string): Promise<Body>;
  key(body: object): Promise<string>;
  /** Moves its time into the past, behind the back of the API. */
  dueAgo(id: string, seconds: number): Promise<void>;
  /** Its row, and the emails that it became. */
  stored(id: string): Promise<Stored>;
  /** The actions of its log, as the API shows them. */
  actions(id: string): Promise<string[]>;
  close(): Promise<void>;
}

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

export interface Stored {
  row: Body;
  sends: number;
  emails: string[];
  files: number;
  events: string[];
}

export async function createScheduledApp(options: TestAppOptions = {}): Promise<ScheduledApp> {
  const app = await createTestApp(options);
  const logged: string[] = [];
  const log = createLog({ level: 'error', destination: { write: (line) => void logged.push(line) } });
  const { db, clock, settings, secrets, workspaceId } = app;
  const audit = createAuditFeature({ db, clock, log }).auditLog;
  const wiring: ScheduledWiring = { db, clock, log, settings, secrets, missingNewsletters: async () => [], audit };
  const call: ScheduledApp['call'] = (method, path, given = {}) =>
    app.request({ method, url: /^\/(v1|api)\//.test(path) ? path : `/scheduled${path}`, ...given });
  return {
    app,
    wiring,
    logged,
    call,
    async scheduled(body = {}, key) {
      const request = {
        body: { ...EMAIL, scheduled_for: 'in 1 hour', ...body },
        ...(key === undefined ? {} : { key }),
      };
      const reply = await call('POST', '', request);
      assert.equal(reply.status, 201, reply.text);
      return reply.body;
    },
    async key(body) {
      const reply = await app.request({ url: '/v1/api-keys', body: { name: 'test', scopes: ['*'], ...body } });
      assert.equal(reply.status, 201, reply.text);
      return (reply.body as Body).key;
    },
    async dueAgo(id, seconds) {
      await sql`update scheduled_emails set scheduled_for = clock_timestamp() - make_interval(secs => ${seconds})
        where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
    },
    async stored(id) {
      const { rows } = await sql<Stored>`
        select (select to_jsonb(s) from scheduled_emails s where s.workspace_id = ${workspaceId} and s.id = ${id}) as row,
               (select count(*)::integer from send_requests r
                 where r.workspace_id = ${workspaceId} and r.scheduled_id = ${id}) as sends,
               (select coalesce(array_agg(e.status::text order by e.id), '{}') from emails e
                  join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
                 where e.workspace_id = ${workspaceId} and r.scheduled_id = ${id}) as emails,
               (select count(*)::integer from scheduled_attachments a
                 where a.workspace_id = ${workspaceId} and a.scheduled_id = ${id}) as files,
               (select coalesce(array_agg(w.type order by w.id), '{}') from workspace_events w
                 where w.workspace_id = ${workspaceId} and w.payload -> 'scheduled' ->> 'id' = ${id}) as events`.execute(
        db,
      );
      const [row] = rows;
      assert.ok(row !== undefined);
      return row;
    },
    async actions(id) {
      await audit.flush();
      const { body } = await call('GET', `/${id}`);
      return body.audit_log.map((entry: Body) => entry.action);
    },
    async close() {
      await audit.stop();
      await app.close();
    },
  };
}
