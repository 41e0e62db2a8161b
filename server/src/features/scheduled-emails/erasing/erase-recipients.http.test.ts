import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aNewsletter } from '../../../../test/harness/builders.ts';
import { type Body, createScheduledApp, type ScheduledApp } from '../test-kit.ts';

let t: ScheduledApp;
before(async () => {
  t = await createScheduledApp();
});
after(() => t.close());

const contact = async (email: string): Promise<string> => {
  const reply = await t.call('POST', '/v1/contacts', { body: { email } });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.id;
};
const read = async (id: string): Promise<Body> => (await t.call('GET', `/${id}`)).body;

test('erasing a contact cancels the scheduled emails to them alone, and takes them out of the others', async () => {
  const contactId = await contact('gone@example.com');
  const alone = await t.scheduled({
    to: ['Gone Person <Gone@example.com>'],
    subject: 'For Gone',
    attachments: [{ filename: 'a.txt', content: Buffer.from('a').toString('base64') }],
  });
  const both = await t.scheduled({ to: ['gone@example.com', 'stays@example.com'], cc: ['not-gone@example.com'] });
  const others = await t.scheduled({ to: ['begone@example.com'] });
  const before = await t.stored(others.id);
  assert.equal((await t.call('DELETE', `/v1/contacts/${contactId}?erase=true`)).status, 200);

  const cancelled = await read(alone.id);
  assert.deepEqual(
    [cancelled.status, cancelled.error_code, cancelled.to, cancelled.subject, cancelled.text],
    ['cancelled', 'recipient_erased', [], null, null],
  );
  const logged = cancelled.audit_log.map(({ action, details }: Body) => [action, details]);
  assert.deepEqual(logged.slice(1), [['cancelled', { cancelled_by: 'system', code: 'recipient_erased' }]]);
  assert.doesNotMatch(JSON.stringify(cancelled.audit_log), /gone/i);
  const { row, files } = await t.stored(alone.id);
  assert.equal(files, 0);
  assert.doesNotMatch(JSON.stringify(row), /gone/i);
  const kept = await read(both.id);
  assert.deepEqual([kept.status, kept.to, kept.cc], ['scheduled', ['stays@example.com'], ['not-gone@example.com']]);
  assert.doesNotMatch(JSON.stringify((await t.stored(both.id)).row), /[^-]gone@/);
  assert.equal(kept.audit_log.length, 1, 'it was not cancelled');
  assert.deepEqual(await t.stored(others.id), before, 'an address that only contains it');
  const found = async (address: string) =>
    (await t.call('GET', `?search=${address}`)).body.data.map(({ id }: Body) => id);
  assert.deepEqual(await found('not-gone@example.com'), [both.id], 'who stays is still found');
  assert.deepEqual(await found('stays@example.com'), [both.id]);
});

test('erasing a subscriber does the same, and one who was not erased is left alone', async () => {
  const { id: newsletterId } = await aNewsletter(t.app.db, t.app.workspaceId);
  const added = await t.call('POST', `/v1/newsletters/${newsletterId}/subscribers`, {
    body: { email: 'reader@example.com', send_confirmation: false },
  });
  assert.equal(added.status, 201, added.text);
  const waiting = await t.scheduled({ to: 'reader@example.com' });
  const other = await t.scheduled({ to: 'other@example.com' });
  const removed = await t.call('DELETE', `/v1/newsletters/${newsletterId}/subscribers/${added.body.id}`);
  assert.equal(removed.status, 200, removed.text);
  assert.deepEqual([(await read(waiting.id)).status, (await read(other.id)).status], ['cancelled', 'scheduled']);
});
