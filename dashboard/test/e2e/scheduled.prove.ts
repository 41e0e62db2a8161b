/** Scheduled emails and the calendar in a real browser: moved by drag and by keyboard, edited, sent and cancelled. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaultsOfSchemes } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import type { Page } from '../harness/journey.ts';
import { aMember } from '../harness/people.ts';
import { faultsOfRole } from '../harness/roles.ts';

let dashboard: RunningDashboard;
before(async () => {
  dashboard = await startDashboard();
});
after(() => dashboard?.stop());

const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const today = Date.parse(dayOf(Date.now()));
/** The Wednesday of the next week: it and the day after it are in one row of the grid. */
const wednesday = today + (7 + 2 - ((new Date(today).getUTCDay() + 6) % 7)) * DAY_MS;
const [WEDNESDAY, THURSDAY] = [dayOf(wednesday), dayOf(wednesday + DAY_MS)];

async function make(path: string, body: unknown): Promise<string> {
  const answer = await dashboard.posthorn.fetch(path, { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return (answer.body as { id: string }).id; // an answer of our own API
}

const email = (subject: string, scheduled_for: string, timezone = 'UTC') =>
  make('/v1/scheduled', {
    from: 'hello@posthorn.test',
    to: 'ada@example.com',
    subject,
    html: `<p>Words of ${subject}</p>`,
    scheduled_for,
    timezone,
  });
const read = async (id: string) =>
  (await dashboard.posthorn.fetch(`/v1/scheduled/${id}`)).body as Record<string, unknown>; // as above
const leavesAt = (id: string, day: string) =>
  until(`the email at ${day}`, async () => (await read(id))['scheduled_for'] === `${day}T09:00:00.000Z` || undefined);
/** The local time that it was asked for; null: an instant was. */
async function wallTimeOf(id: string, day: string): Promise<unknown> {
  const { body } = await dashboard.posthorn.fetch(
    `/v1/calendar?start=${day}&end=${dayOf(wednesday + 2 * DAY_MS)}&timezone=UTC`,
  );
  const { days } = body as { days: { items: { id: string; wall_time: unknown }[] }[] }; // as above
  return days.flatMap(({ items }) => items).find((item) => item.id === id)?.wall_time;
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

test('the calendar shows emails and issues, and moves them by drag, by dialog and back', async () => {
  const id = await email('Reminder', `${WEDNESDAY}T18:00:00`, 'Asia/Tokyo');
  for (const minute of [10, 11, 12, 13]) await email(`Bill ${minute}`, `${WEDNESDAY}T09:${minute}:00Z`);
  const newsletter = await make('/v1/newsletters', { name: 'Letters', slug: 'l', from_email: 'l@posthorn.test' });
  const issue = await make(`/v1/newsletters/${newsletter}/issues`, { subject: 'October', html_body: '<p>Hi</p>' });
  const path = `/v1/newsletters/${newsletter}/issues/${issue}`;
  await dashboard.posthorn.fetch(`${path}/schedule`, { body: { scheduled_for: `${WEDNESDAY}T08:00:00Z` } });
  const { page, errors, strangers, close } = await dashboard.openSignedIn(`/calendar?day=${WEDNESDAY}`, {
    timezoneId: 'UTC',
  });
  const chip = page.getByRole('button', { name: /^09:00 Reminder ?, scheduled email to ada@example\.com/ });
  await chip.dragTo(page.locator('td', { has: page.locator(`time[datetime="${THURSDAY}"]`) }));
  await leavesAt(id, THURSDAY);
  assert.equal(await wallTimeOf(id, THURSDAY), `${THURSDAY}T18:00:00`);
  await button(page, 'Undo').click();
  await leavesAt(id, WEDNESDAY);
  assert.equal(await wallTimeOf(id, WEDNESDAY), `${WEDNESDAY}T18:00:00`);

  await page.getByRole('button', { name: /^08:00 October ?, issue to Letters, scheduled/ }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'October' });
  await dialog.getByLabel('Day and time').fill(`${THURSDAY}T10:30`);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^10:30 October/ }).waitFor();
  const moved = (await dashboard.posthorn.fetch(path)).body as Record<string, unknown>;
  assert.equal(moved['scheduled_for'], `${THURSDAY}T10:30:00.000Z`);
  assert.deepEqual(await axeFaultsOfSchemes(page), []);

  await page.getByRole('link', { name: /^1 more on .*5 mails/ }).click();
  await page.getByRole('button', { name: /Bill 13/ }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByText('Week', { exact: true }).click();
  await page.getByRole('heading', { name: /^Thursday/ }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  assert.deepEqual([errors, strangers], [[], []]);
  await close();
});

test('an email is found, edited against somebody else, moved in a zone and sent now, and one of the form is cancelled', async () => {
  const id = await email('Note', 'in 40 days');
  const { page, errors, close } = await dashboard.openSignedIn('/scheduled-emails?search=note');
  await page.getByRole('link', { name: /ada@example\.com/ }).click();
  await page.getByRole('tab', { name: 'Content' }).click();
  await page.frameLocator('iframe').getByText('Words of Note').waitFor();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Subject' }).fill('Mine');
  await dashboard.posthorn.fetch(`/v1/scheduled/${id}`, { method: 'PATCH', body: { subject: 'Theirs' } });
  await button(page, 'Save').click();
  await page.getByRole('cell', { name: 'Theirs' }).waitFor();
  assert.equal((await read(id))['subject'], 'Theirs');
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  await button(page, 'Keep yours').click();
  await page.getByRole('heading', { name: 'Mine' }).waitFor();
  assert.equal((await read(id))['subject'], 'Mine');

  await button(page, 'Reschedule').click();
  const dialog = page.getByRole('dialog', { name: 'When should it leave?' });
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  await dialog.getByLabel('Day and time').fill('2027-03-28T02:30');
  await dialog.getByText('The clocks in Europe/Berlin skip this time').waitFor();
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await page
    .getByText(/in Europe\/Berlin\. For you/)
    .or(page.getByText(/The clocks in Europe\/Berlin skip 02:30/))
    .first()
    .waitFor();
  assert.equal((await read(id))['scheduled_for'], '2027-03-28T01:30:00.000Z');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByText('Moved to another time').waitFor();

  await button(page, 'Send now').click();
  await page.getByRole('dialog', { name: 'Send it now?' }).getByRole('button', { name: 'Send now' }).click();
  await page.getByText(/^(Its emails are in the queue|It was sent)\./).waitFor();
  await page.goto(`${dashboard.posthorn.url}/emails/new`);
  await button(page, 'Send later').click();
  await dialog.getByLabel('Day and time').fill(`${WEDNESDAY}T09:00`);
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await page.waitForURL(/\/scheduled-emails\/[^/]+$/);
  const other = page.url().split('/').at(-1) ?? '';
  assert.equal((await read(other))['subject'], 'It works');
  await button(page, 'Cancel the email').click();
  await page.getByRole('dialog').getByRole('textbox').fill('cancel');
  await page.keyboard.press('Enter');
  await page.getByText('It is cancelled, and is never sent.').waitFor();
  assert.equal((await read(other))['status'], 'cancelled');
  // The browser notes the refused change.
  assert.deepEqual(
    errors.filter((text) => !/status of 409/.test(text)),
    [],
  );
  await close();
});

test('a viewer sees them, and reads why nothing of them can be changed', async () => {
  const id = await email('Look', `${WEDNESDAY}T09:00:00Z`);
  const viewer = await aMember(dashboard, 'viewer');
  const { page, close } = await dashboard.openSignedIn(`/scheduled-emails/${id}`, {}, viewer);
  await page.getByRole('heading', { name: 'Look' }).waitFor();
  const actions = ['Cancel the email', 'Edit', 'Send now', 'Reschedule'];
  assert.deepEqual(await faultsOfRole(page, 'viewer', actions), []);
  await page.goto(`${dashboard.posthorn.url}/calendar?view=day&day=${WEDNESDAY}`);
  await page.getByRole('button', { name: /Look/ }).click();
  await page
    .getByRole('dialog', { name: 'Look' })
    .getByText(/^Your role \(viewer\) may not schedule emails/)
    .waitFor();
  assert.equal(await page.getByRole('dialog').getByLabel('Day and time').count(), 0);
  await close();
});
