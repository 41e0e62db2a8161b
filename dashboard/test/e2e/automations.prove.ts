/** Automations in a real browser: made by keyboard, simulated, run, tested; refused at the field; seen by a viewer. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaultsOfSchemes } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { Keyboard } from '../harness/keyboard.ts';
import { aMember } from '../harness/people.ts';
import { faultsOfRole } from '../harness/roles.ts';

let dashboard: RunningDashboard;
let template = '';
before(async () => {
  dashboard = await startDashboard();
  template = await make('/v1/templates', {
    name: 'Hello',
    subject: 'Hello {{ name }}',
    from: 'hello@posthorn.test',
    html: '<p>Words for {{ name }}</p>',
    publish: true,
  });
});
after(() => dashboard?.stop());

interface Read {
  id: string;
  status: string;
  version: number;
  trigger: object;
  steps: { key: string; status: string; config: Record<string, unknown> }[];
}

/** Answers of our own API. */
const call = async (path: string, body?: unknown, method?: string) => {
  const answer = await dashboard.posthorn.fetch(path, {
    ...(body === undefined ? {} : { body }),
    ...(method && { method }),
  });
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Record<string, unknown>;
};
const make = async (path: string, body: unknown): Promise<string> => String((await call(path, body))['id']);
const read = async (path: string) => (await call(path)) as unknown as Read;
const keysOf = ({ steps }: Read) => steps.map(({ key }) => key).join(' ');

