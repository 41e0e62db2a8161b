/** Sends that belong to a newsletter: whose they may be, and where that is seen. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aNewsletter, aWorkspace } from '../../../../test/harness/builders.ts';
import { countStored, createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';

let api: EmailsApp;
let newsletterId: string;
before(async () => {
  api = await createEmailsApp();
  newsletterId = (await aNewsletter(api.t.db, api.workspaceId)).id;
});
after(() => api.close());

const simple = { from: 'Acme <hello@posthorn.test>', to: ['ada@example.com'], subject: 'Receipt', html: '<p>Hi</p>' };
const post = (url: string, body: object = {}, token?: string) =>
  api.call({ method: 'POST', url, body, ...(token === undefined ? {} : { token }) });
const read = (emailId: string) => api.call({ method: 'GET', url: `/v1/emails/${emailId}` });

test('202 with newsletterId: the email is the newsletter’s in records and lists, and goes out as it was given', async () => {
  const sent = await post('/v1/send', { ...simple, newsletterId });
  assert.equal(sent.status, 202);
  const email = sent.body.emails[0].id;
  assert.partialDeepStrictEqual((await read(email)).body, {
    source: 'api',
    newsletter_id: newsletterId,
    issue_id: null,
  });
  const listed = await api.call({ method: 'GET', url: `/v1/emails?newsletter_id=${newsletterId}` });
  assert.deepEqual(
    listed.body.data.map((one: { id: string }) => one.id),
    [email],
  );
  const content = await api.call({ method: 'GET', url: `/v1/emails/${email}/content` });
  assert.deepEqual([content.body.html, content.body.headers], ['<p>Hi</p>', {}]);
});

test('202 for a batch whose items are of different newsletters or of none', async () => {
  const other = (await aNewsletter(api.t.db, api.workspaceId)).id;
  const items = [{ ...simple, newsletterId }, { ...simple, newsletterId: other }, simple];
  const { body } = await post('/v1/batch', items);
  const shown = await Promise.all(
    body.results.map(async (result: { emails: { id: string }[] }) => {
      const { body: record } = await read(result.emails[0]?.id ?? '');
      return [record.source, record.newsletter_id];
    }),
  );
  assert.deepEqual(shown, [
    ['batch', newsletterId],
    ['batch', other],
    ['batch', null],
  ]);
});

test('422 for a newsletter that is unknown or another workspace’s, 400 for what is no id, and nothing is stored', async () => {
  const foreign = (await aNewsletter(api.t.db, await aWorkspace(api.t.db))).id;
  const before = await countStored(api.t);
  for (const [id, status] of [
    [newId(), 422],
    [foreign, 422],
    ['weekly', 400],
    ['', 400],
  ] as const) {
    const body = { ...simple, newsletterId: id };
    for (const url of ['/v1/send', '/v1/send?dryRun=true']) {
      const answer = await post(url, body);
      assert.deepEqual(
        [answer.status, answer.body.name, answer.body.param],
        [status, 'validation_error', 'newsletterId'],
      );
    }
    const strict = await post('/v1/batch', [simple, body]);
    assert.deepEqual([strict.status, strict.body.param], [status, 'emails[1].newsletterId']);
  }
  assert.deepEqual(await countStored(api.t), before);
  const { body } = await post('/v1/batch', {
    emails: [simple, { ...simple, newsletterId: foreign }],
    mode: 'permissive',
  });
  assert.deepEqual([body.accepted, body.results[1].error.param], [1, 'newsletterId']);
});

test('403 for a key that is restricted to other newsletters, whether the one it names exists or not', async () => {
  const limited = await api.caller({ newsletterIds: [newsletterId] });
  const other = (await aNewsletter(api.t.db, api.workspaceId)).id;
  const before = await countStored(api.t);
  for (const id of [other, newId()]) {
    const answer = await post('/v1/send', { ...simple, newsletterId: id }, limited);
    assert.deepEqual([answer.status, answer.body.param], [403, 'newsletterId']);
  }
  assert.deepEqual(await countStored(api.t), before);
  assert.equal((await post('/v1/send', { ...simple, newsletterId }, limited)).status, 202);
});

test('202 resend keeps the newsletter of an email that was sent in its name', async () => {
  const sent = await post('/v1/send', { ...simple, newsletterId });
  const id = sent.body.emails[0].id;
  await sql`update emails set status = 'delivered' where workspace_id = ${api.workspaceId} and id = ${id}`.execute(
    api.t.db,
  );
  const again = await post(`/v1/emails/${id}/resend`);
  assert.partialDeepStrictEqual((await read(again.body.emails[0].id)).body, {
    source: 'resend',
    newsletter_id: newsletterId,
  });
});
