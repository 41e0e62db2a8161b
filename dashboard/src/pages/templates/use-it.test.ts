import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script } from 'node:vm';
import type { Template } from '../../api/generated/types.gen.ts';
import { asNode, sendOf } from './use-it.ts';

const TEMPLATE: Template = {
  id: '0197f400-1c2d-7abc-8def-0123456789ab',
  name: 'Welcome',
  alias: null,
  version: 1,
  published_version: 1,
  status: 'published',
  subject: null,
  preheader: null,
  html: 'x',
  text: null,
  from: null,
  reply_to: [],
  layout: null,
  variables: [{ key: 'user.name', type: 'string', required: true, fallback: null, declared: false }],
  samples: [],
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
};

test('a send names the alias and the data of the first sample, and no sender where the template has one', () => {
  const samples = [{ name: 'Ada', variables: { user: { name: 'Ada' } } }];
  assert.deepEqual(sendOf({ ...TEMPLATE, alias: 'welcome', from: 'a@example.com', samples }), {
    to: ['ada@example.com'],
    templateId: 'welcome',
    variables: { user: { name: 'Ada' } },
  });
});

test('a send without alias and sample names the id, and a value for each variable', () => {
  assert.deepEqual(sendOf(TEMPLATE), {
    from: 'hello@example.com',
    to: ['ada@example.com'],
    templateId: TEMPLATE.id,
    variables: { user: { name: 'name' } },
  });
});

test('the code for Node sends that body', async () => {
  const body = { variables: { name: 'a`b"c\\d${e}</script>\n' } };
  const code = `(async (fetch, process, console) => {${asNode(body, 'http://localhost:3000')}})`;
  const run: (...given: unknown[]) => Promise<void> = new Script(code).runInThisContext();
  const calls: [string, { body: string }][] = [];
  const answer = { ok: true, json: async () => ({}) };
  const fetched = async (url: string, call: { body: string }) => {
    calls.push([url, call]);
    return answer;
  };
  await run(fetched, { env: {} }, { log: () => undefined });
  assert.deepEqual(
    calls.map(([url, call]) => [url, JSON.parse(call.body)]),
    [['http://localhost:3000/v1/send', body]],
  );
});
