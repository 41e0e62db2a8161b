import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import type { WrittenCondition, WrittenFilter } from './filter.ts';
import { matches } from './filter-queries.ts';
import { askEach, countMatching, selectMatching } from './member-queries.ts';
import { readFilter } from './read-filter.ts';
import { meets, type Person, storePeople } from './test-kit.ts';

const TYPES = new Map([
  ['plan', 'string'],
  ['seats', 'number'],
  ['vip', 'boolean'],
  ['since', 'date'],
] as const);
const NOW = new Date('2026-11-23T12:00:00Z');
const LISTS = [newId(), newId()];
const BROADCASTS = [newId(), newId()];
const [INNER, OUTER] = [newId(), newId()];
const SEGMENTS = new Map<string, WrittenFilter>([
  [INNER, { match: 'any', conditions: [{ field: 'domain', op: 'equals', value: 'acme.test' }] }],
  [
    OUTER,
    {
      match: 'all',
      conditions: [
        { field: `segment:${INNER}`, op: 'is_false' },
        { field: 'opened', op: 'at_least', count: 2 },
      ],
    },
  ],
]);

let t: TestDatabase;
let workspaceId: string;
let people: Person[];
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
  people = fc.sample(person, { numRuns: 60, seed: 1 }).map((one, index) => ({ ...one, email: `${index}${one.email}` }));
  for (const id of LISTS) {
    await sql`insert into contact_lists (workspace_id, id, name) values (${workspaceId}, ${id}, 'A list')`.execute(
      t.db,
    );
  }
  await storePeople(t.db, workspaceId, people);
  const other = await aWorkspace(t.db);
  await storePeople(t.db, other, [{ ...someone, id: newId(), email: 'other@acme.test' }]);
});
after(() => t.close());

const WORDS = [
  'pro',
  'Pro',
  'free',
  'p',
  '%',
  '_',
  "o'",
  '\\',
  'Ada',
  'ada',
  'Straße',
  'x y',
  '10',
  '2026-11-20',
] as const;
const DAYS = ['2026-11-20', '2026-11-21T10:00:00Z', '2026-11-21T12:00:00+02:00', '2026-11-23T11:59:59.999Z'] as const;
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });
const word = fc.constantFrom(...WORDS);
const day = fc.constantFrom(...DAYS);
const time = day.map((text) => new Date(text.length === 10 ? `${text}T00:00:00Z` : text));
const mail = fc.record({
  broadcastId: maybe(fc.constantFrom(...BROADCASTS)),
  sentAt: maybe(time),
  openedAt: maybe(time),
  clickedAt: maybe(time),
  sandbox: fc.boolean(),
});
/** A bulk send has one email for a recipient. */
const mails = fc.uniqueArray(mail, {
  maxLength: 4,
  selector: (one) => one.broadcastId ?? one,
  comparator: 'SameValue',
});
const person: fc.Arbitrary<Person> = fc.record({
  id: fc.constant(null).map(() => newId()),
  email: fc.constantFrom('@acme.test', 'ada@example.com', '%@posthorn.test'),
  firstName: maybe(word),
  lastName: maybe(word),
  name: maybe(word),
  timezone: maybe(fc.constantFrom('Europe/Berlin', 'UTC')),
  language: maybe(fc.constantFrom('en', 'en-GB')),
  unsubscribedAt: maybe(time),
  createdAt: time,
  properties: fc.record(
    { plan: word, seats: fc.constantFrom(-1, 0, 0.1, 3, 1e21, 1e-7), vip: fc.boolean(), since: day },
    { requiredKeys: [] },
  ),
  lists: fc.subarray(LISTS),
  mails,
  events: fc.array(fc.record({ name: fc.constantFrom('order.paid', 'login'), at: time }), { maxLength: 5 }),
});
const someone: Person = {
  id: newId(),
  email: 'someone@example.com',
  firstName: null,
  lastName: null,
  name: null,
  timezone: null,
  language: null,
  unsubscribedAt: null,
  createdAt: NOW,
  properties: {},
  lists: [],
  mails: [],
  events: [],
};

