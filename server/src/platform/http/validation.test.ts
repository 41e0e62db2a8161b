import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type, type TSchema } from 'typebox';
import { cpuMsOf } from '../../../test/harness/cpu-time.ts';
import { AppError } from '../errors/app-error.ts';
import { Faults } from '../errors/faults.ts';
import { isInstant } from '../time/instant.ts';
import { compileCheck, sentencesOf } from './validation.ts';

function thrownBy(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The message to the caller of an endpoint with this body. */
function told(
  schema: TSchema,
  value: unknown,
): { param: string | undefined; message: string; details: string[] | undefined } {
  const faults = compileCheck(schema)(value);
  assert.notEqual(faults.length, 0, 'was accepted');
  const error = thrownBy(() => new Faults(sentencesOf(faults, 'body')).throwIfAny());
  assert.ok(error instanceof AppError);
  assert.equal(error.name, 'validation_error');
  assert.notEqual(error.extras.unacceptable, true, 'a body of the wrong form is 400');
  return { param: error.extras.param, message: error.message, details: error.extras.details };
}

const mailbox = Type.Union([Type.String(), Type.Object({ email: Type.String(), name: Type.Optional(Type.String()) })]);
const send = Type.Object({
  subject: Type.String({ minLength: 1 }),
  to: Type.Array(mailbox, { minItems: 1, maxItems: 50 }),
  priority: Type.Optional(Type.Union([Type.Literal('low'), Type.Literal('high')])),
  replyTo: Type.Optional(Type.Union([Type.Literal('none'), Type.Null()])),
  sendAt: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
});
const good = { subject: 'Hi', to: ['ada@example.com'] };

const list = Type.Object({
  kind: Type.Literal('list'),
  of: Type.Object({ list_id: Type.String({ format: 'uuid' }) }),
  format: Type.Optional(Type.Enum(['csv', 'jsonl'])),
});
const newsletter = Type.Object({
  kind: Type.Literal('newsletter'),
  of: Type.Object({ newsletter_id: Type.String({ format: 'uuid' }) }),
});
const either = Type.Union([newsletter, list]);

test('of a union of kinds, the faults of the kind that was named are told, and no others', () => {
  assert.deepEqual(told(either, { kind: 'list', of: { list_id: 'x' } }), {
    param: 'of.list_id',
    message: 'of.list_id must be a valid uuid',
    details: undefined,
  });
  assert.equal(told(either, { kind: 'list', of: 5, format: 'xls' }).param, 'of');
  assert.deepEqual(told(either, { kind: 'list', of: {}, format: 'xls' }).details, [
    'of.list_id is required',
    'format must be one of csv, jsonl',
  ]);
  assert.match(told(either, { kind: 'letter', of: {} }).message, /kind must be one of newsletter, list/);
  const items = Type.Object({ items: Type.Array(either) });
  const given = [
    { kind: 'list', of: { list_id: 'x' } },
    { kind: 'newsletter', of: {} },
  ];
  assert.deepEqual(told(items, { items: given }).details, [
    'items[0].of.list_id must be a valid uuid',
    'items[1].of.newsletter_id is required',
  ]);
});

test('a good body has no faults', () => {
  assert.deepEqual(compileCheck(send)(good), []);
  assert.deepEqual(
    compileCheck(send)({ ...good, to: [{ email: 'a@b.test' }], priority: 'low', sendAt: null, more: 1 }),
    [],
  );
});

test('one fault: its field, and no list', () => {
  assert.deepEqual(told(send, { to: ['a'] }), { param: 'subject', message: 'subject is required', details: undefined });
});

test('several faults: the first field, and one sentence each', () => {
  const { param, details } = told(send, { subject: 1, to: [] });
  assert.equal(param, 'subject');
  assert.deepEqual(details, ['subject must be a string', 'to needs at least one item']);
});

test('a field is named as the caller wrote it, however deep', () => {
  const batch = Type.Object({ emails: Type.Array(send) });
  assert.equal(told(batch, { emails: [good, { ...good, to: ['a', 5] }] }).param, 'emails[1].to[1]');
  assert.equal(told(batch, { emails: [good, { ...good, to: ['a', { name: 'Ada' }] }] }).param, 'emails[1].to[1].email');
  assert.equal(told(Type.Object({ 'a/b~c': Type.Object({ d: Type.String() }) }), { 'a/b~c': {} }).param, 'a/b~c.d');
  assert.equal(told(Type.Object({ 'x/y': Type.String() }), {}).param, 'x/y');
});

test('a union says what would have done', () => {
  assert.equal(told(send, { ...good, to: [5] }).message, 'to[0] must be a string or an object');
  assert.equal(told(send, { ...good, to: [{ email: 5 }] }).message, 'to[0].email must be a string');
  assert.deepEqual(told(send, { ...good, to: [{ name: 'x' }] }), {
    param: 'to[0].email',
    message: 'to[0].email is required',
    details: undefined,
  });
  assert.equal(told(send, { ...good, priority: 'LOW' }).message, 'priority must be one of low, high');
  assert.equal(told(send, { ...good, priority: ['low'] }).message, 'priority must be one of low, high');
  assert.equal(told(send, { ...good, replyTo: 'x' }).message, 'replyTo must be one of none, null');
  assert.match(
    told(send, { ...good, sendAt: 'tomorrow' }).message,
    /^sendAt must be an ISO 8601 date and time with an offset/,
  );
});

test('a pattern is explained by the example of its field, in a union too', () => {
  const slug = Type.String({ pattern: '^[a-z-]+$', examples: ['acme-weekly'] });
  const body = Type.Object({ slug: Type.Optional(Type.Union([slug, Type.Null()])), id: Type.Optional(slug) });
  const message = 'has another form than it must have, such as acme-weekly';
  assert.equal(told(body, { slug: 'Acme Weekly' }).message, `slug ${message}`);
  assert.equal(told(body, { id: '' }).message, `id ${message}`);
  assert.equal(
    told(Type.Object({ id: Type.String({ pattern: '^a$' }) }), { id: 'b' }).message,
    'id has another form than it must have',
  );
});

test('a length, a size and a range are named in words', () => {
  const schema = Type.Object({
    name: Type.String({ minLength: 1, maxLength: 2_000 }),
    code: Type.String({ minLength: 2 }),
    tags: Type.Array(Type.String(), { minItems: 2, maxItems: 3, uniqueItems: true }),
    days: Type.Integer({ minimum: 1, maximum: 30 }),
  });
  const good = { name: 'a', code: 'ab', tags: ['a', 'b'], days: 1 };
  const message = (change: object): string => told(schema, { ...good, ...change }).message;
  assert.equal(message({ name: '' }), 'name must not be empty');
  assert.equal(message({ name: 'a'.repeat(2_001) }), 'name may have at most 2,000 characters');
  assert.equal(message({ code: 'a' }), 'code needs at least 2 characters');
  assert.equal(message({ tags: ['a'] }), 'tags needs at least 2 items');
  assert.equal(message({ tags: ['a', 'b', 'c', 'd'] }), 'tags may have at most 3 items');
  assert.equal(message({ tags: ['a', 'a'] }), 'tags must not contain a value twice');
  assert.equal(message({ days: 0 }), 'days must be at least 1');
  assert.equal(message({ days: 31 }), 'days must be at most 30');
});

test('a field of addresses says so, and shows the form of one', () => {
  const to = Type.Array(Type.String({ examples: ['Ada <ada@example.com>'] }), { minItems: 1, maxItems: 2 });
  const schema = Type.Object({ to });
  assert.equal(told(schema, { to: [] }).message, 'to needs at least one address');
  assert.equal(told(schema, { to: ['a', 'b', 'c'] }).message, 'to may have at most 2 addresses');
  const object = { email: 'ada@example.com', name: 'Ada' };
  assert.equal(told(schema, { to: [object] }).message, 'to[0] must be a string, such as Ada <ada@example.com>');
});

test('a whole body of the wrong type', () => {
  for (const body of [undefined, null, [], 'x', 1, true])
    assert.deepEqual(told(send, body), {
      param: undefined,
      message: 'The body must be a JSON object.',
      details: undefined,
    });
});

test('nothing is converted: "false", 0 and "1" are not what they look like', () => {
  const schema = Type.Object({ enabled: Type.Boolean(), count: Type.Integer() });
  assert.deepEqual(told(schema, { enabled: 'false', count: '1' }).details, [
    'enabled must be true or false',
    'count must be an integer',
  ]);
  assert.equal(told(schema, { enabled: 0, count: 1 }).param, 'enabled');
  assert.equal(told(schema, { enabled: true, count: 1.5 }).param, 'count');
});

test('an id has its canonical form only', () => {
  const schema = Type.Object({ id: Type.String({ format: 'uuid' }) });
  const id = '01999999-aaaa-7000-8000-000000000001';
  assert.deepEqual(compileCheck(schema)({ id }), []);
  for (const other of [id.toUpperCase(), `{${id}}`, id.replaceAll('-', ''), `${id}'--`, ` ${id}`, `${id}\n`, ''])
    assert.equal(told(schema, { id: other }).message, 'id must be a valid uuid');
});

test('at most 20 faults are listed', () => {
  const { details } = told(send, { ...good, to: Array.from({ length: 50 }, () => 5) });
  assert.equal(details?.length, 20);
});

test('a large wrong body is told its first fault, without an error object per item', () => {
  const wrong = { to: Array.from({ length: 1_000_000 }, () => 5) };
  const schema = Type.Object({ to: Type.Array(mailbox) });
  const before = process.memoryUsage().heapUsed;
  const { param, details } = told(schema, wrong);
  assert.ok(process.memoryUsage().heapUsed - before < 50e6);
  assert.equal(param, 'to[0]');
  assert.equal(details, undefined);
  const took = cpuMsOf(() => told(schema, wrong));
  assert.ok(took < 500, `${took} ms`);
});

test('a field name of 1 MB is cut in what is shown', () => {
  const schema = Type.Object({ metadata: Type.Record(Type.String(), Type.String()) });
  const { param, message } = told(schema, { metadata: { ['k'.repeat(1_000_000)]: 1 } });
  assert.equal(param?.length, 256);
  assert.ok(message.length < 400);
});

const INSTANTS = [
  '2026-12-01T09:00:00Z',
  '2026-12-01t09:00:00z',
  '2026-12-01T09:00:00.123456789Z',
  '2024-02-29T23:59:59Z',
  '2026-12-01T09:00:00+05:45',
  '2026-12-01T09:00:00-12:00',
  '2026-12-01T09:00:00+14:00',
  '2026-12-01T09:00:00-00:00',
];
for (const text of INSTANTS) {
  test(`${text} is an instant, and JavaScript reads the same`, () => {
    assert.ok(isInstant(text));
    assert.ok(!Number.isNaN(new Date(text).getTime()));
  });
}

const NOT_INSTANTS = [
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:60:00Z',
  '2026-12-31T23:59:60Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+15:00',
  '2026-01-01T00:00:00+01:60',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00:00',
  '2026-01-01 00:00:00Z',
  '2026-01-01',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-W01-1T00:00:00Z',
  '1767225600',
  'tomorrow',
  '２０２６-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z\n',
  '',
];
for (const text of NOT_INSTANTS) {
  test(`${JSON.stringify(text)} is no instant`, () => {
    assert.equal(isInstant(text), false);
  });
}
