import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type, type TSchema } from 'typebox';
import { cpuMsOf } from '../../../../test/harness/cpu-time.ts';
import { otherNames } from './other-names.ts';
import { type FieldReaderOptions, fieldReader } from './read-fields.ts';

const file = Type.Object({ filename: Type.String(), contentType: Type.Optional(Type.String()) });
const send = Type.Object({
  subject: Type.String(),
  to: Type.Array(Type.Union([Type.String(), Type.Object({ email: Type.String() })])),
  replyTo: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  attachments: Type.Optional(Type.Array(file)),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

const read = (schema: TSchema, value: unknown, options: Partial<FieldReaderOptions> = {}) =>
  fieldReader(schema, { refusesNearMisses: true, ...options })(value);
const unknownFields = (schema: TSchema, value: unknown): string[] =>
  read(schema, value, { refusesNearMisses: false }).unknown;
const faults = (schema: TSchema, value: unknown, options: Partial<FieldReaderOptions> = {}): string[] =>
  read(schema, value, options).faults.map(({ param, message }) => `${param} ${message}`);

const numbered = (length: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, 1]));

test('both spellings of a field name it, nested ones too', () => {
  const body = { reply_to: 'a', attachments: [{ filename: 'x', content_type: 'y' }] };
  const { value, unknown, faults: none } = read(send, body);
  assert.deepEqual(value, { replyTo: 'a', attachments: [{ filename: 'x', contentType: 'y' }] });
  assert.deepEqual([unknown, none], [[], []]);
  const record = Type.Object({ from_name: Type.String() });
  assert.deepEqual(read(record, { fromName: 'A' }).value, { from_name: 'A' });
});

test('a value without other spellings is given back as it is', () => {
  const body = { subject: 'x', to: [{ email: 'a' }], metadata: { reply_to: 1 }, more: 1 };
  assert.equal(read(send, body).value, body);
});

test('the names in a free-form object are data and stay as they are', () => {
  const body = { reply_to: 'a', metadata: { reply_to: 1, replyTo: 2, sbject: 3 } };
  assert.deepEqual(read(send, body).value, { replyTo: 'a', metadata: body.metadata });
});

test('a field in two spellings is good with one value, and refused with two', () => {
  assert.deepEqual(read(send, { reply_to: 'a', replyTo: 'a' }).value, { replyTo: 'a' });
  const twice = 'replyTo was given in two spellings with different values; give it once';
  assert.deepEqual(faults(send, { reply_to: 'a', replyTo: 'b' }), [twice]);
  assert.deepEqual(faults(send, { replyTo: 'a', reply_to: null }), [twice]);
});

test('a name that is nearly ours is refused and says which is meant', () => {
  assert.deepEqual(faults(send, { sbject: 'x', attachements: [], Subject: 'x', rpelyTo: 'x', subjekt: 'x' }), [
    'sbject is unknown: did you mean subject?',
    'attachements is unknown: did you mean attachments?',
    'Subject is unknown: did you mean subject?',
    'rpelyTo is unknown: did you mean replyTo?',
    'subjekt is unknown: did you mean subject?',
  ]);
  assert.deepEqual(faults(send, { attachments: [{}, { filname: 'x' }] }), [
    'attachments[1].filname is unknown: did you mean filename?',
  ]);
  assert.deepEqual(faults(send, { sender: 'x', object: 'x', t: 'x', status: 'x', id: 'x' }), []);
});

test('a form of a website may have fields that are nearly ours', () => {
  assert.deepEqual(faults(send, { sbject: 'x', dryRun: '1' }, { refusesNearMisses: false }), []);
});

test('a dry run that is not there is never ignored', () => {
  assert.deepEqual(faults(send, { dry_run: true }), ['dry_run is not available: this has no dry run']);
});

test('a field of the other part of the request is refused and sent there', () => {
  const elsewhere = { names: new Set(['dryRun']), remedy: (name: string) => `belongs elsewhere as ${name}` };
  assert.deepEqual(faults(send, { dryRun: true, dry_run: true }, { elsewhere }), [
    'dryRun belongs elsewhere as dryRun',
    'dry_run belongs elsewhere as dryRun',
  ]);
});

test('where nothing may be ignored, an unknown name is refused with the names that are known', () => {
  assert.deepEqual(faults(file, { x: 1 }, { refusesUnknown: true }), [
    'x is unknown: this takes only filename, contentType',
  ]);
  assert.deepEqual(faults(Type.Object({}), { x: 1 }, { refusesUnknown: true }), [
    'x is unknown: this takes no parameters',
  ]);
});

test('names of other services are honoured or refused, in any case', () => {
  const others = otherNames({
    same: { Topic: 'subject', Copy: { field: 'to', read: (value) => [value] } },
    refused: { personalizations: 'cannot be used' },
    inside: { attachments: otherNames({ same: { Name: 'filename' } }) },
  });
  const body = { TOPIC: 'x', Copy: 'a', ReplyTo: 'b', Attachments: [{ Name: 'f' }] };
  assert.deepEqual(read(send, body, { others }), {
    value: { subject: 'x', to: ['a'], replyTo: 'b', attachments: [{ filename: 'f' }] },
    unknown: [],
    faults: [],
  });
  assert.deepEqual(faults(send, { Personalizations: [] }, { others }), ['Personalizations cannot be used']);
  assert.equal(faults(send, { topic: 'x', subject: 'y' }, { others }).length, 1);
});

test('names what no schema knows, and nothing else', () => {
  assert.deepEqual(unknownFields(send, { subject: 'x', to: [], template: 'y', bcc: [] }), ['template', 'bcc']);
  assert.deepEqual(unknownFields(send, { subject: 'x', to: ['a'] }), []);
});

test('looks into arrays and unions, and names a field once', () => {
  const body = { to: ['a', { email: 'b', nmae: 'B' }, { email: 'c', nmae: 'C' }] };
  assert.deepEqual(unknownFields(send, body), ['to[].nmae']);
  const batch = Type.Object({ emails: Type.Array(send) });
  assert.deepEqual(unknownFields(batch, { emails: [{ extra: 1 }, { to: [{ x: 1 }] }] }), [
    'emails[].extra',
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
  const many = numbered(1_000);
  assert.equal(unknownFields(send, many).length, 50);
  const took = cpuMsOf(() => read(send, many));
  assert.ok(took < 500, `${took} ms`);
});

test('more than a thousand fields are refused where their names are no data, without a step for each of them', () => {
  const given = { subject: 'x', to: [], attachments: [{ filename: 'f', ...numbered(100_000) }] };
  let result: ReturnType<typeof read> | undefined;
  const took = cpuMsOf(() => {
    result = read(send, given);
  });
  assert.deepEqual(result?.faults, [{ param: 'attachments[0]', message: 'has more than 1,000 fields' }]);
  assert.deepEqual(result?.value, { subject: 'x', to: [], attachments: [{ filename: 'f' }] });
  assert.ok(took < 100, `${took} ms`);
  assert.deepEqual(faults(send, numbered(1_001)), [' has more than 1,000 fields']);
  assert.deepEqual(faults(send, { metadata: numbered(20_000) }), []);
});

test('names of the prototype are as unknown as others', () => {
  assert.deepEqual(unknownFields(send, { constructor: 1, toString: 1 }), ['constructor', 'toString']);
});
