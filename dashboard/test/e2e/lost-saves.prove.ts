/**
 * The server takes a save, and its answer is lost on the way. The person presses again: the page finds its own words
 * on the server, and does not speak of somebody else.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';

let dashboard: RunningDashboard;
before(async () => {
  dashboard = await startDashboard();
});
after(() => dashboard?.stop());

const IN_NINE_DAYS = new Date(Date.now() + 9 * 86_400_000).toISOString();

interface Save {
  of: string;
  path: string;
  record: object;
  pageOf: (id: string) => string;
  field: string;
  name: string;
  written?: string;
  button: string;
  says: string;
  /** The title of the page names it. */
  heading?: boolean;
}

const SAVES: readonly Save[] = [
  {
    of: 'a contact',
    path: '/v1/contacts',
    record: { email: 'ada@example.com' },
    pageOf: (id) => `/contacts/${id}?tab=edit`,
    field: 'Address',
    name: 'email',
    written: 'mine@example.com',
    button: 'Save',
    says: 'The contact is changed.',
    heading: true,
  },
  {
    of: 'a segment',
    path: '/v1/segments',
    record: {
      name: 'Before',
      filter: { match: 'all', conditions: [{ field: 'domain', op: 'equals', value: 'example.com' }] },
    },
    pageOf: (id) => `/segments/${id}?tab=conditions`,
    field: 'Name',
    name: 'name',
    button: 'Save',
    says: 'The segment is changed.',
    heading: true,
  },
  {
    of: 'a template',
    path: '/v1/templates',
    record: { name: 'Note', html: '<p>Hello</p>' },
    pageOf: (id) => `/templates/${id}/edit`,
    field: 'Subject',
    name: 'subject',
    button: 'Save draft',
    says: 'Saved.',
  },
  {
    of: 'a scheduled email',
    path: '/v1/scheduled',
    record: {
      from: 'hello@posthorn.test',
      to: 'ada@example.com',
      subject: 'A',
      text: 'A',
      scheduled_for: IN_NINE_DAYS,
    },
    pageOf: (id) => `/scheduled-emails/${id}/edit`,
    field: 'Subject',
    name: 'subject',
    button: 'Save',
    says: 'Saved. Its time stays as it is.',
  },
];

for (const { of, path, record, pageOf, field, name, button, says, heading = false, written = 'Mine' } of SAVES) {
  test(`a save of ${of} whose answer was lost is no conflict`, async () => {
    const made = await dashboard.posthorn.fetch(path, { body: record });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id } = made.body as { id: string }; // an answer of our own API
    const { page, close } = await dashboard.openSignedIn(pageOf(id));
    const answers: number[] = [];
    const isSave = (url: URL): boolean => url.pathname.endsWith(`${path.slice('/v1'.length)}/${id}`);
    await page.route(isSave, async (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback();
      const answer = await route.fetch(); // the server has taken it, and its answer does not arrive
      answers.push(answer.status());
      await route.abort('connectionreset');
    });
    await page.getByRole('textbox', { name: field, exact: true }).fill(written);
    const save = page.getByRole('button', { name: button, exact: true });
    await save.click();
    await page
      .getByText(/Posthorn cannot be reached/)
      .first()
      .waitFor();
    await page.unrouteAll({ behavior: 'wait' }); // its answers under way come first
    await save.click();
    await page.getByText(says).first().waitFor();
    assert.equal(await page.getByText(/[Ss]omebody else changed/).count(), 0);
    // The page around the form shows the new state, too.
    if (heading) await page.getByRole('heading', { level: 1, name: written }).waitFor();
    const { body } = await dashboard.posthorn.fetch(`${path}/${id}`);
    assert.equal((body as Record<string, unknown>)[name], written);
    assert.deepEqual(answers, [200]);
    await close();
  });
}

test('words are not saved over an issue that somebody else has scheduled since it was opened', async () => {
  const make = async (path: string, body: object): Promise<string> => {
    const made = await dashboard.posthorn.fetch(path, { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return (made.body as { id: string }).id; // an answer of our own API
  };
  const newsletter = await make('/v1/newsletters', { name: 'News', slug: 'news', from_email: 'news@posthorn.test' });
  const issues = `/v1/newsletters/${newsletter}/issues`;
  const id = await make(issues, { subject: 'Checked', html_body: '<p>Hello</p>' });
  const { page, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}/issues/${id}/edit`);
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.waitFor();
  const scheduled = await dashboard.posthorn.fetch(`${issues}/${id}/schedule`, {
    body: { scheduled_for: IN_NINE_DAYS },
  });
  assert.equal(scheduled.status, 200, JSON.stringify(scheduled.body));
  const refused = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.status() === 409);
  await subject.fill('Half a');
  await refused;
  await page.getByRole('region', { name: 'Two versions' }).waitFor();
  const read = async () => (await dashboard.posthorn.fetch(`${issues}/${id}`)).body as Record<string, unknown>;
  assert.deepEqual([(await read())['subject'], (await read())['status']], ['Checked', 'scheduled']);
  await page.getByRole('button', { name: 'Keep yours' }).click();
  await until('the chosen text', async () => ((await read())['subject'] === 'Half a' ? true : undefined));
  await close();
});

test('two long versions are drawn a part at a time, and both can be copied whole', async () => {
  const make = async (path: string, body: object): Promise<string> => {
    const made = await dashboard.posthorn.fetch(path, { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return (made.body as { id: string }).id; // an answer of our own API
  };
  const newsletter = await make('/v1/newsletters', { name: 'Long', slug: 'long', from_email: 'long@posthorn.test' });
  const issues = `/v1/newsletters/${newsletter}/issues`;
  const lines = (of: string) => Array.from({ length: 5_000 }, (_, at) => `<p>Line ${at} of ${of}${at}.</p>`).join('\n');
  const id = await make(issues, { subject: 'Long', html_body: lines('mine') });
  const { page, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}/issues/${id}/edit`);
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.waitFor();
  const theirs = await dashboard.posthorn.fetch(`${issues}/${id}`, {
    method: 'PATCH',
    body: { html_body: lines('theirs') },
  });
  assert.equal(theirs.status, 200, JSON.stringify(theirs.body));
  await subject.fill('Mine');
  const versions = page.getByRole('region', { name: 'Two versions' });
  const more = versions.getByRole('button', { name: 'Show 20 more passages' });
  await more.waitFor();
  const drawn = () => versions.locator('ins').count();
  const atFirst = await drawn();
  assert.ok(atFirst > 100 && atFirst < 500, `${atFirst} words are drawn`);
  await more.click();
  await versions.getByText('40 of 500 passages are shown.').waitFor();
  assert.ok((await drawn()) > 1.5 * atFirst);
  for (const name of ['Copy your HTML', 'Copy their HTML']) await versions.getByRole('button', { name }).waitFor();
  await close();
});
