import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentToMany } from './sent-to-many.ts';

test('a request that let an issue or a broadcast go leads to it, and others to nothing', () => {
  const issue = '/v1/newsletters/n1/issues/i1';
  assert.deepEqual(sentToMany({ path: `${issue}/send`, status: 202 }), {
    what: 'issue',
    href: '/newsletters/n1/issues/i1',
  });
  assert.equal(sentToMany({ path: `${issue}/schedule`, status: 200 })?.what, 'issue');
  assert.deepEqual(sentToMany({ path: '/v1/broadcasts/b1/send', status: 202 }), {
    what: 'broadcast',
    href: '/broadcast/b1',
  });
  assert.equal(sentToMany({ path: `${issue}/send`, status: 409 }), undefined);
  assert.equal(sentToMany({ path: '/broadcasts/b1/schedule', status: 200 })?.href, '/broadcast/b1');
  assert.equal(sentToMany({ path: `${issue}/send-test`, status: 200 }), undefined);
  assert.equal(sentToMany({ path: '/v1/send', status: 202 }), undefined);
});
