import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { listEnvelope } from '../paging.ts';
import { createNamedSchemas } from './named-schemas.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };

test('a record is a component under its title, wherever it stands', () => {
  const schemas = createNamedSchemas();
  const Thing = Type.Object({ id: Type.String() }, { title: 'Thing' });
  assert.deepEqual(schemas.refer(Thing, 'GetThingResult'), ref('Thing'));
  assert.deepEqual(schemas.refer(listEnvelope(Thing), 'ListThingsResult'), ref('ThingPage'));
  assert.deepEqual(schemas.refer(Type.Union([Thing, Type.Null()]), 'X'), { anyOf: [ref('Thing'), { type: 'null' }] });
  const { Thing: component, ThingPage: page } = schemas.components();
  assert.deepEqual(component, { type: 'object', required: ['id'], properties: { id: text } });
  assert.deepEqual(page?.properties?.['data'], { type: 'array', items: ref('Thing') });
});

test('a record without a title is called after the place it stands in', () => {
  const schemas = createNamedSchemas();
  const inner = Type.Object({ name: Type.String() });
  const outer = Type.Object({
    owner: inner,
    entries: Type.Array(inner),
    by_day: Type.Record(Type.String(), inner),
    either: Type.Union([inner, Type.Object({ other: Type.String() })]),
  });
  assert.deepEqual(schemas.refer(outer, 'GetThingResult'), ref('GetThingResult'));
  assert.deepEqual(Object.keys(schemas.components()), [
    'GetThingResult',
    'GetThingResultByDayValue',
    'GetThingResultEither1',
    'GetThingResultEither2',
    'GetThingResultEntry',
    'GetThingResultOwner',
  ]);
});

test('two different records under one title are refused', () => {
  const schemas = createNamedSchemas();
  schemas.refer(Type.Object({ id: Type.String() }, { title: 'Thing' }), 'A');
  assert.throws(
    () => schemas.refer(Type.Object({ id: Type.Integer() }, { title: 'Thing' }), 'B'),
    /two different schemas are called Thing/,
  );
});

test('constants, free records and stand-ins are written as generators read them', () => {
  const schemas = createNamedSchemas();
  const shown = Type.Object({ id: Type.String() }, { title: 'Thing' });
  assert.deepEqual(schemas.refer(Type.Union([Type.Literal('a'), Type.Literal('b')]), 'X'), {
    type: 'string',
    enum: ['a', 'b'],
  });
  assert.deepEqual(schemas.refer(Type.Record(Type.String(), Type.Integer()), 'X'), {
    type: 'object',
    additionalProperties: { type: 'integer' },
  });
  assert.deepEqual(schemas.refer(Type.Unknown({ 'x-shown-as': shown }), 'X'), ref('Thing'));
});
