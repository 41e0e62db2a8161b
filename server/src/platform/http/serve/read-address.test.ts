import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import { route } from '../route.ts';
import { addressReader } from './read-address.ts';

const things = {
  method: 'GET',
  path: '/v1/things/:id',
  id: 'get_thing',
  tag: 'Things',
  summary: 'Read',
  access: 'public',
  response: Type.Object({}),
  handler: async () => ({}),
} as const;
const read = addressReader(
  route({
    ...things,
    params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
    query: Type.Object({ status: Type.Optional(Type.String()) }),
  }),
);
const readOpaque = addressReader(route({ ...things, opaque: true }));

const ID = '01999999-0000-7000-8000-000000000001';
const asked = (id: string, query: Record<string, unknown>, url = '/'): FastifyRequest =>
  ({ params: { id }, query, url }) as unknown as FastifyRequest; // the reader looks at these three only

const refusal = (request: FastifyRequest): [string, string | undefined] => {
  try {
    read(request);
  } catch (error) {
    if (error instanceof AppError) return [error.name, error.extras.param];
  }
  return ['none', undefined];
};

test('a good address is returned as it is', () => {
  assert.deepEqual(read(asked(ID, { status: 'on', other: '1' })), {
    params: { id: ID },
    query: { status: 'on', other: '1' },
    unknown: ['other'],
  });
});

test('404 for a path that cannot name a record, 400 for a query that cannot be read', () => {
  assert.deepEqual(refusal(asked('1', {})), ['not_found_error', undefined]);
  assert.deepEqual(refusal(asked('\u0000', {})), ['not_found_error', undefined]);
  assert.deepEqual(refusal(asked(ID, { 'status[]': 'on' })), ['validation_error', 'status']);
  assert.deepEqual(refusal(asked(ID, { status: '\ufffd' })), ['validation_error', 'status']);
  assert.deepEqual(refusal(asked(ID, {}, '/?status=%ff')), ['validation_error', 'status']);
  assert.deepEqual(refusal(asked(ID, {}, '/?%ff=%ff')), ['validation_error', 'query']);
});

test('404 for a name that holds what no name can', () => {
  const readNamed = addressReader(route({ ...things, params: Type.Object({ id: Type.String() }) }));
  assert.deepEqual(readNamed(asked('name', {})).params, { id: 'name' });
  for (const name of ['a\u0000', '\ufffd', 'a\ud800'])
    assert.throws(() => readNamed(asked(name, {})), { name: 'not_found_error' }, JSON.stringify(name));
});

test('an opaque route gets nothing, and nothing is wrong with its address', () => {
  assert.deepEqual(readOpaque(asked('\u0000', { status: '\ufffd' }, '/?status=%ff')), {
    params: {},
    query: {},
    unknown: [],
  });
});
