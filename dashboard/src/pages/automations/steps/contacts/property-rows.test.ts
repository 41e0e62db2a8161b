import assert from 'node:assert/strict';
import { test } from 'node:test';
import { propertiesOf, rowsOf } from './property-rows.ts';

const TYPES = { orders: 'number', vip: 'boolean', plan: 'string' } as const;

test('rows are properties of the type that the workspace knows, and an empty one removes', () => {
  const rows = [
    { name: 'orders', text: '3' },
    { name: 'vip', text: 'true' },
    { name: 'plan', text: '3' },
    { name: 'old', text: '' },
    { name: 'fresh', text: '7' },
    { name: '', text: 'a row whose name is not written yet' },
  ];
  assert.deepEqual(propertiesOf(rows, TYPES, {}), { orders: 3, vip: true, plan: '3', old: null, fresh: '7' });
});

test('text that is not of the type stays text, for the server to refuse', () => {
  const rows = [
    { name: 'orders', text: 'many' },
    { name: 'vip', text: 'yes' },
  ];
  assert.deepEqual(propertiesOf(rows, TYPES, {}), { orders: 'many', vip: 'yes' });
});

test('properties that nobody touched come back as they were', () => {
  const before = { score: 7, active: false, note: 'a', gone: null };
  assert.deepEqual(propertiesOf(rowsOf(before), {}, before), before);
});
