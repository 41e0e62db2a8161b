/** An issue is written, checked, looked at, sent and read in a real browser, against the real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';

let dashboard: RunningDashboard;
let newsletter = '';
before(async () => {
  dashboard = await startDashboard();
  newsletter = await make('/v1/newsletters', { name: 'Letters', slug: 'letters', from_email: 'letters@posthorn.test' });
  const consent = { text: 'asked', ip: '203.0.113.7', at: '2026-01-01T00:00:00Z' };
  for (const name of ['ada', 'grace']) {
    await make(`/v1/newsletters/${newsletter}/subscribers`, {
      email: `${name}@simulator.posthorn.test`,
      skip_confirmation: true,
      consent,
    });
  }
});
after(() => dashboard?.stop());

async function make(path: string, body: unknown): Promise<string> {
  const answer = await dashboard.posthorn.fetch(path, { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return (answer.body as { id: string }).id; // an answer of our own API
}

const draft = () =>
  make(`/v1/newsletters/${newsletter}/issues`, { subject: 'Untitled issue', html_body: '<p>Hello</p>' });
const read = async (issue: string) =>
  (await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}/issues/${issue}`)).body as Record<string, unknown>;

test('an issue is written, saved by itself, looked at, and sent after the exact count was typed', async () => {
  const issue = await draft();
  const { page, errors, strangers, close } = await dashboard.openSignedIn(
    `/newsletters/${newsletter}/issues/${issue}/edit`,
  );
  await page.getByRole('textbox', { name: 'Subject' }).fill('News of November');
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await read(issue))['subject'], 'News of November');
  assert.equal((await read(issue))['html_body'], '<p>Hello</p>');

  await page.getByText('Preview', { exact: true }).click();
  await page.frameLocator('iframe').getByText('Hello').waitFor();
  await page.getByText('Write', { exact: true }).click();

  await page.getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('2');
  await dialog.getByRole('button', { name: 'Send to 2 readers' }).click();
  await page.waitForURL((url) => url.pathname === `/newsletters/${newsletter}/issues/${issue}`);
  await page.getByText('Sent', { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Recipients' }).click();
  await page.getByRole('link', { name: 'ada@simulator.posthorn.test' }).waitFor();
  assert.equal((await read(issue))['status'], 'sent');
  assert.deepEqual([errors, strangers], [[], []]);
  await close();
});

test('two people write: the second sees both versions, and the chosen one stands', async () => {
  const issue = await draft();
  const { page, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}/issues/${issue}/edit`);
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.waitFor();
  await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}/issues/${issue}`, {
    method: 'PATCH',
    body: { subject: 'Theirs' },
  });
  await subject.fill('Mine');
  const keep = page.getByRole('button', { name: 'Keep yours' });
  await keep.waitFor();
  assert.equal((await read(issue))['subject'], 'Theirs');
  await keep.click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await read(issue))['subject'], 'Mine');
  await close();
});

test('a version that was given up for that of somebody else is there after a reload, until it is used or discarded', async () => {
  const issue = await draft();
  const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}/issues/${issue}/edit`);
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.waitFor();
  await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}/issues/${issue}`, {
    method: 'PATCH',
    body: { subject: 'Theirs' },
  });
  await subject.fill('Mine');
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal(await subject.inputValue(), 'Theirs');
  await page.reload();
  await page.getByText(/Yours, “Mine”, is kept in this browser/).waitFor();
  await page.getByRole('button', { name: 'Use your version' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await read(issue))['subject'], 'Mine');
  assert.equal(await page.getByText(/is kept in this browser/).count(), 0);
  // The browser writes the refused save into its console.
  assert.deepEqual(
    errors.filter((text) => !/status of 409/.test(text)),
    [],
  );
  await close();
});