const truth = fc.constantFrom('is_true', 'is_false');
const presence = fc.constantFrom('is_set', 'is_not_set');
const text = fc.constantFrom('email', 'domain', 'name', 'first_name', 'last_name', 'language', 'property:plan');
const id = fc.constantFrom(...BROADCASTS, newId());
const condition: fc.Arbitrary<WrittenCondition> = fc.oneof(
  fc.record({
    field: text,
    op: fc.constantFrom('equals', 'not_equals', 'contains', 'starts_with', 'ends_with'),
    value: fc.oneof(word, fc.constantFrom('@acme.test', 'acme.test', '0ada@example.com', '.com')),
  }),
  fc.record({
    field: fc.oneof(text, fc.constantFrom('property:seats', 'property:vip', 'property:since')),
    op: presence,
  }),
  fc.record({
    field: fc.constant('property:seats'),
    op: fc.constantFrom('equals', 'not_equals', 'gt', 'lt'),
    value: fc.constantFrom(0, 0.1, 3, 1e21, '3', '0.10'),
  }),
  fc.record({
    field: fc.constantFrom('created_at', 'property:since'),
    op: fc.constantFrom('equals', 'not_equals', 'before', 'after'),
    value: day,
  }),
  fc.record({
    field: fc.oneof(
      fc.constantFrom('unsubscribed', 'property:vip', ...LISTS.map((one) => `list:${one}`)),
      fc.constantFrom(INNER, OUTER).map((one) => `segment:${one}`),
      fc.tuple(fc.constantFrom('received', 'opened', 'clicked'), id).map((parts) => parts.join(':')),
    ),
    op: truth,
  }),
  fc
    .record({
      field: fc.constantFrom('sent', 'opened', 'clicked', 'received_event:order.paid', 'received_event:login'),
      op: fc.constantFrom('at_least', 'none'),
      count: fc.constantFrom(null, 1, 2, 3),
      within: fc.constantFrom(null, '1 hour', '2 days', '1 week', '3650 days'),
    })
    .map(({ count, within, ...rest }) => {
      const kept = rest.op === 'none' ? null : count;
      return { ...rest, ...(kept === null ? {} : { count: kept }), ...(within === null ? {} : { within }) };
    }),
);
const sizeOf = ({ conditions }: WrittenFilter): number =>
  conditions.reduce((sum, part) => sum + 1 + ('match' in part ? sizeOf(part) : 0), 0);
const { filter: anyFilter } = fc.letrec<{ filter: WrittenFilter; part: WrittenFilter | WrittenCondition }>((tie) => ({
  filter: fc.record({
    match: fc.constantFrom('all', 'any'),
    conditions: fc.array(tie('part'), { minLength: 1, maxLength: 4 }),
  }),
  part: fc.oneof({ maxDepth: 3, withCrossShrink: true }, condition, tie('filter')),
}));

const filter = anyFilter.filter((written) => sizeOf(written) <= 50);

const read = (written: unknown) => readFilter(written, TYPES);
const scopeOf = () => ({
  workspaceId,
  at: NOW,
  segments: new Map([...SEGMENTS].map(([one, written]) => [one, read(written)])),
});

async function idsOf(written: WrittenFilter): Promise<string[]> {
  const select = selectMatching(workspaceId, matches(read(written), scopeOf()));
  const { rows } = await sql<{ id: string }>`select contact_id as id from (${select}) s order by 1`.execute(t.db);
  return rows.map(({ id: one }) => one);
}

test('the contacts of a filter are those whom its rules mean, whatever the filter', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(filter, async (written) => {
      const wanted = people.filter((one) => meets(written, one, { segments: SEGMENTS, now: NOW })).map((one) => one.id);
      assert.deepEqual(await idsOf(written), wanted.toSorted());
      if (wanted.length > 0 && wanted.length < people.length) found += 1;
    }),
    { numRuns: propertyRuns({ test: 150, prove: 700 }) },
  );
  assert.ok(found > 50, `${found} filters told people apart`);
});

test('every condition, asked of one contact, answers as the filter does', async () => {
  const [one] = people;
  assert.ok(one);
  await fc.assert(
    fc.asyncProperty(filter, async (written) => {
      const parts = [read(written), ...written.conditions.map((part) => read({ match: 'all', conditions: [part] }))];
      const scope = scopeOf();
      const conditions = parts.map((part) => matches(part, scope));
      const answers = await askEach(t.db, workspaceId, one.id, conditions);
      const around = { segments: SEGMENTS, now: NOW };
      const wanted = [written, ...written.conditions].map((part) => meets(part, one, around));
      assert.deepEqual(answers, wanted);
    }),
    { numRuns: propertyRuns({ test: 50, prove: 200 }) },
  );
});

