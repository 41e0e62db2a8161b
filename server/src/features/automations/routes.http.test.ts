import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { type AutomationsApp, createAutomationsApp, END, FROM, SIGN_UP } from './test-kit.ts';

let t: AutomationsApp;
before(async () => {
  t = await createAutomationsApp();
});
after(() => t.close());

const GOODBYE = {
  name: 'Goodbye',
  trigger: { type: 'newsletter_unsubscribed' },
  steps: [
    { key: 'wait', type: 'delay', config: { duration: '1 day' } },
    {
      key: 'still_out',
      type: 'condition',
      config: { field: 'subscriber.status', op: 'equals', value: 'unsubscribed', else: 'end' },
    },
    END,
  ],
};

const count = async (): Promise<unknown> =>
  (
    await sql`select (select count(*) from automations) as automations, (select count(*) from automation_versions) as versions`.execute(
      t.app.db,
    )
  ).rows;

test('201 with the automation, disabled, with every field of its definition', async () => {
  const { status, body } = await t.call('POST', '', { body: GOODBYE });
  assert.equal(status, 201);
  const { id, created_at, updated_at, ...rest } = body;
  assert.ok(id && created_at && updated_at);
  assert.deepEqual(rest, {
    name: 'Goodbye',
    status: 'disabled',
    version: 1,
    trigger: { type: 'newsletter_unsubscribed', newsletter_id: null, filter: null },
    reentry: 'once',
    correlation: null,
    exit_on: [],
    goal: null,
    steps: [
      { key: 'wait', type: 'delay', config: { duration: '1 day' }, on_error: 'stop' },
      {
        key: 'still_out',
        type: 'condition',
        config: { field: 'subscriber.status', op: 'equals', value: 'unsubscribed', else: 'end' },
        on_error: 'stop',
      },
      { key: 'done', type: 'end', config: {}, on_error: 'stop' },
    ],
    webhook_secret: null,
    stats: { enrolled: 0, active: 0, completed: 0, exited: 0, failed: 0 },
  });
  const read = await t.call('GET', `/${id}`);
  assert.deepEqual([read.status, read.body], [200, body]);
});

test('201 when an `end` step gives no config, because it has none', async () => {
  const { status, body } = await t.call('POST', '', { body: { ...GOODBYE, steps: [{ key: 'done', type: 'end' }] } });
  assert.deepEqual([status, body.steps], [201, [{ key: 'done', type: 'end', config: {}, on_error: 'stop' }]]);
});

test('201 with operators as segments name them, which stay as they were given', async () => {
  const config = { field: 'payload.total', op: 'gt', value: 9, else: 'end' };
  const filter = [{ field: 'payload.total', op: 'is_set' }];
  const steps = [{ key: 'big', type: 'condition', config }];
  const { status, body } = await t.call('POST', '', {
    body: { ...GOODBYE, trigger: { type: 'event:order.paid', filter }, steps },
  });
  assert.deepEqual([status, body.steps[0].config, body.trigger.filter], [201, config, filter]);
});

test('201 with the id of a template that was named by its alias', async () => {
  const id = await t.template({ alias: 'welcome' });
  const { status, body } = await t.call('POST', '', {
    body: { ...GOODBYE, steps: [{ key: 'mail', type: 'send_email', config: { templateId: 'welcome' } }] },
  });
  assert.equal(status, 201);
  assert.deepEqual(body.steps[0].config, {
    template_id: id,
    template_version: null,
    from: null,
    subject: null,
    transactional: false,
  });
});

const step = (type: string, config: object, more: object = {}) => ({ key: 'one', type, config, ...more });
const jump = (target: string) => ({ field: 'email', op: 'exists', else: target });

