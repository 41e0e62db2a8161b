import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOKS_MAX, lookOn } from './look-on.ts';

/** A list whose pages have so many rows. */
function listOf(counts: readonly number[]) {
  const read: (string | undefined)[] = [];
  const page = async (cursor: string | undefined) => {
    read.push(cursor);
    const at = Number(cursor ?? 0);
    const hasMore = at + 1 < counts.length;
    const data = Array.from({ length: counts[at] ?? 0 }, () => at);
    return { data, has_more: hasMore, next_cursor: hasMore ? String(at + 1) : null };
  };
  return { read, page };
}

test('pages without rows are passed until one has some, or five were read', async () => {
  const older = listOf([0, 0, 3, 4]);
  assert.deepEqual((await lookOn(older.page, undefined)).data, [2, 2, 2]);
  assert.deepEqual(older.read, [undefined, '1', '2']);
  const never = listOf([0, 0, 0, 0, 0, 0, 0, 0]);
  assert.equal((await lookOn(never.page, '1')).next_cursor, '6');
  assert.equal(never.read.length, LOOKS_MAX);
});

test('a page with rows, and an empty list, are read once', async () => {
  for (const list of [listOf([2, 0]), listOf([0])]) {
    await lookOn(list.page, undefined);
    assert.equal(list.read.length, 1);
  }
});
