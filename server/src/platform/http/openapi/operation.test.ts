import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type Route, route } from '../route.ts';
import { createNamedSchemas } from './named-schemas.ts';
import { openApiDocument } from './openapi.ts';
import { type Operation, operationOf } from './operation.ts';

const Thing = Type.Object({ id: Type.String() }, { title: 'Thing' });
const Given = Type.Object({ name: Type.String() }, { title: 'Given' });
const about = { tag: 'Things', summary: 'Change a thing' };

const documented = (declared: Route, path = declared.path): Operation =>
  operationOf(declared, path, createNamedSchemas(), 'http://localhost:3000');

/** A route of each kind of caller, with everything that a route can have. */
const change = route({
  ...about,
  method: 'POST',
  path: '/v1/things/:id/change',
  aliases: ['/things/:id/change'],
  id: 'change_thing',
  access: { scope: 'things:write', sendLimited: true },
  params: Type.Object({ id: Type.String({ examples: ['thing-1'] }) }),
  query: Type.Object({ page: Type.Optional(Type.String()), kind: Type.String() }),
  body: { json: Given },
  response: Thing,
  otherResponses: { 200: Type.Object({ id: Type.String() }, { title: 'Existing' }) },
  status: 201,
  errors: [422],
  handler: async () => ({}),
});
const read = route({
  ...about,
  method: 'GET',
  path: '/things',
  id: 'list_things',
  access: 'public',
  response: Thing,
  handler: async () => ({}),
});
const mine = route({
  ...about,
  method: 'GET',
  path: '/mine',
  id: 'my_things',
  access: 'user',
  response: Thing,
  handler: async () => ({}),
});

const ours = route({
  ...about,
  method: 'GET',
  path: '/ours',
  id: 'our_things',
  access: { scope: 'things:read', usersOnly: true },
  response: Thing,
  handler: async () => ({}),
});

test('a second path of a route is an operation with an id of its own, and says which path it repeats', () => {
  const [first, second] = [documented(change), documented(change, '/things/:id/change')];
  assert.deepEqual([first.operationId, first['summary']], ['change_thing', 'Change a thing']);
  assert.deepEqual(
    [second.operationId, second['summary']],
    ['change_thing_at_things_change', 'Change a thing (the same as /v1/things/:id/change)'],
  );
});

test('an operation names the credentials that it takes: none, those of people, or keys too', () => {
  assert.deepEqual(
    [read, mine, ours, change].map((one) => documented(one)['security']),
    [
      [],
      [{ bearer: [] }, { sessionCookie: [] }],
      [{ bearer: [] }, { sessionCookie: [] }],
      [{ bearer: [] }, { apiKey: [] }, { sessionCookie: [] }],
    ],
  );
});

test('path parameters are required and have an example; those of the query are required where the schema says so', () => {
  const shown = documented(change).parameters.flatMap((one) => {
    const { name, in: place, required, example } = one as Record<string, unknown>;
    return place === 'path' || place === 'query' ? [[name, required, example]] : [];
  });
  assert.deepEqual(shown, [
    ['id', true, 'thing-1'],
    ['page', false, undefined],
    ['kind', true, undefined],
  ]);
});

test('a body is required unless the route does without', () => {
  const optional = route({
    ...about,
    method: 'POST',
    path: '/a',
    id: 'a',
    access: 'public',
    body: { json: Given, optional: true },
    response: Thing,
    handler: async () => ({}),
  });
  assert.deepEqual(
    [change, optional].map((one) => documented(one).requestBody?.required),
    [true, false],
  );
});

test('an operation declares its good answers, and each error that its definition implies', () => {
  const statuses = (one: Route): string[] => Object.keys(documented(one).responses).toSorted();
  assert.deepEqual(statuses(read), ['200', '400', '500', '503', 'default']);
  assert.deepEqual(statuses(mine), ['200', '400', '401', '403', '500', '503', 'default']);
  assert.equal(statuses(change).join(' '), '200 201 400 401 403 404 408 409 413 415 422 429 500 503 default');
  assert.deepEqual(documented(change).responses['201']?.content?.['application/json']?.schema, {
    $ref: '#/components/schemas/Thing',
  });
});

test('the document has every path of a route, and no hidden route', () => {
  const hidden = route({
    ...about,
    method: 'GET',
    path: '/h',
    id: 'h',
    access: 'public',
    hidden: true,
    response: Thing,
    handler: async () => ({}),
  });
  const documentOf = (routes: readonly Route[]) =>
    openApiDocument({ documented: { routes, baseUrl: 'http://localhost:3000' } } as unknown as FastifyInstance); // it reads no more
  assert.deepEqual(Object.keys(documentOf([change, hidden, read]).paths), [
    '/v1/things/{id}/change',
    '/things/{id}/change',
    '/things',
  ]);
});
