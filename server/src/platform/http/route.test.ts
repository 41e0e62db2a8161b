import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { type BodyDefinition, bytesMaxOf, mediaTypesOf, schemaOfBody } from './body/body-definition.ts';
import { isRepeatable, route } from './route.ts';

const named = { method: 'POST', path: '/v1/things', id: 'create_thing', tag: 'Things', summary: 'Create' } as const;
const done = async (): Promise<object> => ({});
const fields = Type.Object({ name: Type.String() });
const scoped = { access: { scope: 'things:write' } } as const;
const page = { failure: () => '<p>no</p>' };
const received = { value: 1, fingerprint: '', discard: async () => undefined };

test('definitions that contradict themselves are refused by the compiler', () => {
  const good = { ...named, ...scoped, response: fields, handler: done };
  route({ ...good, body: { json: fields } });
  // @ts-expect-error: only a route for everybody may be called by other sites
  route({ ...good, cors: true });
  // @ts-expect-error: only a route for everybody limits its callers by itself
  route({ ...good, admit: async () => undefined });
  // @ts-expect-error: limits belong to a key, so a route for everybody has none
  route({ ...good, access: { sendLimited: true } });
  // @ts-expect-error: an address that the handler reads by itself has no schema
  route({ ...good, opaque: true, query: fields });
  // @ts-expect-error: an endpoint says how it answers
  route({ ...named, ...scoped, handler: done });
  // @ts-expect-error: a page has no answer for the reference
  route({ ...named, ...scoped, page, response: fields, handler: done });
  // @ts-expect-error: bytes are never optional: without any, the handler gets an empty buffer
  route({ ...good, body: { bytes: ['text/csv'], optional: true } });
  // @ts-expect-error: a body is of one kind
  route({ ...good, body: { json: fields, bytes: ['text/csv'] } });
  // @ts-expect-error: a stream is received by somebody
  route({ ...good, body: { stream: ['text/csv'] } });
});

test('the handler gets the value that its body definition promises', () => {
  const good = { ...named, ...scoped, response: fields };
  route({ ...good, body: { json: fields }, handler: async (_ctx, { body }) => body.name });
  // @ts-expect-error: a body that may be missing may be null
  route({ ...good, body: { json: fields, optional: true }, handler: async (_ctx, { body }) => body.name });
  route({ ...good, body: { bytes: ['text/csv'] }, handler: async (_ctx, { body }) => body.readUInt8(0) });
  const receive = async () => received;
  route({ ...good, body: { stream: ['text/csv'], receive }, handler: async (_ctx, { body }) => body + 1 });
});

const bodies: [BodyDefinition | undefined, { types: string[]; bytesMax: number; hasSchema: boolean }][] = [
  [undefined, { types: ['application/json'], bytesMax: 1_048_576, hasSchema: false }],
  [{ json: fields }, { types: ['application/json'], bytesMax: 1_048_576, hasSchema: true }],
  [
    { form: fields, alsoJson: true, alsoMultipart: true, bytesMax: 9 },
    {
      types: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
      bytesMax: 9,
      hasSchema: true,
    },
  ],
  [{ bytes: ['text/csv'] }, { types: ['text/csv'], bytesMax: 1_048_576, hasSchema: false }],
  [
    { stream: ['text/csv'], receive: async () => received },
    { types: ['text/csv'], bytesMax: 67_108_864, hasSchema: false },
  ],
];
for (const [body, { types, bytesMax, hasSchema }] of bodies) {
  test(`media types, size and schema of a body with ${Object.keys(body ?? {}).join(', ') || 'nothing'}`, () => {
    assert.deepEqual(mediaTypesOf(body), types);
    assert.equal(bytesMaxOf(body), bytesMax);
    assert.equal(schemaOfBody(body) !== undefined, hasSchema);
  });
}

test('POST of a workspace and PATCH …/reschedule take an Idempotency-Key, other routes do not', () => {
  const { access } = scoped;
  assert.ok(isRepeatable({ method: 'POST', path: '/v1/things', access }));
  assert.ok(isRepeatable({ method: 'PATCH', path: '/v1/things/:id/reschedule', access }));
  assert.ok(!isRepeatable({ method: 'PATCH', path: '/v1/things/:id', access }));
  assert.ok(!isRepeatable({ method: 'POST', path: '/api/n/:slug', access: 'public' }));
  assert.ok(!isRepeatable({ method: 'POST', path: '/auth/2fa/recovery-codes', access: 'user' }));
});
