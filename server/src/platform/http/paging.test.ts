import { Type } from 'typebox';
import { compileCheck } from './validation.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../errors/app-error.ts';
import { answerPage, pageQuery, readKeyedPage, readPage, readTimedPage } from './paging.ts';

const id = (number: number): string => `01999999-0000-7000-8000-${String(number).padStart(12, '0')}`;
const rows = (count: number): { id: string }[] => Array.from({ length: count }, (_, index) => ({ id: id(index) }));

interface Page {
  data: unknown[];
  page?: number;
  limit: number;
  total?: number;
  total_pages?: number;
  total_is_estimate?: boolean;
  has_more: boolean;
  next_cursor: string | null;
}
const bodyOf = (answer: { body: unknown }): Page => answer.body as Page; // what the envelope's schema says

function assertRefused(query: { page?: string; limit?: string; cursor?: string }, param: string): void {
  assert.throws(
    () => readPage(query),
    (error: unknown) => error instanceof AppError && error.name === 'validation_error' && error.extras.param === param,
    JSON.stringify(query),
  );
}

test('page 1 of 50 when nothing is asked for', () => {
  assert.deepEqual(readPage({}), { limit: 50, page: 1, offset: 0, after: null });
});

test('a page further on', () => {
  assert.deepEqual(readPage({ page: '3', limit: '20' }), { limit: 20, page: 3, offset: 40, after: null });
  assert.deepEqual(readPage({ page: '007' }).page, 7);
});

test('a limit above 100 counts as 100', () => {
  assert.equal(readPage({ limit: '101' }).limit, 100);
  assert.equal(readPage({ limit: '999999999' }).limit, 100);
  assert.equal(readPage({ limit: '9'.repeat(1_000) }).limit, 100);
  assert.equal(readPage({ limit: '1' }).limit, 1);
});

const NO_NUMBERS = ['0', '-1', '1.5', '1e9', 'NaN', ' 1', '1 ', '0x1', '１', '', '+1', 'Infinity', '1,000', '1\n', '٣'];
for (const text of NO_NUMBERS) {
  test(`page and limit refuse ${JSON.stringify(text)}`, () => {
    assertRefused({ page: text }, 'page');
    assertRefused({ limit: text }, 'limit');
  });
}

test('an offset that the database would count for minutes is refused', () => {
  assertRefused({ page: '1000001' }, 'page');
  assertRefused({ page: '99999999999999999999' }, 'page');
  assert.equal(readPage({ page: '1000000' }).offset, 49_999_950);
});

test('a cursor leads on after the last record of its page, and page is ignored', () => {
  const first = answerPage(readPage({ limit: '2' }), rows(3), { total: 3, url: '/v1/things?limit=2' });
  const { next_cursor: cursor, has_more: more, data } = bodyOf(first);
  assert.deepEqual(data, rows(2));
  assert.equal(more, true);
  assert.ok(cursor !== null);
  assert.deepEqual(readPage({ cursor, limit: '2', page: '0' }), { limit: 2, page: 1, offset: 0, after: id(1) });
});

test('a cursor that no list has returned is refused', () => {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = [
    '',
    'x',
    '{}',
    encode({}),
    encode(null),
    encode([]),
    encode('x'),
    encode({ i: 1 }),
    encode({ i: 'x' }),
    encode({ i: `${id(1)}'--` }),
    encode({ i: id(1).toUpperCase().replace('0', 'A') }),
    encode({ i: [id(1)] }),
    '\u0000',
    'é'.repeat(100),
  ];
  for (const cursor of forged) assertRefused({ cursor }, 'cursor');
});

test('a first page says how much there is', () => {
  assert.deepEqual(bodyOf(answerPage(readPage({ page: '2', limit: '10' }), rows(11), { total: 132, url: '/x' })), {
    data: rows(10),
    page: 2,
    limit: 10,
    total: 132,
    total_pages: 14,
    has_more: true,
    next_cursor: Buffer.from(JSON.stringify({ i: id(9) })).toString('base64url'),
  });
});

test('a last page and a page beyond the end have nothing after them', () => {
  for (const count of [0, 9, 10]) {
    const answer = answerPage(readPage({ page: '9', limit: '10' }), rows(count), { total: 89, url: '/x' });
    assert.equal(bodyOf(answer).has_more, false);
    assert.equal(bodyOf(answer).next_cursor, null);
    assert.equal(bodyOf(answer).data.length, count);
    assert.deepEqual(answer.headers, {});
  }
});

