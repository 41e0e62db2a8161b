import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp();
  await made('/v1/contacts/batch', {
    contacts: [
      { email: 'bob@example.com', name: '=HYPERLINK("http://x.test")', properties: { plan: 'free' } },
      { email: 'ada@example.com', first_name: 'Ada', properties: { plan: 'pro', seats: 3, vip: true } },
      { email: 'cid@example.com', unsubscribed: true, language: 'de', timezone: 'Europe/Berlin' },
    ],
  });
});
after(() => app.close());

async function made(url: string, body: object): Promise<string> {
  const answer = await app.request({ url, body });
  assert.ok(answer.status < 300, answer.text);
  return String(Reflect.get(Object(answer.body), 'id'));
}
const file = (query = '') => app.request({ url: `/v1/contacts/export${query}` });
const addresses = (text: string): string[] => text.match(/^[a-z]+@example\.com/gm) ?? [];

test('200 with all contacts in the order of their addresses, and no cell that is a formula', async () => {
  const { status, headers, text } = await file();
  assert.equal(status, 200);
  assert.match(String(headers['content-disposition']), /contacts\.csv/);
  const [header, ada = '', bob = '', cid = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/);
  assert.equal(
    header,
    'email,first_name,last_name,name,properties,timezone,language,unsubscribed,unsubscribed_at,created_at',
  );
  assert.match(ada, /^ada@example\.com,Ada,,,"\{""vip"": true, ""plan"": ""pro"", ""seats"": 3\}",,,false,,\d{4}-/);
  assert.match(bob, /,"?'=HYPERLINK/);
  assert.match(cid, /^cid@example\.com,.*,Europe\/Berlin,de,true,\d{4}-/);
});

test('a list, a segment and both choose the contacts', async () => {
  const list = await made('/v1/lists', { name: 'Two' });
  await made(`/v1/lists/${list}/contacts`, { emails: ['ada@example.com', 'cid@example.com'] });
  const conditions = [{ field: 'unsubscribed', op: 'is_false' }];
  const segment = await made('/v1/segments', { name: 'Mailed', filter: { match: 'all', conditions } });
  const rows = async (query: string) => addresses((await file(query)).text);
  assert.deepEqual(await rows(`?list_id=${list}`), ['ada@example.com', 'cid@example.com']);
  assert.deepEqual(await rows(`?segment_id=${segment}`), ['ada@example.com', 'bob@example.com']);
  assert.deepEqual(await rows(`?list_id=${list}&segment_id=${segment}`), ['ada@example.com']);
  assert.equal((await file(`?list_id=${newId()}`)).status, 404);
  assert.equal((await file(`?segment_id=${newId()}`)).status, 404);
});

test('lines of JSON are rows of a batch, which change nothing', async () => {
  const { text } = await file('?format=jsonl');
  const rows: unknown[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(rows.length, 3);
  const { body } = await app.request({ url: '/v1/contacts/batch', body: { contacts: rows } });
  assert.deepEqual(body, { success: true, created: 0, updated: 0, skipped: 3, errors: [] });
});
