import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readQuery } from './read-query.ts';

const ID = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';

test('a text names an id, a Message-ID, an event, a request, an address or words', () => {
  assert.deepEqual(readQuery(` ${ID.toUpperCase()} `), { kind: 'id', id: ID });
  assert.deepEqual(readQuery(`<${ID}@posthorn.test>`), { kind: 'id', id: ID });
  const ofSes = '<010001933f2f6f0c-9b1f6c1e-000000@eu-west-1.amazonses.com>';
  assert.deepEqual(readQuery(ofSes), { kind: 'message', providerId: ofSes });
  assert.deepEqual(readQuery('req_0f7c2a9d4e1b4c6f'), { kind: 'request', id: 'req_0f7c2a9d4e1b4c6f' });
  const event = `evt_${ID.replaceAll('-', '')}`;
  assert.deepEqual(readQuery(event), { kind: 'id', id: event });
  assert.deepEqual(readQuery('ada@example.com'), { kind: 'address', address: 'ada@example.com' });
  assert.deepEqual(readQuery('Your receipt'), { kind: 'words', words: 'Your receipt' });
  assert.deepEqual(readQuery('a'), { kind: 'nothing' });
});
