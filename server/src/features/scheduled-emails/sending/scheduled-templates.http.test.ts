import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Body, createScheduledApp, type ScheduledApp } from '../test-kit.ts';
import type { DueService } from '#platform/work/due-service.ts';
import { createDueService } from './due-service.ts';

let t: ScheduledApp;
let due: DueService;
before(async () => {
  t = await createScheduledApp();
  due = createDueService(t.wiring);
});
after(() => t.close());

async function aTemplate(body: object = {}): Promise<Body> {
  const made = await t.call('POST', '/v1/templates', {
    body: { name: 'Reminder', subject: 'Hi {{ name }}', text: 'First text for {{ name }}', ...body },
  });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

const LATER = { from: 'hello@posthorn.test', to: 'ada@example.com', scheduled_for: 'in 1 hour' };

/** Lets its time come, and returns subject and text of the email that it became. */
async function sentTexts(id: string): Promise<[string, string]> {
  await t.dueAgo(id, 1);
  assert.equal(await due.runOnce(), 1);
  const { job_id: jobId, error } = (await t.call('GET', `/${id}`)).body;
  assert.equal(error, null);
  const job = await t.call('GET', `/v1/send/${jobId}`);
  const content = await t.call('GET', `/v1/emails/${job.body.emails.data[0].id}/content`);
  return [content.body.subject, content.body.text];
}

test('a scheduled email is sent with the version that its template had, whatever becomes of template and alias', async () => {
  const template = await aTemplate({ alias: 'reminder' });
  const made = await t.call('POST', '', { body: { ...LATER, templateId: 'reminder', variables: { name: 'Ada' } } });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual([made.body.template_id, made.body.variables], [template.id, { name: 'Ada' }]);
  await t.call('PATCH', `/v1/templates/${template.id}`, { body: { text: 'Second text', alias: 'other' } });
  await aTemplate({ alias: 'reminder', text: 'A stranger' });
  assert.deepEqual(await sentTexts(made.body.id), ['Hi Ada', 'First text for Ada']);
});

test('a send that asks for a later time may name a template, too', async () => {
  const { id } = await aTemplate();
  const { scheduled_for: scheduledFor, ...send } = LATER;
  const body = { ...send, scheduledFor, templateId: id, variables: { name: 'Bob' } };
  const made = await t.call('POST', '/v1/send', { body });
  assert.equal(made.status, 202, made.text);
  assert.deepEqual(await sentTexts(made.body.scheduledId), ['Hi Bob', 'First text for Bob']);
});

test('another template of a change is read in its newest version', async () => {
  const [first, second] = [await aTemplate(), await aTemplate({ text: 'Of another' })];
  await t.call('PATCH', `/v1/templates/${first.id}`, { body: { text: 'Version two' } });
  const { body } = await t.call('POST', '', {
    body: { ...LATER, templateId: first.id, variables: { name: 'Ada' } },
  });
  const changed = await t.call('PATCH', `/${body.id}`, { body: { templateId: second.id } });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.body.template_id, second.id);
  assert.deepEqual(await sentTexts(body.id), ['Hi Ada', 'Of another']);
});

test('422 for a missing variable or template when the email is scheduled or changed, and nothing is kept', async () => {
  const { id } = await aTemplate();
  const before = (await t.call('GET', '')).body.total;
  for (const [param, body] of [
    ['variables.name', { templateId: id }],
    ['templateId', { templateId: 'missing-one', variables: { name: 'Ada' } }],
  ] as const) {
    const refused = await t.call('POST', '', { body: { ...LATER, ...body } });
    assert.deepEqual([refused.status, refused.body.param], [422, param], refused.text);
  }
  assert.equal((await t.call('GET', '')).body.total, before);
  const made = await t.call('POST', '', { body: { ...LATER, templateId: id, variables: { name: 'Ada' } } });
  const refused = await t.call('PATCH', `/${made.body.id}`, { body: { variables: { other: 1 } } });
  assert.deepEqual([refused.status, refused.body.param], [422, 'variables.name'], refused.text);
  assert.deepEqual((await t.call('GET', `/${made.body.id}`)).body.variables, { name: 'Ada' });
  await t.call('DELETE', `/${made.body.id}`);
});

test('409 for deleting a template with which an email waits; forced, the email fails and names the template', async () => {
  const { id } = await aTemplate();
  const made = await t.call('POST', '', { body: { ...LATER, templateId: id, variables: { name: 'Ada' } } });
  const users = await t.call('GET', `/v1/templates/${id}/used-by`);
  assert.deepEqual(users.body.scheduled_emails, [{ id: made.body.id, scheduled_for: made.body.scheduled_for }]);
  const refused = await t.call('DELETE', `/v1/templates/${id}`);
  assert.equal(refused.status, 409);
  assert.match(refused.body.message, new RegExp(made.body.id));
  assert.equal((await t.call('GET', `/v1/templates/${id}`)).status, 200);
  assert.equal((await t.call('DELETE', `/v1/templates/${id}?force=true`)).status, 200);
  await t.dueAgo(made.body.id, 1);
  assert.equal(await due.runOnce(), 1);
  const failed = (await t.call('GET', `/${made.body.id}`)).body;
  assert.deepEqual([failed.status, failed.error_code], ['failed', 'templateId']);
  assert.equal((await t.stored(made.body.id)).sends, 0);
});

test('a template is not deleted while an email is scheduled or changed to have it', async () => {
  const plain = await t.call('POST', '', { body: { ...LATER, subject: 'Plain', text: 'x' } });
  const templated = (id: string) => ({ templateId: id, variables: { name: 'Ada' } });
  // Several times, because one may come before the other by chance.
  for (let time = 0; time < 3; time += 1) {
    const [one, two] = [await aTemplate(), await aTemplate()];
    const [deleted, made, otherDeleted, changed] = await Promise.all([
      t.call('DELETE', `/v1/templates/${one.id}`),
      t.call('POST', '', { body: { ...LATER, ...templated(one.id) } }),
      t.call('DELETE', `/v1/templates/${two.id}`),
      t.call('PATCH', `/${plain.body.id}`, { body: { ...templated(two.id), text: null } }),
    ]);
    assert.deepEqual(made.status === 201 ? [409, 201] : [200, 422], [deleted.status, made.status], made.text);
    assert.deepEqual(changed.status === 200 ? [409, 200] : [200, 422], [otherDeleted.status, changed.status]);
    if (made.status === 201) await t.call('DELETE', `/${made.body.id}`);
  }
  await t.call('DELETE', `/${plain.body.id}`);
});

test('an email of a test key is sent with a draft', async () => {
  const key = await t.key({ mode: 'test', scopes: ['emails:send', 'emails:read', 'scheduled:read'] });
  const { id } = await aTemplate({ publish: false });
  const body = { ...LATER, templateId: id, variables: { name: 'Ada' } };
  assert.equal((await t.call('POST', '', { body })).status, 422, 'a live key may not');
  const made = await t.call('POST', '', { body, key });
  assert.equal(made.status, 201, made.text);
  await t.dueAgo(made.body.id, 1);
  assert.equal(await due.runOnce(), 1);
  assert.equal((await t.stored(made.body.id)).emails.length, 1);
});
