import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step } from '../automation.ts';
import { holds } from './condition.ts';
import type { Facts } from './facts.ts';
import { interpret } from './interpret.ts';

const NOW = new Date('2026-03-28T12:00:00.000Z');
const FACTS: Facts = {
  email: 'ada@example.com',
  payload: { order_id: 42, total: '9.5', tags: ['a', 'b'], paid: true, deep: { at: '2026-01-02' } },
  subscriber: {
    newsletterId: '0197f500-1c2d-7abc-8def-0123456789ab',
    id: '0197f500-1c2d-7abc-8def-0123456789ac',
    email: 'ada@example.com',
    name: 'Ada',
    source: null,
    status: 'active',
    metadata: { plan: 'pro' },
  },
  hasNewsletter: true,
  contact: null,
  hasLeftList: false,
  isSuppressed: false,
  zone: 'Europe/Berlin',
};
const step = (type: Step['type'], config: Step['config'], key = 'one'): Step => ({ key, type, config });
const END = step('end', {}, 'last');
const at = (isWaiting = false, heard: Record<string, unknown> | null = null) => ({ step: 'one', isWaiting, heard });
const first = (one: Step, place = at(), facts = FACTS, now = NOW) => interpret([one, END], place, facts, now);

test('conditions compare what is there, over own properties only', () => {
  const table: [field: string, op: string, value: unknown, expected: boolean][] = [
    ['payload.order_id', 'equals', '42', true],
    ['payload.order_id', 'not_equals', 42, false],
    ['payload.total', 'greater_than', 9, true],
    ['payload.total', 'less_than', '9.6', true],
    ['payload.missing', 'less_than', 5, false],
    ['payload.missing', 'equals', null, true],
    ['payload.deep.at', 'less_than', '2026-02-01', true],
    ['payload.tags', 'contains', 'b', true],
    ['payload.tags', 'not_contains', 'b', false],
    ['payload.tags', 'in', ['a'], false],
    ['email', 'contains', '@example', true],
    ['email', 'starts_with', 'bob', false],
    ['subscriber.metadata.plan', 'in', ['free', 'pro'], true],
    ['subscriber.source', 'exists', undefined, false],
    ['subscriber.source', 'not_exists', undefined, true],
    ['payload.constructor', 'exists', undefined, false],
    ['email', 'ends_with', '@example.com', true],
    ['payload.missing', 'is_true', undefined, false],
    ['payload.missing', 'is_false', undefined, false],
    ['payload.paid', 'is_true', undefined, true],
    ['payload.paid', 'is_false', undefined, false],
    // As segments call them.
    ['payload.total', 'gt', 9, true],
    ['payload.total', 'lt', 9, false],
    ['payload.deep.at', 'before', '2026-02-01', true],
    ['payload.deep.at', 'after', '2026-02-01', false],
    ['email', 'is_set', undefined, true],
    ['subscriber.source', 'is_not_set', undefined, true],
  ];
  for (const [field, op, value, expected] of table) {
    // The table has the names of operators as texts.
    const condition = { field, op: op as 'equals', value };
    assert.equal(holds(condition, FACTS), expected, `${field} ${op} ${JSON.stringify(value)}`);
  }
});

test('a delay waits so long, and is passed when it has waited', async () => {
  const one = step('delay', { duration: '3 days' });
  assert.deepEqual(await first(one), { is: 'waits', until: new Date('2026-03-31T12:00:00.000Z'), event: null });
  assert.deepEqual(await first(one, at(true)), { is: 'passed', go: 'last', branch: null, output: null });
});

test('a delay until a local time keeps that time over a change of the clocks', async () => {
  const until = async (config: Step['config'], now: string): Promise<string> => {
    const outcome = await first(step('delay', config), at(), FACTS, new Date(now));
    assert.equal(outcome.is, 'waits');
    return 'until' in outcome ? outcome.until.toISOString() : '';
  };
  assert.equal(await until({ until_local: '09:00' }, '2026-03-28T07:59:00Z'), '2026-03-28T08:00:00.000Z');
  assert.equal(
    await until({ until_local: '09:00' }, '2026-03-28T08:00:00Z'),
    '2026-03-29T07:00:00.000Z',
    'summer time',
  );
  assert.equal(await until({ until_local: '02:30' }, '2026-03-28T20:00:00Z'), '2026-03-29T01:30:00.000Z', 'skipped');
  assert.equal(await until({ until_local: '02:30' }, '2026-10-24T20:00:00Z'), '2026-10-25T00:30:00.000Z', 'twice');
  const tokyo = { until_local: '09:00', timezone: 'Asia/Tokyo' };
  assert.equal(await until(tokyo, '2026-03-28T12:00:00Z'), '2026-03-29T00:00:00.000Z');
});

test('a wait goes on by its event, and by its time as it says', async () => {
  const wait = (onTimeout: string) =>
    step('wait_for_event', { event: 'event:paid', timeout: '1 day', on_timeout: onTimeout });
  const began = await first(wait('end'));
  assert.deepEqual(began, { is: 'waits', until: new Date('2026-03-29T12:00:00.000Z'), event: 'event:paid' });
  const came = await first(wait('end'), at(true, { total: 5 }));
  assert.deepEqual([came.is, 'go' in came && came.go], ['passed', 'last']);
  assert.deepEqual(await first(wait('end'), at(true)), { is: 'ends', status: 'completed', reason: 'timeout' });
  assert.equal(Reflect.get(await first(wait('continue'), at(true)), 'go'), 'last');
  assert.equal(Reflect.get(await first(wait('last'), at(true)), 'branch'), 'timeout');
});

test('a condition goes on to the next step, or to the one of its other branch', async () => {
  const one = (value: string, target: string) =>
    step('condition', { field: 'subscriber.metadata.plan', op: 'equals', value, else: target });
  const middle = step('delay', { duration: '1 day' }, 'middle');
  const go = async (value: string, target: string): Promise<unknown> => {
    const outcome = await interpret([one(value, target), middle, END], at(), FACTS, NOW);
    return outcome.is === 'passed' ? `${outcome.branch} ${outcome.go}` : outcome;
  };
  assert.equal(await go('pro', 'last'), 'yes middle');
  assert.equal(await go('free', 'last'), 'no last');
  assert.deepEqual(await go('free', 'end'), { is: 'ends', status: 'completed', reason: 'no' });
});

test('mail that is not transactional ends for people who do not want it; other mail does not', async () => {
  const mail = step('send_email', { template_id: 'x' });
  const of = (facts: Partial<Facts>) => first(mail, at(), { ...FACTS, ...facts });
  const left = { ...FACTS.subscriber, status: 'unsubscribed' } as Facts['subscriber'];
  const waiting = { ...FACTS.subscriber, status: 'pending' } as Facts['subscriber'];
  const exited = (reason: string) => ({ is: 'ends', status: 'exited', reason });
  assert.deepEqual(await of({ isSuppressed: true }), exited('suppressed'));
  assert.deepEqual(await of({ subscriber: left }), exited('unsubscribed'));
  assert.deepEqual(await of({ subscriber: waiting }), exited('not_confirmed'));
  assert.deepEqual(await of({ subscriber: null }), exited('unsubscribed'));
  assert.equal((await of({})).is, 'does');
  assert.equal((await of({ subscriber: null, hasNewsletter: false })).is, 'does');
  const transactional = step('send_email', { template_id: 'x', transactional: true });
  assert.equal((await first(transactional, at(), { ...FACTS, subscriber: left, isSuppressed: true })).is, 'does');
});
