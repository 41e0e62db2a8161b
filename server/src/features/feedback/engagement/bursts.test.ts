import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BURST_LINKS, BURST_MS, burstsOf, type Click, clicksInBursts, clientOf } from './bursts.ts';

/** `link@second`, from one address unless another is given; `leave` is the link to leave. */
const clicks = (...list: [string, string?][]): Click[] =>
  list.map(([text, ipAddress = '198.51.100.7'], index) => {
    const [link = '', second = '0'] = text.split('@');
    return { id: `${index}`, link, ipAddress, atMs: Number(second) * 1_000, isLeaving: link === 'leave' };
  });

const table: [string, Click[], string[]][] = [
  ['one click', clicks(['a@0']), []],
  ['two links 6 s apart', clicks(['a@0'], ['b@6']), []],
  ['two links at once', clicks(['a@0'], ['b@0']), []],
  ['one link clicked ten times', clicks(...Array.from({ length: 10 }, (): [string] => ['a@0'])), []],
  ['three links in a reading', clicks(['a@0'], ['b@4'], ['c@9']), []],
  ['three links at once', clicks(['a@0'], ['b@0'], ['c@0']), ['0', '1', '2']],
  ['three links in exactly five seconds', clicks(['a@0'], ['b@2'], ['c@5']), ['0', '1', '2']],
  ['three links in a little more', clicks(['a@0'], ['b@2'], ['c@5.001']), []],
  [
    'a scanner of a mail gateway: every link in document order',
    clicks(['logo@0.0'], ['shop@0.12'], ['imprint@0.25'], ['shop@0.31'], ['help@0.4']),
    ['0', '1', '2', '3', '4'],
  ],
  [
    'a scanner from three addresses of one network',
    clicks(['a@0', '198.51.100.1'], ['b@1', '198.51.100.2'], ['c@2', '198.51.100.250']),
    ['0', '1', '2'],
  ],
  [
    'three readers of a grouped message',
    clicks(['a@0', '198.51.100.1'], ['b@1', '203.0.113.1'], ['c@2', '192.0.2.1']),
    [],
  ],
  [
    'a scanner, and its reader elsewhere a second later',
    clicks(['a@0'], ['b@0'], ['c@0'], ['a@1', '203.0.113.9']),
    ['0', '1', '2'],
  ],
  [
    'a scanner, and its reader behind the same address later',
    clicks(['a@0'], ['b@0'], ['c@0'], ['a@30']),
    ['0', '1', '2'],
  ],
  [
    'two waves of a scanner',
    clicks(['a@0'], ['b@1'], ['c@2'], ['a@60'], ['b@61'], ['c@62']),
    ['0', '1', '2', '3', '4', '5'],
  ],
  [
    'a chain of clicks, three in any five seconds',
    clicks(['a@0'], ['b@2.5'], ['c@5'], ['d@7.5']),
    ['0', '1', '2', '3'],
  ],
  [
    'IPv6 of one subscriber',
    clicks(['a@0', '2001:db8::1'], ['b@0', '2001:db8::ffff'], ['c@0', '2001:db8:0:0:1::']),
    ['0', '1', '2'],
  ],
  ['the link to leave alone, again and again', clicks(['leave@0'], ['leave@1'], ['leave@2']), []],
  ['the link to leave and another one', clicks(['leave@0'], ['a@5']), ['0', '1']],
  ['a link, and the link to leave', clicks(['a@0'], ['leave@4.9']), ['0', '1']],
  ['a link, and the link to leave 6 s later', clicks(['a@0'], ['leave@6']), []],
  ['a reader who leaves while a machine elsewhere looks', clicks(['leave@0'], ['a@1', '203.0.113.9']), []],
  ['a link 4 s before leaving and one 4 s after', clicks(['a@0'], ['leave@4'], ['b@8']), ['0', '1', '2']],
  ['two links, and a third long after leaving', clicks(['a@0'], ['leave@1'], ['b@9'], ['c@9']), ['0', '1']],
  ['addresses that are none', clicks(['a@0', ''], ['b@0', ''], ['c@0', 'x']), []],
];

for (const [what, given, machine] of table) {
  test(`${what}: ${machine.length === 0 ? 'people' : `${machine.length} of ${given.length} by a machine`}`, () => {
    assert.deepEqual([...clicksInBursts(given)].sort(), machine);
    assert.deepEqual([...clicksInBursts(given.toReversed())].sort(), machine);
  });
}

test('it is what the definition says, in any order', () => {
  const anyClick = fc.record({
    link: fc.constantFrom('a', 'b', 'c', 'd'),
    ipAddress: fc.constantFrom('192.0.2.1', '192.0.2.2', '198.51.100.1'),
    atMs: fc.integer({ min: 0, max: 20_000 }),
    isLeaving: fc.constant(false),
  });
  const anyVisit = fc.record({
    link: fc.constant('leave'),
    ipAddress: fc.constantFrom('192.0.2.1', '198.51.100.1'),
    atMs: fc.integer({ min: 0, max: 20_000 }),
    isLeaving: fc.constant(true),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(anyClick, anyClick, anyClick, anyVisit), { maxLength: 14 }), (list) => {
      const given = list.map((click, index) => ({ ...click, id: `${index}` }));
      const byDefinition = given.filter((click) =>
        given.some((start) => {
          const inside = given.filter(
            (one) =>
              clientOf(one.ipAddress) === clientOf(click.ipAddress) &&
              one.atMs >= start.atMs &&
              one.atMs <= start.atMs + BURST_MS,
          );
          const enough = inside.some(({ isLeaving }) => isLeaving) ? 2 : BURST_LINKS;
          return inside.includes(click) && new Set(inside.map(({ link }) => link)).size >= enough;
        }),
      );
      assert.deepEqual([...clicksInBursts(given)].sort(), byDefinition.map(({ id }) => id).sort());
    }),
    { numRuns: 2_000 },
  );
});

test('a network is a client: /24, /64, and IPv4 inside IPv6', () => {
  assert.equal(clientOf('192.0.2.1'), clientOf('192.0.2.255'));
  assert.notEqual(clientOf('192.0.2.1'), clientOf('192.0.3.1'));
  assert.equal(clientOf('::ffff:192.0.2.1'), clientOf('192.0.2.9'));
  assert.notEqual(clientOf('2001:db8:0:1::1'), clientOf('2001:db8:0:2::1'));
});

test('bursts are told apart: by their client, and by their times', () => {
  const given = clicks(
    ...['a@0', 'leave@2', 'b@60', 'c@61', 'd@62'].map((text): [string] => [text]),
    ...['a@1', 'b@1', 'c@1'].map((text): [string, string] => [text, '203.0.113.9']),
  );
  const told = burstsOf(given).map((burst) => [burst.client, burst.clicks.map(({ link }) => link).join(' ')]);
  const [one, other] = [clientOf('198.51.100.7'), clientOf('203.0.113.9')];
  assert.deepEqual(told, [
    [one, 'a leave'],
    [one, 'b c d'],
    [other, 'a b c'],
  ]);
});