const REFUSED: [name: string, body: object, status: number, param: string][] = [
  ['no steps', { steps: [] }, 400, 'steps'],
  ['an unknown trigger', { trigger: { type: 'newsletter_deleted' } }, 400, 'trigger.type'],
  ['a step of an unknown type', { steps: [step('dance', {})] }, 400, 'steps[0].type'],
  ['a key with a capital', { steps: [{ ...END, key: 'End' }] }, 400, 'steps[0].key'],
  ['a key that is a word of branches', { steps: [{ ...END, key: 'continue' }] }, 422, 'steps[0].key'],
  ['a key that is taken', { steps: [END, END] }, 422, 'steps[1].key'],
  ['a branch to no step', { steps: [step('condition', jump('gone'))] }, 422, 'steps[0].config.else'],
  ['a branch to the step itself', { steps: [step('condition', jump('one'))] }, 422, 'steps[0].config.else'],
  [
    'a branch to an earlier step',
    { steps: [END, step('wait_for_event', { event: 'event:a', timeout: '1 day', on_timeout: 'done' })] },
    422,
    'steps[1].config.on_timeout',
  ],
  ['a field of another step', { steps: [step('end', { url: 'https://example.com' })] }, 400, 'steps[0].config.url'],
  ['a delay without a config', { steps: [{ key: 'one', type: 'delay' }] }, 400, 'steps[0].config.duration'],
  ['a delay of no length', { steps: [step('delay', {})] }, 400, 'steps[0].config.duration'],
  [
    'a delay of two lengths',
    { steps: [step('delay', { duration: '1 day', until_local: '09:00' })] },
    400,
    'steps[0].config.duration',
  ],
  ['a delay of years', { steps: [step('delay', { duration: '400 days' })] }, 400, 'steps[0].config.duration'],
  [
    'a time of day that is none',
    { steps: [step('delay', { until_local: '25:00' })] },
    400,
    'steps[0].config.until_local',
  ],
  [
    'a zone that is none',
    { steps: [step('delay', { until_local: '09:00', timezone: 'EST' })] },
    400,
    'steps[0].config.timezone',
  ],
  ['a wait without an end', { steps: [step('wait_for_event', { event: 'event:a' })] }, 400, 'steps[0].config.timeout'],
  [
    'a condition on nothing',
    { steps: [step('condition', { field: 'weather', op: 'exists' })] },
    400,
    'steps[0].config.field',
  ],
  [
    'a condition without a value',
    { steps: [step('condition', { field: 'email', op: 'equals' })] },
    400,
    'steps[0].config.value',
  ],
  [
    'a hidden name',
    { steps: [step('condition', { field: 'payload.__proto__', op: 'exists' })] },
    400,
    'steps[0].config.field',
  ],
  [
    'a template that is not there',
    { steps: [step('send_email', { template_id: 'nope' })] },
    422,
    'steps[0].config.template_id',
  ],
  [
    'an address that is none',
    { steps: [step('send_email', { template_id: 'x', from: 'me' })] },
    400,
    'steps[0].config.from',
  ],
  ['a URL that is none', { steps: [step('webhook', { url: 'ftp://example.com' })] }, 400, 'steps[0].config.url'],
  [
    'a newsletter that is not there',
    { trigger: { type: 'newsletter_confirmed', newsletter_id: newId() } },
    422,
    'trigger.newsletter_id',
  ],
  [
    'a newsletter for an event of none',
    { trigger: { ...SIGN_UP, newsletter_id: newId() } },
    422,
    'trigger.newsletter_id',
  ],
  ['a re-entry that is none', { reentry: 'sometimes' }, 400, 'reentry'],
  ['a re-entry after years', { reentry: 'after:999 weeks' }, 400, 'reentry'],
  ['a correlation that is no path', { correlation: 'a b' }, 400, 'correlation'],
  ['an exit by the API', { exit_on: [{ type: 'api' }] }, 400, 'exit_on[0].type'],
];

for (const [name, body, status, param] of REFUSED) {
  test(`${status} for ${name}, and nothing is stored`, async () => {
    const earlier = await count();
    const reply = await t.call('POST', '', { body: { ...GOODBYE, ...body } });
    assert.deepEqual([reply.status, reply.body.param], [status, param], reply.text);
    assert.deepEqual(await count(), earlier);
  });
}

test('200 with a change of the definition as the next version, and of the name as none', async () => {
  const { id } = await t.automation(GOODBYE);
  const renamed = await t.call('PATCH', `/${id}`, { body: { name: 'Farewell' } });
  assert.deepEqual([renamed.status, renamed.body.name, renamed.body.version], [200, 'Farewell', 1]);
  const changed = await t.call('PATCH', `/${id}`, { body: { reentry: 'every', steps: [END] } });
  assert.deepEqual([changed.body.version, changed.body.reentry, changed.body.steps.length], [2, 'every', 1]);
  assert.deepEqual(changed.body.trigger, renamed.body.trigger);
  const same = await t.call('PATCH', `/${id}`, { body: { reentry: 'every' } });
  assert.equal(same.body.version, 2);
});

