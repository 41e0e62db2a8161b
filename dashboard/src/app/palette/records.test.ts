import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toRecord } from './records.ts';

const ID = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';

test('an issue is listed by its subject without Liquid, and other records by their names as they are', () => {
  const labelOf = (type: 'issue' | 'broadcast' | 'template', name: string | null) =>
    toRecord({ type, id: ID, name, parent: null })[0]?.label;
  assert.equal(labelOf('issue', 'Hi {{ subscriber.name | default: "there" }}, news'), 'Hi there, news');
  assert.equal(labelOf('issue', '{{ subscriber.name }}'), 'Issue');
  assert.equal(labelOf('template', 'How {{ braces }} work'), 'How {{ braces }} work');
  assert.equal(labelOf('broadcast', null), 'Broadcast');
});