test('a zone is found by every name that it has or had, and by none that is no zone', async () => {
  const inZone = async (op: string, value: string): Promise<number> =>
    (await idsOf({ match: 'all', conditions: [{ field: 'timezone', op, value }] })).length;
  const kyiv = { ...someone, id: newId(), email: 'kyiv@example.com', timezone: 'Europe/Kyiv' };
  const before = { ...someone, id: newId(), email: 'kiev@example.com', timezone: 'Europe/Kiev' };
  await storePeople(t.db, workspaceId, [kyiv, before]);
  try {
    const all = people.length + 2;
    for (const [name, count] of [
      ['Europe/Kyiv', 1],
      ['Europe/Kiev', 2],
      ['europe/kiev', 2],
      ['Europe/Nowhere', 0],
    ] as const) {
      assert.deepEqual([await inZone('equals', name), await inZone('not_equals', name)], [count, all - count], name);
    }
    assert.equal(await inZone('contains', 'Kiev'), 1, 'a part of a name is a text');
  } finally {
    await sql`delete from contacts where workspace_id = ${workspaceId} and id = any (${[kyiv.id, before.id]})`.execute(
      t.db,
    );
  }
});

test('a count goes on behind the last contact that it looked at, newest first', async () => {
  const condition = matches(read({ match: 'all', conditions: [{ field: 'timezone', op: 'is_set' }] }), scopeOf());
  const newestFirst = people
    .map((one) => one.id)
    .toSorted()
    .toReversed();
  let found = 0;
  let after: string | null = null;
  for (let at = 25; at < 75; at += 25) {
    const part = await countMatching(t.db, workspaceId, condition, { after, look: 25 });
    assert.deepEqual([part.lookedAt, part.last], [25, newestFirst[at - 1]]);
    [found, after] = [found + part.found, part.last];
  }
  const rest = await countMatching(t.db, workspaceId, condition, { after, look: 25 });
  assert.deepEqual([rest.lookedAt, rest.last], [10, newestFirst.at(-1)]);
  assert.equal(found + rest.found, people.filter(({ timezone }) => timezone !== null).length);
  const none = await countMatching(t.db, workspaceId, condition, { after: rest.last, look: 25 });
  assert.deepEqual(none, { found: 0, lookedAt: 0, last: null });
});

const HOSTILE = [
  "'; drop table contacts; --",
  "' or '1'='1",
  '$1',
  '%s',
  '\\',
  '"',
  '{}',
  '\u202e',
  '${x}',
  '🦆',
  '\t\n',
];

test('nothing of a value stands in the statement, and no value makes it fail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('email', 'domain', 'name', 'timezone', 'property:plan'),
      fc.constantFrom('equals', 'not_equals', 'contains', 'starts_with', 'ends_with'),
      fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })),
      async (field, op, value) => {
        if (value.includes('\0')) return;
        const marked = `mark${value}mark`;
        const one = read({ match: 'all', conditions: [{ field, op, value: marked }] });
        const query = sql`${matches(one, scopeOf())}`.compile(t.db);
        assert.ok(!query.sql.includes('mark'));
        await idsOf({ match: 'all', conditions: [{ field, op, value }] });
      },
    ),
    { numRuns: propertyRuns({ test: 100, prove: 400 }) },
  );
  assert.equal((await idsOf({ match: 'all', conditions: [{ field: 'email', op: 'is_set' }] })).length, people.length);
});

test('numbers and times at the edges are compared, and fail no statement', async () => {
  for (const value of [
    0,
    -0,
    1e308,
    -1e308,
    5e-324,
    Number.MAX_SAFE_INTEGER,
    '99999999999999999999.99999999999999999999',
  ]) {
    await idsOf({ match: 'all', conditions: [{ field: 'property:seats', op: 'lt', value }] });
  }
  for (const value of ['0001-01-01', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00', '2024-02-29']) {
    await idsOf({ match: 'all', conditions: [{ field: 'property:since', op: 'after', value }] });
  }
});
