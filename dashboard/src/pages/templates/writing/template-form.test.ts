import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Template } from '../../../api/generated/types.gen.ts';
import { changeOfTemplate, faultsOfTemplate, sampleOf, valuesOfTemplate } from './template-form.ts';

const TEMPLATE: Template = {
  id: '1',
  name: 'Welcome',
  alias: null,
  version: 1,
  published_version: 1,
  status: 'published',
  subject: 'Hi {{ name }}',
  preheader: null,
  html: '<p>a\r\nb</p>',
  text: null,
  from: null,
  reply_to: [],
  layout: null,
  variables: [
    { key: 'age', type: 'number', required: true, fallback: 7, declared: true },
    { key: 'name', type: 'string', required: true, fallback: null, declared: false },
    { key: 'order.items', type: 'list', required: false, fallback: null, declared: false },
  ],
  samples: [{ name: 'Ada', variables: { name: 'Ada' } }],
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
};

test('a form that nobody has typed in changes nothing', () => {
  assert.deepEqual(changeOfTemplate(valuesOfTemplate(TEMPLATE), TEMPLATE), {});
});

test('only changed fields are sent, and of the variables only those that were declared', () => {
  const values = valuesOfTemplate(TEMPLATE);
  const name = { key: 'name', type: 'string' as const, required: false, fallback: 'friend' };
  assert.deepEqual(
    changeOfTemplate(
      {
        ...values,
        reply_to: '"Help, Acme" <help@example.com>, ada@example.com',
        variables: [...values.variables, name],
        samples: [{ name: 'none', json: '' }],
      },
      TEMPLATE,
    ),
    {
      reply_to: ['"Help, Acme" <help@example.com>', 'ada@example.com'],
      variables: [
        { key: 'age', type: 'number', required: true, fallback: 7 },
        { key: 'name', type: 'string', required: false, fallback: 'friend' },
      ],
      samples: [{ name: 'none', variables: {} }],
    },
  );
});

test('data that is no JSON is a fault of its field', () => {
  const values = valuesOfTemplate(TEMPLATE);
  const variables = [{ key: 'age', type: 'number' as const, required: true, fallback: 'seven' }];
  const samples = [
    { name: 'a', json: '{"name": "Ada"}' },
    { name: 'b', json: '[1]' },
  ];
  assert.deepEqual(Object.keys(faultsOfTemplate({ ...values, variables, samples })), [
    'variables.0.fallback',
    'samples.1.json',
  ]);
});

test('a new sample has a value for every variable', () => {
  assert.deepEqual(JSON.parse(sampleOf(TEMPLATE.variables)), { age: 1, name: 'name', order: { items: [] } });
});
