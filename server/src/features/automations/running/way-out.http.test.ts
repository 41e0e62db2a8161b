import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type AutomationsApp, type Body, createAutomationsApp, END } from '../test-kit.ts';

let t: AutomationsApp;
let template: string;
before(async () => {
  t = await createAutomationsApp();
  template = await t.template({ text: 'Leave: {{ unsubscribe_url | default: "no way out" }}' });
});
after(() => t.close());

let named = 0;
const aPerson = (): string => `way-out-${(named += 1)}@example.com`;
const aMail = (more: object = {}, key = 'mail') => ({
  key,
  type: 'send_email',
  config: { template_id: template, ...more },
});

async function anAutomation(steps: object[], given: object = {}) {
  const name = `way-out-${(named += 1)}`;
  const { id } = await t.enabled({ trigger: { type: `event:${name}` }, steps, ...given });
  return { id, name };
}

/** The header fields and the text of the emails to an address. */
async function mailTo(email: string): Promise<{ headers: Record<string, string>; text: string }[]> {
  const { rows } = await sql<{ headers: Record<string, string>; text: string }>`
    select c.headers, c.text from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
      join contents c on c.workspace_id = s.workspace_id and c.id = s.content_id
     where e.recipient = ${email} and s.source = 'automation' order by e.id`.execute(t.app.db);
  return rows;
}

/** Does as a mail program does with the List-Unsubscribe of an email (RFC 8058). */
async function oneClick({ headers }: { headers: Record<string, string> }): Promise<void> {
  assert.equal(headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click');
  const url = new URL(headers['List-Unsubscribe']?.slice(1, -1) ?? '');
  const answer = await t.app.app.inject({
    method: 'POST',
    url: `${url.pathname}${url.search}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  });
  assert.equal(answer.statusCode, 200, answer.body);
}

const endings = async (id: string): Promise<unknown[]> =>
  (await t.runs(id)).map(({ status, reason }: Body) => [status, reason]);

test('One click on mail of an event leaves all mail to contacts, for a contact and for who was none', async () => {
  const { name } = await anAutomation([aMail()]);
  const second = await anAutomation([aMail(), END]);
  const receipt = await anAutomation([aMail({ transactional: true })]);
  const [known, stranger] = [aPerson(), aPerson()];
  await t.call('POST', '/v1/contacts', { body: { email: known } });
  for (const email of [known, stranger]) {
    await t.event(name, email);
    await t.service.runOnce();
    const [mail] = await mailTo(email);
    assert.ok(mail !== undefined && mail.text.includes('/api/c/unsubscribe?token='));
    await oneClick(mail);
    assert.equal((await t.call('GET', `/v1/contacts/${email}`)).body.unsubscribed, true);
    await t.event(second.name, email);
    await t.event(receipt.name, email);
    await t.service.runOnce();
    const [, ...later] = await mailTo(email);
    assert.deepEqual(later, [{ headers: {}, text: 'Leave: no way out' }]);
  }
  assert.deepEqual(await endings(second.id), [
    ['exited', 'unsubscribed'],
    ['exited', 'unsubscribed'],
  ]);
});

test('One click on mail of a newsletter leaves the newsletter, and nobody becomes a contact by it', async () => {
  const newsletter = await t.newsletter('one-click');
  const { id } = await t.enabled({
    trigger: { type: 'newsletter_subscribed', newsletter_id: newsletter },
    steps: [aMail(), { key: 'wait', type: 'delay', config: { duration: '1 day' } }, aMail({}, 'again')],
  });
  const email = aPerson();
  const added = await t.call('POST', `/v1/newsletters/${newsletter}/subscribers`, { body: { email } });
  await t.service.runOnce();
  const [mail] = await mailTo(email);
  assert.ok(mail !== undefined && mail.text.includes('/api/n/unsubscribe?token='));
  await oneClick(mail);
  const shown = await t.call('GET', `/v1/newsletters/${newsletter}/subscribers/${added.body.id}`);
  assert.equal(shown.body.status, 'unsubscribed');
  await t.later(86_401);
  assert.deepEqual(await endings(id), [['exited', 'unsubscribed']]);
  assert.equal((await mailTo(email)).length, 1);
  assert.equal((await t.call('GET', `/v1/contacts/${email}`)).status, 404);
});

test('A person who had left and was deleted gets no mail that is not transactional', async () => {
  const { id, name } = await anAutomation([aMail()]);
  const email = aPerson();
  await t.call('POST', '/v1/contacts', { body: { email, unsubscribed: true } });
  await t.call('DELETE', `/v1/contacts/${email}`);
  await t.event(name, email);
  await t.service.runOnce();
  assert.deepEqual([await endings(id), await mailTo(email)], [[['exited', 'unsubscribed']], []]);
});
