/** API keys and the checklist of first steps, in a real browser against the real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import type { ApiKeyPage, NewsletterPage } from '../../src/api/generated/types.gen.ts';
import { changeAnswer, trueAnswers } from '../harness/answers.ts';
import { axeFaults } from '../harness/axe.ts';
import { type Made, type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import type { Page } from '../harness/journey.ts';

let dashboard: RunningDashboard;
before(async () => {
  dashboard = await startDashboard();
});
after(() => dashboard?.stop());

let id = '';
let first = '';

const as = (key: string, path: string, body?: object) =>
  fetch(`${dashboard.posthorn.url}${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  }).then(({ status }) => status);

const call = <T>(path: string, body?: unknown): Promise<T> => dashboard.call<T>(path, body);
interface Key {
  scopes: string[];
  expires_at: string | null;
}

const steps = (page: Page) => page.getByRole('region', { name: 'First steps' });
const step = (page: Page, name: string) => steps(page).getByRole('listitem').filter({ hasText: name });
const scope = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
const ticked = (page: Page) =>
  page
    .getByRole('group', { name: 'Scopes' })
    .getByRole('checkbox', { checked: true })
    .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')));

test('the step that asks for a key leads to its form, and is done once the key is made', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/account');
  // The key of the proofs is in use already.
  await changeAnswer<ApiKeyPage>(page, '/v1/api-keys?*', (keys) => ({
    ...keys,
    data: keys.data.filter(({ name }) => name === 'Shop'),
  }));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview', exact: true }).click();
  await steps(page).getByText('4 of 4 left.').waitFor();
  await step(page, 'Create an API key').getByLabel('To do').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole('link', { name: 'Create an API key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
  await scope(page, 'Emails: send').click();
  await scope(page, 'Scheduled emails: write').click();
  await scope(page, 'Templates: read').click();
  await scope(page, 'Subscribers: write').click();
  const included = scope(page, 'Subscribers: read (write includes it)');
  assert.deepEqual([await included.isChecked(), await included.isDisabled()], [true, true]);
  assert.equal(await page.getByRole('radio', { name: 'Custom' }).isChecked(), true);
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('heading', { level: 1, name: 'Shop is ready' }).waitFor();
  first = await page.locator('[data-secret]').innerText();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Shop', exact: true }).waitFor();
  id = new URL(page.url()).pathname.split('/')[2] ?? '';

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview', exact: true }).click();
  await steps(page).getByText('3 of 4 left.').waitFor();
  await step(page, 'Create an API key').getByLabel('Done').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Create an API key' }).count(), 0);
  assert.deepEqual(errors, []);
  await close();
});

test('the ticked scopes are those of the key, which can do just that, also after a change', async () => {
  const { page, errors, close } = await dashboard.openSignedIn(`/keys/${id}?tab=edit`);
  await scope(page, 'Emails: read').waitFor();
  assert.deepEqual(await ticked(page), ['Emails: read', 'Subscribers: read (write includes it)', 'Subscribers: write']);
  const key = await call<Key>(`/v1/api-keys/${id}`);
  assert.deepEqual(key.scopes.toSorted(), ['emails:read', 'subscribers:write']);
  const newsletter = await call<Made>('/v1/newsletters', {
    name: 'Weekly',
    slug: 'weekly',
    from_email: 'news@posthorn.test',
    from_name: 'Weekly',
  });
  const people = `/v1/newsletters/${newsletter.id}/subscribers`;
  const send = { from: 'hello@posthorn.test', to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
  assert.deepEqual(
    await Promise.all([
      as(first, '/v1/emails'),
      as(first, people),
      as(first, people, { email: 'ada@example.com' }),
      as(first, '/v1/send', send),
      as(first, '/v1/scheduled'),
      as(first, '/v1/templates'),
      as(first, '/v1/domains'),
      as(first, '/v1/api-keys', { name: 'More', scopes: ['*'] }),
    ]),
    [200, 200, 201, 403, 403, 403, 403, 403],
  );
  assert.equal((await call<{ data: unknown[] }>('/v1/emails?subject=Hello')).data.length, 0);

  await scope(page, 'Emails: read').click();
  await scope(page, 'Domains: read').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await until('the new scopes', async () => ((await as(first, '/v1/domains')) === 200 ? true : undefined));
  assert.deepEqual(await Promise.all([as(first, '/v1/emails'), as(first, people)]), [403, 200]);
  assert.deepEqual(errors, []);
  await close();
});

test('a person who comes back at once from a step sees that it is done', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/account');
  let isMade = false;
  await changeAnswer<NewsletterPage>(page, '/v1/newsletters?*', (it) => (isMade ? it : { ...it, data: [] }));
  const go = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
  await go('Overview');
  await step(page, 'Make a newsletter').getByLabel('To do').first().waitFor(); // the step behind it names it, too
  await go('API keys');
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  isMade = true;
  await go('Overview');
  await step(page, 'Make a newsletter').getByLabel('Done').waitFor();
  await trueAnswers(page);
  assert.deepEqual(errors, []);
  await close();
});

test('a disabled key is refused, and works again by the undo and by Enable', async () => {
  const { page, errors, close } = await dashboard.openSignedIn(`/keys/${id}`);
  const answers = (status: number) =>
    until(`the answer ${status}`, async () => ((await as(first, '/v1/domains')) === status ? true : undefined));
  for (const back of ['Undo', 'Enable']) {
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Requests with this key are refused now.').waitFor();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await answers(401);
    await page.getByRole('button', { name: back, exact: true }).click();
    await page.getByText('The key works again.').last().waitFor();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await answers(200);
  }
  assert.deepEqual(errors, []);
  await close();
});

/** The page offers an hour and more; the server takes any. */
const OVERLAP_SECONDS = 12;

