import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from './request-filter.ts';
import { shortPath } from './request-state.ts';

test('the search finds requests by their id, by what they name, and by their path', () => {
  assert.deepEqual(readText(undefined), {});
  assert.deepEqual(readText('  '), {});
  assert.deepEqual(readText(' req_0f7c2a9d4e1b4c6f '), { request_id: 'req_0f7c2a9d4e1b4c6f' });
  assert.deepEqual(readText('ada@example.com'), { mentions: 'ada@example.com' });
  assert.deepEqual(readText('0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11'), {
    mentions: '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11',
  });
  assert.deepEqual(readText('/v1/suppressions/ada@example.com'), { q: '/v1/suppressions/ada@example.com' });
  assert.deepEqual(readText('emails'), { q: 'emails' });
});

test('a row shows the end of an id, and the whole rest of the path', () => {
  assert.equal(
    shortPath('/v1/captured-emails/0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11/simulate'),
    '/v1/captured-emails/…0c9a11/simulate',
  );
  assert.equal(shortPath('/v1/send'), '/v1/send');
});
