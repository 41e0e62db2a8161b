import assert from 'node:assert/strict';
import { createTestApp, type TestApp, type TestAppOptions } from '../../../test/harness/app.ts';

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
  close(): Promise<void>;
}

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
  const automation = (given: object): Promise<Body> =>
    made('/v1/automations', { name: 'A', trigger: SIGN_UP, steps: [END], ...given });
  return {
    app,
    call,
    async template(given = {}) {
      const body = { name: 'T', subject: 'Hello {{ name }}', text: 'Hello {{ name }}', from: FROM, ...given };
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
    close: () => app.close(),
  };
}