test('a rotated key works until the end that its page names; the new one works at once, and is shown once', async () => {
  const { page, errors, close } = await dashboard.openSignedIn(`/keys/${id}`);
  let asked: unknown;
  await page.route('**/rotate', async (route) => {
    asked = route.request().postDataJSON();
    await route.continue({ postData: JSON.stringify({ grace_seconds: OVERLAP_SECONDS }) });
  });
  await page.getByRole('button', { name: 'Rotate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rotate Shop' });
  await dialog.getByRole('radio', { name: 'After an hour' }).check();
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('heading', { level: 1, name: 'Shop is ready' }).waitFor();
  assert.deepEqual(asked, { grace_seconds: 3600 });
  const second = await page.locator('[data-secret]').innerText();
  assert.notEqual(second, first);
  assert.deepEqual(await Promise.all([as(second, '/v1/domains'), as(first, '/v1/domains')]), [200, 200]);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Shop', exact: true }).waitFor();
  assert.notEqual(new URL(page.url()).pathname, `/keys/${id}`);
  await page.reload();
  await page
    .getByText(`${second.slice(0, 8)}`)
    .first()
    .waitFor();
  assert.equal((await page.content()).includes(second), false);

  await page.goto(`${dashboard.posthorn.url}/keys/${id}`);
  const { expires_at: end } = await call<Key>(`/v1/api-keys/${id}`);
  await page.locator(`time[datetime="${end}"]`).waitFor();
  await until('the end', async () => ((await as(first, '/v1/domains')) === 401 ? true : undefined));
  assert.ok(Date.now() >= Date.parse(end ?? ''), 'it worked until then');
  assert.equal(await as(second, '/v1/domains'), 200);
  await page.reload();
  await page.getByText('Expired', { exact: true }).waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test('a hidden checklist stays hidden after a reload, and is shown when it is asked for', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/');
  await steps(page).getByRole('button', { name: 'Hide' }).click();
  await steps(page).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('region', { name: 'Emails', exact: true }).waitFor();
  assert.equal(await steps(page).count(), 0);
  await page.goto(`${dashboard.posthorn.url}/?steps=1`);
  await step(page, 'Name a provider (optional)').waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test('while mail is captured, the checklist leaves when all steps but a domain and a provider are done', async () => {
  const [newsletter] = (await call<{ data: Made[] }>('/v1/newsletters')).data;
  // A browser in which nobody has hidden it.
  const { page, errors, close } = await dashboard.openSignedIn('/', {});
  await steps(page).getByText('1 of 4 left. The optional ones are for mail that leaves this machine.').waitFor();
  await step(page, 'Send mail from your own domain (optional)').getByLabel('To do').waitFor();

  const people = `/v1/newsletters/${newsletter?.id}/subscribers`;
  await call(people, { email: 'bob@example.com', skip_confirmation: true, consent: { text: 'At our stand' } });
  const issues = `/v1/newsletters/${newsletter?.id}/issues`;
  const issue = await call<Made>(issues, { subject: 'First', html_body: '<p>Hello</p>' });
  await call(`${issues}/${issue.id}/send`, {});
  await until('the issue', async () =>
    (await call<Made>(`${issues}/${issue.id}`)).status === 'sent' ? true : undefined,
  );
  await page.reload();
  await page.getByRole('region', { name: 'Emails', exact: true }).waitFor();
  await steps(page).waitFor({ state: 'detached' });
  await page.goto(`${dashboard.posthorn.url}/?steps=1`);
  await steps(page)
    .getByText(/^All done\./)
    .waitFor();
  assert.deepEqual(errors, []);
  await close();
});