test('200 for changes that come at once, each with a version of its own', async () => {
  const { id } = await t.automation(GOODBYE);
  const ends = ['one', 'two', 'three', 'four'].map((key) => ({ steps: [{ ...END, key }] }));
  const changed = await Promise.all(ends.map((body) => t.call('PATCH', `/${id}`, { body })));
  assert.deepEqual(
    changed.map(({ status, body }) => [status, body.version]).toSorted(),
    [2, 3, 4, 5].map((version) => [200, version]),
  );
});

test('409 for a change of an automation that was changed since it was read', async () => {
  const { id } = await t.automation(GOODBYE);
  const read = await t.call('GET', `/${id}`);
  const headers = { 'if-match': String(read.headers['etag']) };
  assert.equal((await t.call('PATCH', `/${id}`, { body: { name: 'First' }, headers })).status, 200);
  assert.equal((await t.call('PATCH', `/${id}`, { body: { name: 'Second' }, headers })).status, 409);
  assert.equal((await t.call('GET', `/${id}`)).body.name, 'First');
});

test('200 enabled and disabled, each with an entry in the audit log', async () => {
  const template = await t.template();
  const { id } = await t.automation({ ...GOODBYE, steps: [step('send_email', { template_id: template })] });
  const enabled = await t.call('POST', `/${id}/enable`);
  assert.deepEqual([enabled.status, enabled.body.status], [200, 'enabled']);
  assert.equal((await t.call('POST', `/${id}/enable`)).body.updated_at, enabled.body.updated_at);
  const disabled = await t.call('POST', `/${id}/disable`);
  assert.deepEqual([disabled.status, disabled.body.status], [200, 'disabled']);
  const { rows } = await sql<{ action: string }>`
    select action from security_log where workspace_id = ${t.app.workspaceId} and target_id = ${id} order by id`.execute(
    t.app.db,
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['automation.created', 'automation.enabled', 'automation.disabled'],
  );
});

test('422 for enabling what could not send, and it stays disabled', async () => {
  const draft = await t.template({ publish: false });
  const nobody = await t.template({ from: null });
  const published = await t.template();
  for (const [config, param] of [
    [{ template_id: draft }, 'template_id'],
    [{ template_id: published, template_version: 7 }, 'template_version'],
    [{ template_id: nobody }, 'from'],
    [{ template_id: nobody, from: 'a@elsewhere.example' }, 'from'],
  ] as const) {
    const { id } = await t.automation({ steps: [step('send_email', config)] });
    const reply = await t.call('POST', `/${id}/enable`);
    assert.deepEqual([reply.status, reply.body.param], [422, `steps[0].config.${param}`], reply.text);
    assert.equal((await t.call('GET', `/${id}`)).body.status, 'disabled');
  }
  const { id } = await t.automation({ steps: [step('send_email', { template_id: nobody, from: FROM })] });
  assert.equal((await t.call('POST', `/${id}/enable`)).status, 200);
});

test('403 for enabling without the permission to send, and with a test key', async () => {
  const { id } = await t.automation(GOODBYE);
  const editor = await t.key({ scopes: ['automations:write'] });
  const sandbox = await t.key({ mode: 'test' });
  for (const key of [editor, sandbox]) assert.equal((await t.call('POST', `/${id}/enable`, { key })).status, 403);
  assert.equal((await t.call('PATCH', `/${id}`, { key: editor, body: { name: 'Mine' } })).status, 200);
  assert.equal((await t.call('GET', `/${id}`)).body.status, 'disabled');
  await t.call('POST', `/${id}/enable`);
  assert.equal((await t.call('PATCH', `/${id}`, { key: editor, body: { reentry: 'every' } })).status, 403);
  assert.equal((await t.call('GET', `/${id}`)).body.version, 1);
});

test('201 with a disabled copy of the newest version', async () => {
  const from = await t.enabled(GOODBYE);
  const { status, body } = await t.call('POST', `/${from.id}/duplicate`);
  assert.deepEqual([status, body.name, body.status, body.version], [201, 'Copy of Goodbye', 'disabled', 1]);
  assert.deepEqual(body.steps, from.steps);
  assert.equal((await t.call('POST', `/${from.id}/duplicate`, { body: { name: 'Two' } })).body.name, 'Two');
});