test('an automation is made, simulated and enabled by keyboard, and a run shows its steps', async () => {
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/automations?add=1', { timezoneId: 'UTC' });
  const keys = new Keyboard(page);
  await keys.isOn('textbox "Name"');
  await keys.type('Greeting');
  await keys.tabTo(/"A run begins when"/);
  await keys.choose('Only a call of the API');
  await keys.tabTo('button "Create automation"');
  await keys.press('Enter');
  await keys.isOn('heading "Greeting"');
  const id = page.url().split('/').at(-1) ?? '';
  const path = `/v1/automations/${id}`;

  await keys.tabTo('button "Add a step"');
  await keys.press('Enter');
  await page.getByRole('menuitem', { name: /^Send an email/ }).waitFor();
  await keys.press('ArrowDown', 'Enter');
  await keys.isOn('button "2. Send an email');
  await keys.tabTo(/"Template"/);
  await keys.type('Hel');
  await page.getByRole('option', { name: 'Hello', exact: true }).waitFor();
  await keys.press('ArrowDown', 'Enter');
  await keys.tabTo('button "Move step 2, email up"', { back: true });
  await keys.press('Enter');
  await page.getByText('email is step 1 now.').waitFor();
  await keys.press('Control+s');
  await until('the saved order', async () => (keysOf(await read(path)) === 'email wait' ? true : undefined));
  await page.getByText('Version 2 is saved.', { exact: true }).first().waitFor();
  assert.deepEqual(await axeFaultsOfSchemes(page), []);

  await keys.tabTo('tab "Steps"', { back: true });
  await keys.press('ArrowRight');
  await keys.tabTo('textbox "Payload"');
  await keys.type('{"name": "Ada"}');
  await keys.tabTo('button "Simulate"');
  await keys.press('Enter');
  await page.getByText('The run has come to its end.').waitFor();
  await keys.tabTo('button "Show the mail"');
  await keys.press('Enter');
  await page.frameLocator('iframe').getByText('Words for Ada').waitFor();
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  assert.equal((await call('/v1/emails?source=automation'))['total'], 0);

  await keys.tabTo('button "Enable"', { back: true });
  await keys.press('Enter');
  await page.getByRole('dialog', { name: 'Enable this automation?' }).waitFor();
  await keys.tabTo('button "Enable"');
  await keys.press('Enter');
  await page.getByText('It lets people in from now on.').waitFor();
  assert.equal((await read(path)).status, 'enabled');

  const run = String((await call(`${path}/runs`, { email: 'ada@example.com', payload: { name: 'Ada' } }))['run_id']);
  await until('the wait of the run', async () =>
    (await read(`${path}/runs/${run}`)).steps.length === 2 ? true : undefined,
  );
  await page.goto(`${dashboard.posthorn.url}/automations/${id}?tab=runs&status=active`);
  await page.getByRole('link', { name: 'ada@example.com' }).press('Enter');
  const steps = page.getByRole('list', { name: 'Steps of this run' }).getByRole('listitem');
  await steps.filter({ hasText: 'Send an email email Done' }).getByRole('link', { name: 'Open the email' }).waitFor();
  await steps.filter({ hasText: 'Wait wait Waiting' }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  await page.getByRole('button', { name: 'Cancel runs' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('1');
  await page.keyboard.press('Enter');
  await page.getByText('1 run is cancelled.').waitFor();
  assert.equal((await read(`${path}/runs/${run}`)).status, 'exited');
  assert.deepEqual([errors, strangers], [[], []]);
  await close();
});

test('a refusal is at its field, a conflict asks which version stands, and a name is typed to delete', async () => {
  const wait = { key: 'wait', type: 'delay', config: { duration: '1 day' } };
  const id = await make('/v1/automations', { name: 'Reminder', trigger: { type: 'api' }, steps: [wait] });
  const path = `/v1/automations/${id}`;
  const { page, close } = await dashboard.openSignedIn(`/automations/${id}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Add a step before step 1').click();
  await page.getByRole('menuitem', { name: /^Send an email/ }).click();
  await button('Save steps').click();
  await page.getByText('It is required.').waitFor();
  assert.equal((await read(path)).version, 1);
  const key = page.getByRole('textbox', { name: 'Key' });
  await page
    .getByRole('textbox', { name: 'Template' })
    .or(page.getByRole('combobox', { name: 'Template' }))
    .click();
  await page.getByRole('option', { name: 'Hello', exact: true }).click();
  await call(path, { steps: [{ ...wait, config: { duration: '2 days' } }] }, 'PATCH');
  await button('Save steps').click();
  await page
    .getByRole('region', { name: 'Two versions' })
    .getByText(/2 days/)
    .waitFor();
  assert.equal(keysOf(await read(path)), 'wait');
  await button('Keep yours').click();
  await page.getByText('Version 3 is saved.', { exact: true }).first().waitFor();
  assert.equal(await key.inputValue(), 'email'); // the same card is open
  const saved = await read(path);
  assert.equal(keysOf(saved), 'email wait');
  assert.equal(saved.steps[0]?.config['template_id'], template);

  await page.getByRole('tab', { name: 'Settings' }).click();
  await button('Delete automation').click();
  await page.getByRole('dialog').getByRole('textbox').fill('Reminder');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/automations$/);
  assert.equal((await dashboard.posthorn.fetch(path)).status, 404);
  await close();
});

test('steps and triggers of contacts have fields, and a test is started from the page', async () => {
  const list = await make('/v1/lists', { name: 'Readers' });
  const steps = [{ key: 'wait', type: 'delay', config: { duration: '1 day' } }];
  const id = await make('/v1/automations', { name: 'Contacts', trigger: { type: 'api' }, steps });
  const path = `/v1/automations/${id}`;
  const { page, errors, close } = await dashboard.openSignedIn(`/automations/${id}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const choose = async (label: string, option: string) => {
    await page
      .getByRole('combobox', { name: label })
      .or(page.getByRole('textbox', { name: label }))
      .first()
      .click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const add = async (kind: RegExp) => {
    await button('Add a step before step 1').click();
    await page.getByRole('menuitem', { name: kind }).click();
  };
  await add(/^Put on a list/);
  await choose('List', 'Readers');
  await add(/^Change the contact/);
  await button('Add a property').click();
  await page.getByRole('combobox', { name: 'Property' }).or(page.getByLabel('Property')).first().fill('plan');
  await page.getByRole('textbox', { name: 'New value' }).fill('pro');
  await page.getByRole('button', { name: /^Trigger/ }).click();
  await choose('A run begins when', 'A contact is put on a list');
  await choose('List', 'Readers');
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  await button('Save steps').click();
  await page.getByText('Version 2 is saved.', { exact: true }).first().waitFor();
  const saved = await read(path);
  assert.deepEqual(
    saved.steps.map(({ key, config }) => [key, config]),
    [
      ['change', { properties: { plan: 'pro' } }],
      ['add', { list_id: list }],
      ['wait', { duration: '1 day' }],
    ],
  );
  await button('Show as a drawing').click();
  const drawing = page.getByRole('figure', { name: /^Drawing of the steps/ });
  await drawing.getByText('A contact is put on a list: Readers').waitFor();
  await drawing.getByText('2. Put on a list').click();
  await page.getByRole('button', { name: /^2\. Put on a list/, expanded: true }).waitFor();
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  assert.deepEqual(saved.trigger, { type: 'list_joined', newsletter_id: null, list_id: list, filter: null });

  await button('Test').click();
  const dialog = page.getByRole('dialog', { name: 'Start a run' });
  assert.equal(await dialog.getByRole('radio', { name: 'A real run' }).isDisabled(), true);
  await dialog.getByRole('textbox', { name: 'Payload' }).fill('[1]');
  await dialog.getByRole('button', { name: 'Start the test' }).click();
  await dialog.getByText(/^This is not an object in JSON/).waitFor();
  assert.equal((await call(`${path}/runs`))['total'], 0);
  await dialog.getByRole('textbox', { name: 'Payload' }).fill('{"plan": "pro"}');
  await dialog.getByRole('button', { name: 'Start the test' }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
  const run = await call(`${path}/runs/${page.url().split('/').at(-1)}`);
  assert.deepEqual([run['email'], run['test']], [dashboard.owner.email, true]);
  assert.deepEqual(errors, []);
  await close();
});

test('a viewer sees the steps, and reads why nothing of them can be changed', async () => {
  const steps = [{ key: 'mail', type: 'send_email', config: { template_id: template } }];
  const id = await make('/v1/automations', { name: 'Look', trigger: { type: 'api' }, steps });
  const viewer = await aMember(dashboard, 'viewer');
  const { page, close } = await dashboard.openSignedIn(`/automations/${id}`, {}, viewer);
  await page.getByRole('heading', { name: 'Look' }).waitFor();
  await page.getByRole('button', { name: /^1\. Send an email/ }).click();
  await page.getByRole('textbox', { name: 'Key' }).waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Key' }).isEditable(), false);
  assert.deepEqual(await faultsOfRole(page, 'viewer', ['Duplicate', 'Test', 'Enable', 'Save steps']), []);
  await close();
});
