import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { unknownFields } from './unknown-fields.ts';

const send = Type.Object({
  subject: Type.String(),
  to: Type.Array(Type.Union([Type.String(), Type.Object({ email: Type.String() })])),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

test('names what no schema knows, and nothing else', () => {
  assert.deepEqual(unknownFields(send, { subject: 'x', to: [], templateID: 'y', bcc: [] }), ['templateID', 'bcc']);
  assert.deepEqual(unknownFields(send, { subject: 'x', to: ['a'] }), []);
});

test('looks into arrays and unions, and names a field once', () => {
  const body = { to: ['a', { email: 'b', nmae: 'B' }, { email: 'c', nmae: 'C' }] };
  assert.deepEqual(unknownFields(send, body), ['to[].nmae']);
  const batch = Type.Object({ emails: Type.Array(send) });
  assert.deepEqual(unknownFields(batch, { emails: [{ sbject: 1 }, { to: [{ x: 1 }] }] }), [
    'emails[].sbject',
    'emails[].to[].x',
  ]);
});

test('a field that one branch of a union of objects knows is known', () => {
  const action = Type.Union([
    Type.Object({ kind: Type.Literal('wait'), seconds: Type.Integer() }),
    Type.Object({ kind: Type.Literal('send'), template: Type.Object({ id: Type.String() }) }),
    Type.Null(),
  ]);
  const schema = Type.Object({ action });
  assert.deepEqual(unknownFields(schema, { action: { kind: 'send', template: { id: 'x' } } }), []);
  assert.deepEqual(unknownFields(schema, { action: { kind: 'send', template: { id: 'x', name: 'y' }, wat: 1 } }), [
    'action.template.name',
    'action.wat',
  ]);
});

test('free-form objects are not looked into', () => {
  assert.deepEqual(unknownFields(send, { metadata: { anything: { goes: 1 } } }), []);
});

test('an intersection knows the fields of all its parts', () => {
  const schema = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]);
  assert.deepEqual(unknownFields(schema, { a: '', b: '', c: '' }), ['c']);
});

test('a body that is no object has no fields', () => {
  for (const body of [undefined, null, 'x', 1, []]) assert.deepEqual(unknownFields(send, body), []);
});

test('only what may stand in a header is named, and at most 50 names', () => {
  const odd = { 'a b': 1, 'a,b': 1, 'a\r\nb': 1, é: 1, ['x'.repeat(65)]: 1, '': 1, ok: 1 };
  assert.deepEqual(unknownFields(send, odd), ['ok']);
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]));
  assert.equal(unknownFields(send, many).length, 50);
});

test('names of the prototype are as unknown as others', () => {
  assert.deepEqual(unknownFields(send, { constructor: 1, toString: 1 }), ['constructor', 'toString']);
});
