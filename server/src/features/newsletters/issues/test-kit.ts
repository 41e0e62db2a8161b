import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../../../test/harness/app.ts';
import { aNewsletter } from '../../../../test/harness/builders.ts';
import { until } from '../../../../test/harness/until.ts';

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Body = any;

export interface Reply {
  status: number;
  body: Body;
  text: string;
  headers: Record<string, unknown>;
}

export interface CallOptions {
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
}

export interface IssuesApp {
  app: TestApp;
  /** Below `/v1/newsletters`. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** A newsletter with as many active subscribers, `reader-0@example.com` and so on. */
  list(subscribers?: number, given?: Parameters<typeof aNewsletter>[2]): Promise<string>;
  /** A new issue of the newsletter, by the API. */
  draft(newsletterId: string, body?: object): Promise<Body>;
  key(body: object): Promise<string>;
  /** The issue as it is stored, and everything that a send of it would have written. */
  stored(issueId: string): Promise<{ issue: Body; sends: number; emails: number; events: string[] }>;
  /** Waits for a condition: looks again and again, since the workers of the application are at it. */
  until(what: string, condition: () => Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

export const DRAFT = { subject: 'News of October', html_body: '<h1>Hi</h1>' };

/** So far from now, in ISO 8601. */
export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

export async function createIssuesApp(options: TestAppOptions = {}): Promise<IssuesApp> {
  const app = await createTestApp({
    ...options,
    env: { POSTHORN_DASHBOARD_URL: 'https://app.example.com', ...options.env },
  });
  const call: IssuesApp['call'] = (method, path, { body, key, headers } = {}) =>
    app.request({
      method,
      url: `/v1/newsletters${path}`,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
      ...(headers === undefined ? {} : { headers }),
    });
  return {
    app,
    call,
    async list(subscribers = 0, given = {}) {
      const { id } = await aNewsletter(app.db, app.workspaceId, given);
      await addSubscribers(app, id, subscribers, 'active');
      return id;
    },
    async draft(newsletterId, body = {}) {
      const reply = await call('POST', `/${newsletterId}/issues`, { body: { ...DRAFT, ...body } });
      assert.equal(reply.status, 201, reply.text);
      return reply.body;
    },
    async key(body) {
      const reply = await app.request({ url: '/v1/api-keys', body: { name: 'test', scopes: ['*'], ...body } });
      assert.equal(reply.status, 201, reply.text);
      return (reply.body as Body).key;
    },
    async stored(issueId) {
      const { rows } = await sql<{ issue: Body; sends: number; emails: number; events: string[] }>`
        select (select to_jsonb(i) from issues i where i.workspace_id = ${app.workspaceId} and i.id = ${issueId}) as issue,
               (select count(*) from send_requests s
                 where s.workspace_id = ${app.workspaceId} and s.issue_id = ${issueId}) as sends,
               (select count(*) from emails e join send_requests s using (workspace_id)
                 where e.workspace_id = ${app.workspaceId} and s.issue_id = ${issueId} and e.send_id = s.id) as emails,
               (select coalesce(array_agg(w.type order by w.id), '{}') from workspace_events w
                 where w.workspace_id = ${app.workspaceId} and w.payload -> 'issue' ->> 'id' = ${issueId}) as events`.execute(
        app.db,
      );
      const [row] = rows;
      assert.ok(row !== undefined);
      return row;
    },
    async until(what, condition) {
      await until(what, async () => ((await condition()) ? true : undefined));
    },
    close: () => app.close(),
  };
}

/** Subscribers as they come out of a sign-up, without the sign-up. */
export async function addSubscribers(
  app: TestApp,
  newsletterId: string,
  count: number,
  status: 'active' | 'pending' | 'unsubscribed',
  prefix = 'reader',
): Promise<void> {
  const ids = Array.from({ length: count }, () => newId());
  await sql`
    insert into subscribers (workspace_id, id, newsletter_id, email, name, status, confirmed_at)
    select ${app.workspaceId}, s.id, ${newsletterId}, ${prefix} || '-' || (s.n - 1) || '@example.com', 'Reader', ${status}, now()
      from unnest(${ids}::uuid[]) with ordinality as s (id, n)`.execute(app.db);
}
