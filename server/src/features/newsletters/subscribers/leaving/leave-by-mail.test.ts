import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../../../test/harness/app.ts';
import { aNewsletter } from '../../../../../test/harness/builders.ts';
import { deliverMail, wire } from '../../../../../test/harness/deliver-mail.ts';
import { until } from '../../../../../test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp({ worker: true, mail: true, env: { POSTHORN_BOUNCE_DOMAIN: 'bounces.example.com' } });
});
after(() => app.close());

// oxlint-disable-next-line typescript/no-explicit-any
const call = async (url: string, body?: object): Promise<any> =>
  (await app.request({ url, ...(body === undefined ? {} : { body }) })).body;

async function aSubscriber(newsletterId: string, email: string): Promise<string> {
  const id = newId();
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, source, status)
    values (${app.workspaceId}, ${id}, ${newsletterId}, ${email}, 'test', 'active')`.execute(app.db);
  return id;
}
const statusOf = async (id: string): Promise<string | undefined> => {
  const { rows } = await sql<{ status: string }>`
    select status from subscribers where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
  return rows[0]?.status;
};

test('an issue names an address to leave by mail, any mail to it takes that person off the list, and a changed one is refused', async () => {
  const { id } = await aNewsletter(app.db, app.workspaceId);
  const [ada, bob] = [await aSubscriber(id, 'ada@example.com'), await aSubscriber(id, 'bob@example.com')];
  const issue = await call(`/v1/newsletters/${id}/issues`, { subject: 'Hello', html_body: '<p>Hello</p>' });
  await call(`/v1/newsletters/${id}/issues/${issue.id}/send`, {});
  const waysOf = async (email: string) => {
    const captured = await until('the issue', async () => {
      const { data } = await call(`/v1/captured-emails?to=${email}`);
      return data[0];
    });
    const answer = await app.request({ url: `/v1/captured-emails/${captured.id}/raw` });
    const raw = answer.text.replace(/\r\n[ \t]+/g, ' ');
    const [, url, address = ''] =
      /^List-Unsubscribe: <(https?:[^>]+)>, <mailto:([^?>]+)\?subject=unsubscribe>\r$/m.exec(raw) ?? [];
    return { raw, url, address };
  };
  const { raw, url, address } = await waysOf('ada@example.com');
  assert.ok(url?.startsWith('http'));
  assert.match(address, /^u[a-z2-7]{63}@bounces\.example\.com$/);
  assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);

  const message = wire('From: somebody@example.net\nSubject: unsubscribe\n\nplease');
  const changed = address.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@'));
  assert.match(await deliverMail(app.mailPort, { to: changed }, message), /^550 /);
  assert.equal(await statusOf(ada), 'active');
  assert.match(await deliverMail(app.mailPort, { to: address.toUpperCase() }, message), /^250 /);
  assert.deepEqual([await statusOf(ada), await statusOf(bob)], ['unsubscribed', 'active']);
  assert.match(await deliverMail(app.mailPort, { to: address }, message), /^250 /, 'once more changes nothing');
  await sql`delete from subscribers where workspace_id = ${app.workspaceId} and id = ${bob}`.execute(app.db);
  const { address: ofBob } = await waysOf('bob@example.com');
  assert.match(await deliverMail(app.mailPort, { to: ofBob }, message), /^250 /, 'who is gone leaves, too');
  assert.equal((await call(`/v1/newsletters/${id}/subscribers`, { email: 'bob@example.com' })).status, 'unsubscribed');
});
