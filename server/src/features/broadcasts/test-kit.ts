import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../../test/harness/app.ts';
import { until } from '../../../test/harness/until.ts';

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

export interface BroadcastsApp {
  app: TestApp;
  /** Below `/broadcasts`. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** A new broadcast by the API, fit to be sent but for its audience. */
  draft(body?: object): Promise<Body>;
  /** Contacts `reader-00000@example.com` and so on; returns their ids in this order. */
  contacts(count: number, prefix?: string): Promise<string[]>;
  /** A list with these contacts on it. */
  list(contactIds: readonly string[]): Promise<string>;
  /** Everything that a send of it would have written. */
  stored(id: string): Promise<{ sends: number; emails: number; events: string[] }>;
  read(id: string): Promise<Body>;
  /** The actions in its log, in order. */
  actions(id: string): Promise<string[]>;
  key(body: object): Promise<string>;
  until(what: string, condition: () => Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

export const DRAFT = {
  name: 'Sale',
  from: 'Acme <hello@posthorn.test>',
  subject: 'Hi {{ first_name | default: "there" }}',
  html: '<p>Hello {{ first_name | default: "you" }}</p>',
};

export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

export async function createBroadcastsApp(options: TestAppOptions = {}): Promise<BroadcastsApp> {
  const app = await createTestApp({
    ...options,
    env: { POSTHORN_DASHBOARD_URL: 'https://app.example.com', ...options.env },
  });
  const call: BroadcastsApp['call'] = (method, path, { body, key, headers } = {}) =>
    app.request({
      method,
      url: `/broadcasts${path}`,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
      ...(headers === undefined ? {} : { headers }),
    });
  const read = async (id: string): Promise<Body> => {
    const reply = await call('GET', `/${id}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  return {
    app,
    call,
    read,
    async draft(body = {}) {
      const reply = await call('POST', '', { body: { ...DRAFT, ...body } });
      assert.equal(reply.status, 201, reply.text);
      return reply.body;
    },
    contacts: (count, prefix = 'reader') => addContacts(app, count, prefix),
    list: (contactIds) => addList(app, contactIds),
    stored: (id) => readStored(app, id),
    async actions(id) {
      return (await read(id)).audit_log.map(({ action }: Body) => action);
    },
    async key(body) {
      const reply = await app.request({ url: '/v1/api-keys', body: { name: 'test', scopes: ['*'], ...body } });
      assert.equal(reply.status, 201, reply.text);
      return (reply.body as Body).key;
    },
    async until(what, condition) {
      await until(what, async () => ((await condition()) ? true : undefined));
    },
    close: () => app.close(),
  };
}

async function addContacts(app: TestApp, count: number, prefix: string): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await sql`
    insert into contacts (workspace_id, id, email, first_name, properties)
    select ${app.workspaceId}, s.id, ${prefix} || '-' || lpad((s.n - 1)::text, 5, '0') || '@example.com', 'R' || (s.n - 1), '{"plan":"pro"}'
      from unnest(${ids}::uuid[]) with ordinality as s (id, n)`.execute(app.db);
  return ids;
}

async function addList(app: TestApp, contactIds: readonly string[]): Promise<string> {
  const reply = await app.request({ url: '/v1/lists', body: { name: 'Customers' } });
  assert.equal(reply.status, 201, reply.text);
  const { id } = reply.body as Body;
  await sql`
    insert into contact_list_members (workspace_id, list_id, contact_id)
    select ${app.workspaceId}, ${id}, m.id from unnest(${[...contactIds]}::uuid[]) as m (id)`.execute(app.db);
  return id;
}

async function readStored(app: TestApp, id: string): Promise<{ sends: number; emails: number; events: string[] }> {
  const { rows } = await sql<{ sends: number; emails: number; events: string[] }>`
    select (select count(*)::integer from send_requests s
             where s.workspace_id = ${app.workspaceId} and s.broadcast_id = ${id}) as sends,
           (select count(*)::integer from emails e join send_requests s using (workspace_id)
             where e.workspace_id = ${app.workspaceId} and s.broadcast_id = ${id} and e.send_id = s.id) as emails,
           (select coalesce(array_agg(w.type order by w.id), '{}') from workspace_events w
             where w.workspace_id = ${app.workspaceId} and w.payload -> 'broadcast' ->> 'id' = ${id}) as events`.execute(
    app.db,
  );
  const [row] = rows;
  assert.ok(row !== undefined);
  return row;
}
