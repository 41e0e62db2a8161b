import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Body, createIssuesApp, type IssuesApp } from '../test-kit.ts';

// No worker runs. Clicks on redirected links are tested with those of broadcasts.
let t: IssuesApp;
before(async () => {
  t = await createIssuesApp();
});
after(() => t.close());

test('200: a link of an issue leads elsewhere, which its log says; 409 before it is sent', async () => {
  const newsletterId = await t.list(1);
  const draft = await t.draft(newsletterId, { html_body: '<a href="https://acme.test/a">a</a>' });
  const path = `/${newsletterId}/issues/${draft.id}`;
  const body = { from: 'https://acme.test/a', to: 'https://acme.test/b' };
  assert.equal((await t.call('PATCH', `${path}/links`, { body })).status, 409);
  assert.equal((await t.call('POST', `${path}/send`)).status, 202);
  const etag = (await t.call('GET', `${path}/links`)).headers['etag'] as string;
  const moved = await t.call('PATCH', `${path}/links`, { body, headers: { 'if-match': etag } });
  assert.equal(moved.status, 200, moved.text);
  assert.deepEqual(
    moved.body.data.map((one: Body) => [one.number, one.url, one.leads_to]),
    [
      [1, 'https://acme.test/a', 'https://acme.test/b'],
      [2, 'https://acme.test/b', null],
    ],
  );
  assert.deepEqual(moved.body.redirects, [body]);
  const other = { from: body.from, to: 'https://acme.test/c' };
  const late = await t.call('PATCH', `${path}/links`, { body: other, headers: { 'if-match': etag } });
  assert.equal(late.status, 409, 'somebody redirected it meanwhile');
  const log = async () => (await t.call('GET', path)).body.audit_log.map((one: Body) => one.action);
  assert.equal((await log()).at(-1), 'link_redirected');
  const entries = (await log()).length;
  assert.equal((await t.call('PATCH', `${path}/links`, { body })).status, 200);
  assert.equal((await log()).length, entries, 'the same again is no change');
});
