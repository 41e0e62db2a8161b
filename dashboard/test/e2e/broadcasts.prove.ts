/** A broadcast is written, counted, sent and read in a real browser, against the real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaults, axeFaultsOfSchemes } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { aMember } from '../harness/people.ts';
import { byHand, faultsOfRole } from '../harness/roles.ts';

let dashboard: RunningDashboard;
before(async () => {
  dashboard = await startDashboard();
  const contacts = ['ada', 'grace', 'joan', 'mary'].map((name) => ({
    email: `${name}@simulator.posthorn.test`,
    first_name: name,
    unsubscribed: name === 'joan',
    ...(name === 'ada' ? { timezone: 'Asia/Kathmandu' } : {}),
  }));
  await call('/v1/contacts/batch', { contacts });
  const guests = await call('/v1/lists', { name: 'Guests' });
  await call(`/v1/lists/${guests}/contacts`, { emails: contacts.map(({ email }) => email) });
  await call('/v1/suppressions', { email: 'mary@simulator.posthorn.test', reason: 'manual' });
});
after(() => dashboard?.stop());

async function call(path: string, body: unknown): Promise<string> {
  const answer = await dashboard.posthorn.fetch(path, { body });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return (answer.body as { id: string }).id; // an answer of our own API
}

const read = async (id: string) =>
  (await dashboard.posthorn.fetch(`/v1/broadcasts/${id}`)).body as Record<string, unknown>; // as above
const idIn = (url: string) => /\/broadcast\/([^/?]+)/.exec(url)?.[1] ?? '';

test('a broadcast is written, its audience counted, sent after the exact count was typed, and its results are read', async () => {
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/broadcast');
  await page.getByRole('button', { name: 'New broadcast' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Spring sale');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/broadcast\/[^/]+\/edit$/);
  const id = idIn(page.url());
  await page.getByText('It goes to nobody yet').waitFor();
  await page.getByLabel('From').fill('Acme <hello@posthorn.test>');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Hi {{ first_name | default: "there" }}');
  await page.getByRole('textbox', { name: 'Body of the broadcast', exact: true }).click();
  await page.keyboard.type('Everything is cheaper.');
  await page.getByRole('combobox', { name: 'Lists', exact: true }).click();
  await page.getByRole('option', { name: 'Guests (4)' }).click();
  await page.keyboard.press('Escape');
  await page.getByText('2 people would get it now').waitFor();
  await page.getByText('The workspace has no postal address').waitFor();
  await page.getByLabel('Labels').fill('campaign');
  await page.keyboard.press('Enter');
  await page.getByText('“campaign” is not like campaign=fall').waitFor();
  await page.getByLabel('Labels').fill('campaign=spring');
  await page.keyboard.press('Enter');
  await page.getByLabel('Reply to').fill('help@posthorn.test');
  await page.keyboard.press('Enter');
  await until('the options to be saved', async () => {
    const { tags, reply_to: replyTo } = await read(id);
    return JSON.stringify([tags, replyTo]).includes('"spring"}],["help@') || undefined;
  });
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.match(String((await read(id))['html']), /Everything is cheaper\./);
  assert.deepEqual(await axeFaultsOfSchemes(page), []);

  await page.reload(); // the blocks are made of the saved HTML again
  await page.getByRole('textbox', { name: 'Body of the broadcast', exact: true }).getByText('cheaper').waitFor();
  await page.getByText('Preview', { exact: true }).click();
  await page.getByRole('combobox', { name: 'As this contact gets it' }).fill('grace');
  await page.getByRole('option', { name: 'grace@simulator.posthorn.test' }).click();
  await page.getByText('Hi grace').waitFor();

  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  const times = page.getByRole('dialog', { name: 'When should it be sent?' });
  await times
    .getByLabel('Day and time')
    .fill(`${new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10)}T09:00`);
  await times.getByRole('switch', { name: 'Send at this time in each contact’s own time zone' }).check();
  await times.getByText(/^It leaves at 2 times: .* 1 person without a time zone: at 09:00 in UTC\.$/).waitFor();
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  await times.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Left out: 1 unsubscribed, 1 suppressed.').waitFor();
  const typed = dialog.getByRole('textbox', { name: /^Type 2/ });
  await typed.fill('4');
  assert.equal(await dialog.getByRole('button', { name: 'Send to 2 people' }).isDisabled(), true);
  assert.equal((await read(id))['status'], 'draft');
  await typed.fill('2');
  await dialog.getByRole('button', { name: 'Send to 2 people' }).click();
  await page.waitForURL((url) => url.pathname === `/broadcast/${id}`);
  await page.getByText('Sent', { exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Delivered: 2' }).click();
  await page.getByRole('link', { name: 'ada@simulator.posthorn.test' }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  const { total, suppressed } = (await read(id))['stats'] as { total: number; suppressed: number }; // as above
  assert.deepEqual([total, suppressed], [3, 1]);
  assert.deepEqual([errors, strangers], [[], []]);
  await close();
});

test('the opens and clicks of a broadcast are a chart, a sentence and a table by hour, and by day', async () => {
  const link = 'https://example.com/sale';
  const fans = await call('/v1/lists', { name: 'Fans' });
  await call(`/v1/lists/${fans}/contacts`, {
    emails: ['ada@simulator.posthorn.test', 'grace@simulator.posthorn.test'],
  });
  const id = await call('/v1/broadcasts', {
    name: 'Watched',
    from: 'hello@posthorn.test',
    subject: 'Watched',
    html: `<p>Here is <a href="${link}">the sale</a>.</p>`,
    audience: { list_ids: [fans] },
    track_clicks: true,
  });
  await call(`/v1/broadcasts/${id}/send`, {});
  const captured = await until('the mail of ada', async () => {
    const { body } = await dashboard.posthorn.fetch('/v1/captured-emails?limit=100');
    const { data } = body as { data: { id: string }[] }; // as above
    return data.find((one) => /"Watched"/.test(JSON.stringify(one)) && /ada@/.test(JSON.stringify(one)));
  });
  await call(`/v1/captured-emails/${captured.id}/simulate`, { outcome: 'click', link });
  await until('the click is counted by time', async () => {
    const { body } = await dashboard.posthorn.fetch(`/v1/broadcasts/${id}/course`);
    return (body as { totals: { clicked: number } }).totals.clicked === 1 || undefined; // as above
  });
  const { page, errors, close } = await dashboard.openSignedIn(`/broadcast/${id}`);
  await page.getByRole('heading', { name: 'Opens and clicks over time' }).waitFor();
  await page.getByText(/^The hour with most was \w+ \d+, \d\d:\d\d: 0 opens and 1 click\.$/).waitFor();
  await page.getByText('People who opened and clicked by hour, as a table').click();
  const cells = page.getByRole('region', { name: /by hour, as a table/ }).locator('tbody td');
  assert.deepEqual(
    (await cells.allInnerTexts()).filter((text) => text !== '0'),
    ['1'],
  );
  assert.deepEqual(await axeFaults(page), []);
  await page.getByText('90 days', { exact: true }).click();
  await page.getByText('People who opened and clicked by day, as a table').waitFor();
  assert.match(page.url(), /by=day/);
  assert.deepEqual(errors, []);
  await close();
});

test('a paused broadcast says so and is resumed, and its cancellation tells exactly how many emails still leave', async () => {
  const contacts = Array.from({ length: 900 }, (_, at) => ({ email: `many-${at}@simulator.posthorn.test` }));
  await call('/v1/contacts/batch', { contacts });
  const many = await call('/v1/lists', { name: 'Many' });
  await call(`/v1/lists/${many}/contacts`, { emails: contacts.map(({ email }) => email) });
  const id = await call('/v1/broadcasts', {
    name: 'To many',
    from: 'hello@posthorn.test',
    subject: 'To many',
    html: '<p>Hello</p>',
    audience: { list_ids: [many] },
  });
  await call(`/v1/broadcasts/${id}/send`, {});
  await call(`/v1/broadcasts/${id}/pause`, {});
  const { page, errors, close } = await dashboard.openSignedIn(`/broadcast/${id}`);
  await page.getByText('Paused', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('The broadcast goes on.').waitFor();
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Cancel the broadcast' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('cancel');
  await dialog.getByRole('button', { name: 'Cancel the broadcast' }).click();
  await page.getByText(/^The broadcast is cancelled\. [\d,]+ emails? had been released before/).waitFor();
  assert.equal((await read(id))['status'], 'cancelled');
  assert.deepEqual(errors, []);
  await close();
});

test('a viewer sees why they may change and send nothing; so says the server', async () => {
  const id = await call('/v1/broadcasts', { name: 'For later', subject: 'Later' });
  const viewer = await dashboard.openSignedIn('/broadcast', {}, await aMember(dashboard, 'viewer'));
  const { page } = viewer;
  const reason = (name: string) =>
    page.getByRole('button', { name }).and(page.locator('[aria-disabled=true]')).waitFor();
  await page.getByRole('link', { name: 'For later' }).waitFor();
  assert.deepEqual(await faultsOfRole(page, 'viewer', ['New broadcast']), []);
  await page.goto(`${dashboard.posthorn.url}/broadcast/${id}`);
  await reason('Send now');
  assert.deepEqual(await faultsOfRole(page, 'viewer', ['Duplicate', 'Delete', 'Schedule', 'Send now']), []);
  assert.match(await byHand(page, 'POST', `/v1/broadcasts/${id}/send`, {}), /^403 .*role.*viewer/);
  await until('the draft as it was', async () => (await read(id))['status'] === 'draft' || undefined);
  assert.deepEqual(
    viewer.errors.filter((text) => !/status of 403/.test(text)),
    [],
  );
  await viewer.close();
});
