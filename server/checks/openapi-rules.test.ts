import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenOpenApiRules, type ReadDocument } from './openapi-rules.ts';

const samples = [{ label: 'curl' }, { label: 'Node.js' }, { label: 'Python' }, { label: 'Go' }];
const thing = { type: 'object', properties: { id: { type: 'string' } } };
const json = (schema: object, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
});

/** A good document, which each test changes in one place. */
const good = () => ({
  paths: {
    '/v1/things/{id}': {
      patch: {
        operationId: 'update_thing',
        parameters: [{ in: 'path', name: 'id', example: '1' } as { in: string; name: string; example?: string }],
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/Thing' }, { id: '1' }) },
        responses: {
          200: { description: 'Done.', content: json({ $ref: '#/components/schemas/Thing' }) },
          400: { description: 'Bad.' },
          500: { description: 'Broken.' },
        } as ReadDocument['paths'][string][string]['responses'],
        'x-codeSamples': [...samples],
      },
    },
  },
  components: { schemas: { Thing: thing } as ReadDocument['components']['schemas'] },
});

const brokenBy = (change: (document: ReturnType<typeof good>) => void): string[] => {
  const document = good();
  change(document);
  return brokenOpenApiRules(document);
};
const operationOf = (document: ReturnType<typeof good>) => document.paths['/v1/things/{id}'].patch;

test('a good document breaks no rule', () => {
  assert.deepEqual(brokenOpenApiRules(good()), []);
});

test('a PATCH of a record that can be read, without If-Match, is found', () => {
  const broken = brokenBy((document) => {
    const get = { ...operationOf(document), operationId: 'get_thing' };
    Object.assign(document.paths['/v1/things/{id}'], { get });
  });
  assert.deepEqual(broken, ['PATCH /v1/things/{id}: it takes no If-Match; declare the version of its record']);
});

test('an operation without examples or samples is found', () => {
  const NAME = 'PATCH /v1/things/{id}';
  const broken = brokenBy((document) => {
    const operation = operationOf(document);
    operation.requestBody.content = json({ $ref: '#/components/schemas/Thing' });
    operation.parameters = [{ in: 'path', name: 'id' }];
    operation['x-codeSamples'] = samples.slice(1);
  });
  assert.deepEqual(broken, [
    `${NAME}: the path parameter id has no example`,
    `${NAME}: the body has no example`,
    `${NAME}: it has no sample for curl`,
  ]);
});

test('an optional body without an example is found', () => {
  const broken = brokenBy((document) => {
    const { requestBody } = operationOf(document);
    requestBody.required = false;
    requestBody.content = json({ $ref: '#/components/schemas/Thing' });
  });
  assert.deepEqual(broken, ['PATCH /v1/things/{id}: the body has no example']);
});

test('a record without a name is found in bodies, answers, lists, unions and components', () => {
  const list = { type: 'array', items: thing };
  const broken = brokenBy((document) => {
    operationOf(document).requestBody.content = json(thing, {});
    operationOf(document).responses[200] = { description: 'Done.', content: json({ anyOf: [list, { type: 'null' }] }) };
    document.components.schemas['Other'] = { properties: { inner: thing } };
  });
  assert.deepEqual(broken, [
    'PATCH /v1/things/{id}: the body is a record without a name; give it a title',
    'PATCH /v1/things/{id}: 200 is a record without a name; give it a title',
    'Other is a record without a name',
  ]);
});

test('an answer that is missing, not described or twice under two names is found', () => {
  const broken = brokenBy((document) => {
    operationOf(document).responses = { 400: { description: '' } };
    document.components.schemas['GetThingResult'] = thing;
    document.components.schemas['UpdateThingResult'] = { ...thing };
  });
  assert.deepEqual(broken, [
    'PATCH /v1/things/{id}: 500 is not declared',
    'PATCH /v1/things/{id}: it has no good answer',
    'PATCH /v1/things/{id}: 400 is not described',
    'GetThingResult and UpdateThingResult are the same record; give it a title',
  ]);
});

test('a reference that leads nowhere and an operation id that is used twice are found', () => {
  const broken = brokenBy((document) => {
    operationOf(document).responses[400] = { $ref: '#/components/responses/BadRequest' };
    Object.assign(document.paths, { '/v1/others': { patch: operationOf(good()) } });
  });
  assert.deepEqual(broken, [
    'two operations are called "update_thing"',
    '#/components/responses/BadRequest leads nowhere',
  ]);
});