test('200 deletes it: 404 afterwards, and its template may go', async () => {
  const template = await t.template();
  const { id } = await t.enabled({ steps: [step('send_email', { template_id: template })] });
  const used = await t.call('GET', `/v1/templates/${template}/used-by`);
  assert.deepEqual(used.body.automations, [{ id, name: 'A' }]);
  assert.equal((await t.call('DELETE', `/v1/templates/${template}`)).status, 409);
  assert.deepEqual((await t.call('DELETE', `/${id}`)).body, { success: true });
  assert.equal((await t.call('GET', `/${id}`)).status, 404);
  assert.equal((await t.call('POST', `/${id}/enable`)).status, 404);
  assert.equal((await t.call('DELETE', `/v1/templates/${template}`)).status, 200);
});

test('a template is not deleted while an automation that sends it is enabled', async () => {
  // Several times, because one may come before the other by chance.
  for (let time = 0; time < 4; time += 1) {
    const template = await t.template();
    const { id } = await t.automation({ steps: [step('send_email', { template_id: template })] });
    const [enabled, deleted] = await Promise.all([
      t.call('POST', `/${id}/enable`),
      t.call('DELETE', `/v1/templates/${template}`),
    ]);
    assert.deepEqual(enabled.status === 200 ? [200, 409] : [422, 200], [enabled.status, deleted.status]);
    if (enabled.status === 200) await t.call('POST', `/${id}/disable`);
  }
});

test('404 for an id that is none, and for an automation of a newsletter that the key may not use', async () => {
  const [mine, other] = [await t.newsletter('mine'), await t.newsletter('other')];
  const of = (newsletterId: string) => ({ ...GOODBYE, trigger: { ...GOODBYE.trigger, newsletter_id: newsletterId } });
  const [seen, hidden] = [await t.automation(of(mine)), await t.automation(of(other))];
  const key = await t.key({ newsletter_ids: [mine] });
  assert.equal((await t.call('GET', `/${seen.id}`, { key })).status, 200);
  assert.equal((await t.call('GET', `/${hidden.id}`, { key })).status, 404);
  assert.equal((await t.call('GET', '/nonsense')).status, 404);
  assert.equal((await t.call('POST', '', { key, body: of(other) })).status, 403);
  const { data } = (await t.call('GET', '?limit=100', { key })).body;
  assert.ok(data.every(({ id }: { id: string }) => id !== hidden.id));
});

test('403 for a key of some newsletters whose trigger names none: it would hear of the readers of all', async () => {
  const key = await t.key({ newsletter_ids: [await t.newsletter('only')] });
  const before = (await t.call('GET', '')).body.total;
  const { status, body } = await t.call('POST', '', { key, body: { ...GOODBYE, trigger: { type: 'issue_sent' } } });
  assert.deepEqual([status, body.param], [403, 'trigger.newsletter_id']);
  assert.equal((await t.call('GET', '')).body.total, before);
});

test('403 for a run that a key of other domains starts: it may send from none that the automation names', async () => {
  const { id } = await t.enabled({ steps: [step('send_email', { template_id: await t.template(), from: FROM })] });
  const { body: made } = await t.call('POST', '/v1/domains', { body: { domain: 'elsewhere.example' } });
  const key = await t.key({ domain_ids: [made.data.id] });
  const { status } = await t.call('POST', `/${id}/runs`, { key, body: { email: 'anyone@example.com' } });
  assert.equal(status, 403);
  assert.deepEqual(await t.runs(id), []);
});

test('200 with pages that follow the cursor, by status and name', async () => {
  const made = [];
  for (const name of ['Paged one', 'Paged two', 'Paged three']) made.push((await t.automation({ name })).id);
  const first = await t.call('GET', '?search=paged&limit=2');
  assert.deepEqual([first.body.total, first.body.has_more], [3, true]);
  const rest = await t.call('GET', `?search=paged&limit=2&cursor=${first.body.next_cursor}`);
  const ids = [...first.body.data, ...rest.body.data].map(({ id }: { id: string }) => id);
  assert.deepEqual(ids, made.toReversed());
  assert.equal((await t.call('GET', '?search=paged&status=enabled')).body.total, 0);
});