test('an empty list has no pages', () => {
  const { total, total_pages: pages } = bodyOf(answerPage(readPage({}), [], { total: 0, url: '/x' }));
  assert.deepEqual([total, pages], [0, 0]);
});

test('a cursor that no list has returned is told with the other faults of the query', () => {
  const faults = compileCheck(Type.Object(pageQuery))({ cursor: 'x', limit: '0' });
  assert.deepEqual(faults.map(({ param }) => param).sort(), ['cursor', 'limit']);
});

test('behind a cursor nothing is counted', () => {
  const { cursor } = { cursor: Buffer.from(JSON.stringify({ i: id(5) })).toString('base64url') };
  const body = bodyOf(answerPage(readPage({ cursor }), rows(1), { total: 7, url: '/x' }));
  assert.deepEqual(Object.keys(body).sort(), ['data', 'has_more', 'limit', 'next_cursor']);
});

test('an estimate says that it is one', () => {
  assert.equal(
    bodyOf(answerPage(readPage({}), [], { total: 20_000, url: '/x', totalIsEstimate: true })).total_is_estimate,
    true,
  );
});

test('Link leads to the next page with the same filters, as RFC 8288 says', () => {
  const answer = answerPage(readPage({ page: '2', limit: '1' }), rows(2), {
    total: 9,
    url: '/v1/things?status=on&page=2&limit=1&q=a%20b%3Fc?d',
  });
  const cursor = bodyOf(answer).next_cursor ?? '';
  const link = /^<([^<>\s]+)>; rel="next"$/.exec(answer.headers['link'] ?? '')?.[1];
  assert.ok(link !== undefined, answer.headers['link']);
  const url = new URL(link, 'http://localhost');
  assert.equal(url.pathname, '/v1/things');
  assert.deepEqual(Object.fromEntries(url.searchParams), { status: 'on', limit: '1', q: 'a b?c?d', cursor });
});

test('the cursor of a list by time says time and id, to the microsecond', () => {
  const time = '2026-11-20T10:00:00.123456Z';
  const page = bodyOf(answerPage(readPage({ limit: '2' }), rows(3), { total: 3, url: '/x', timeOf: () => time }));
  const next = readTimedPage({ limit: '2', cursor: page.next_cursor ?? '' });
  assert.deepEqual(next, { limit: 2, page: 1, offset: 0, after: id(1), afterTime: time });
  assert.deepEqual(readTimedPage({}).afterTime, null);
});

test('a cursor of another list, or with a time that is none, is 400', () => {
  const made = (cursor: object): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');
  const times = [
    undefined,
    7,
    '',
    '2026-11-20',
    '2026-99-20T10:00:00.123456Z',
    '2026-02-30T10:00:00.123456Z',
    '2026-02-28T24:00:00.000000Z',
    '0000-01-01T10:00:00.123456Z',
    "2026-11-20T10:00:00.123456Z' or 1=1",
  ];
  for (const c of times) {
    assert.throws(
      () => readTimedPage({ cursor: made({ c, i: id(1) }) }),
      (error: unknown) => error instanceof AppError && error.extras.param === 'cursor',
      String(c),
    );
  }
});

test('a cursor with a key is none for a list in the order of its ids, and no key holds a NUL', () => {
  const made = (c: string): string => Buffer.from(JSON.stringify({ c, i: id(1) })).toString('base64url');
  assertRefused({ cursor: made('2026-11-20T10:00:00.123456Z') }, 'cursor');
  assert.equal(readKeyedPage({ cursor: made('a@b') }, (key) => key.includes('@')).afterKey, 'a@b');
  assert.throws(() => readKeyedPage({ cursor: made('a\0@b') }, (key) => key.includes('@')), AppError);
});

test('a page that is not full goes on behind the last record that was looked at', () => {
  const request = { limit: 2, page: 1, offset: 0, after: null };
  const [id, looked] = ['0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11', '0197f3d2-6c1e-7a50-9b1f-000000000000'];
  const pageOf = (rows: { id: string }[]): Page =>
    answerPage(request, rows, { total: null, url: '/v1/emails', goOnAfter: looked }).body as Page; // as above
  const short = pageOf([{ id }]);
  assert.equal(short.has_more, true);
  assert.equal(readPage({ cursor: short.next_cursor ?? '' }).after, looked);
  assert.equal(readPage({ cursor: pageOf([{ id }, { id }, { id }]).next_cursor ?? '' }).after, id);
});
