import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionWords, faultOf, kindOf, withField } from './filter-fields.ts';
import {
  changeNode,
  countParts,
  type FilterNode,
  newCondition,
  newGroup,
  nodeAt,
  readTree,
  writeTree,
} from './filter-tree.ts';

const PROPERTIES = [
  { key: 'plan', type: 'string' as const },
  { key: 'seats', type: 'number' as const },
];
const isNumeric = (field: string) => kindOf(field, PROPERTIES) === 'number';

const FILTER = {
  match: 'all' as const,
  conditions: [
    { field: 'property:seats', op: 'gt', value: 3 },
    {
      match: 'any' as const,
      conditions: [
        { field: 'opened', op: 'at_least', count: 3, within: '30 days' },
        { field: 'list:1', op: 'is_true' },
        { match: 'all' as const, conditions: [{ field: 'property:plan', op: 'equals', value: '4' }] },
      ],
    },
  ],
};

test('a filter survives the way into the builder and back', () => {
  const tree = readTree(FILTER);
  assert.ok(tree !== undefined);
  assert.deepEqual(writeTree(tree, isNumeric), FILTER);
  assert.equal(countParts(tree), 6);
});

test('a text that is no filter makes no tree', () => {
  for (const wrong of [null, [], {}, { match: 'some', conditions: [] }, { match: 'all', conditions: [{ field: 1 }] }]) {
    assert.equal(readTree(wrong), undefined);
  }
});

test('a place of the server names the condition at fault', () => {
  const tree = readTree(FILTER);
  assert.ok(tree !== undefined);
  const found = nodeAt(tree, 'filter.conditions[1].conditions[1].field');
  assert.equal(found.kind === 'condition' && found.field, 'list:1');
  assert.equal(nodeAt(tree, 'filter.match'), tree);
});

test('a group that loses its last condition goes with it', () => {
  const inner = newGroup('any');
  const kept = newCondition();
  const tree = { ...newGroup(), parts: [kept, inner] as FilterNode[] };
  const [only] = inner.parts;
  assert.ok(only !== undefined);
  assert.deepEqual(changeNode(tree, only.id, () => undefined).parts, [kept]);
  assert.deepEqual(changeNode({ ...tree, parts: [kept] }, kept.id, () => undefined).parts, []);
});

test('a condition says what it lacks', () => {
  const fresh = newCondition();
  assert.equal(faultOf(fresh, PROPERTIES), 'Choose a field.');
  const seats = withField(fresh, 'property:seats', PROPERTIES);
  assert.equal(faultOf({ ...seats, value: 'many' }, PROPERTIES), 'Enter a number.');
  assert.equal(faultOf({ ...seats, value: '4' }, PROPERTIES), undefined);
  assert.equal(faultOf(withField(fresh, 'list:', PROPERTIES), PROPERTIES), 'Choose a list.');
  const event = withField(fresh, 'received_event:', PROPERTIES);
  assert.equal(faultOf(event, PROPERTIES), 'Enter the name of an event, such as order.paid.');
  assert.equal(faultOf({ ...event, field: 'received_event:order.paid' }, PROPERTIES), undefined);
  assert.equal(
    faultOf({ ...withField(fresh, 'opened', PROPERTIES), count: '0' }, PROPERTIES),
    'Enter a whole number from 1.',
  );
});

test('a condition is told in words', () => {
  const names = { properties: PROPERTIES, lists: [{ id: '1', name: 'Customers' }], segments: [] };
  assert.equal(conditionWords({ field: 'property:seats', op: 'gt', value: 3 }, names), 'seats is more than 3');
  assert.equal(conditionWords({ field: 'list:1', op: 'is_false' }, names), 'Not on the list Customers');
  assert.equal(
    conditionWords({ field: 'opened', op: 'at_least', count: 3, within: '30 days' }, names),
    'Emails opened: at least 3 in the last 30 days',
  );
  assert.equal(conditionWords({ field: 'email', op: 'is_set' }, names), 'Address has a value');
  const opened = { field: 'opened:7', op: 'is_false' };
  const broadcasts = [{ id: '7', name: 'Autumn news' }];
  assert.equal(conditionWords(opened, { ...names, broadcasts }), 'Opened the mailing Autumn news: no');
  assert.equal(conditionWords(opened, names), 'Opened the mailing 7: no');
  const paid = { field: 'received_event:order.paid', op: 'at_least', within: '30 days' };
  assert.equal(conditionWords(paid, names), 'Event order.paid: at least 1 in the last 30 days');
});
