/**
 * Names that every object of JavaScript has (`constructor`, `toString`) are names like others, wherever a caller may
 * choose one: they are kept, found and filled in, and none of them is found where nobody gave it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { until } from '../harness/until.ts';

const NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'];
const VALUES = Object.fromEntries(NAMES.map((name) => [name, `the ${name}`]));
const MAIL = { from: 'Acme <hello@posthorn.test>', subject: 'Hello', html: '<p>Hi</p>' };

let app: TestApp;
before(async () => {
  app = await createTestApp({ worker: true, env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '1000' } });
});
after(async () => {
  await app.close();
  assert.deepEqual(app.logged, [], 'nothing unexpected was logged');
});

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;
const ask = async (url: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<Body> => {
  const answer = await app.request({ url, method, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, `${method} ${url}: ${answer.text}`);
  return answer.body;
};

async function delivered(id: string): Promise<Body> {
  return until('its delivery', async () => {
    const email = await ask(`/v1/emails/${id}`);
    return email.status === 'delivered' ? email : undefined;
  });
}

test('tags, metadata, headers, variables, file names and html of an email', async () => {
  const html = `${NAMES.map((name) => `<${name} ${name}="1">{{ ${name} }}</${name}>`).join('')}
    <a href="https://example.com/constructor?toString=1">x</a><p style="margin: 10constructor; width: 9valueof">y</p>`;
  const sent = await ask('/v1/send', {
    ...MAIL,
    to: 'ada@example.com',
    html,
    tags: NAMES.map((name) => ({ name, value: name })),
    metadata: VALUES,
    headers: { 'X-Constructor': 'constructor', 'X-toString': 'toString' },
    // A template cannot reach `constructor`, which is documented.
    variables: VALUES,
    attachments: NAMES.map((filename) => ({ filename, content: 'eA==' })),
    trackOpens: true,
    trackClicks: true,
  });
  const email = await delivered(sent.emails[0].id);
  assert.deepEqual(email.metadata, VALUES);
  assert.deepEqual(
    email.tags.map(({ name }: { name: string }) => name),
    NAMES,
  );
  const content = await ask(`/v1/emails/${email.id}/content`);
  for (const name of NAMES.slice(1)) assert.match(content.html, new RegExp(`the ${name}`));
  const found = await ask('/v1/emails?tag=constructor:constructor');
  assert.deepEqual(
    found.data.map(({ id }: { id: string }) => id),
    [email.id],
  );
});

test('properties of a contact, in requests, segments and templates', async () => {
  const { id, properties } = await ask('/v1/contacts', { email: 'props@example.com', properties: VALUES });
  assert.deepEqual(properties, VALUES);
  const plain = await ask('/v1/contacts', { email: 'plain@example.com', properties: { plan: 'pro' } });
  assert.deepEqual(plain.properties, { plan: 'pro' });
  const conditions = NAMES.map((name) => ({ field: `property:${name}`, op: 'is_set' }));
  const { contact_count: counted, ...preview } = await ask('/v1/segments/preview', {
    filter: { match: 'any', conditions },
  });
  assert.deepEqual([counted ?? preview.count, id.length], [1, 36]);
  const changed = await ask(`/v1/contacts/${id}`, { properties: { constructor: null, toString: 'new' } }, 'PATCH');
  const { constructor: _gone, ...rest } = VALUES;
  assert.deepEqual(changed.properties, { ...rest, toString: 'new' });
});

test('columns of a file, as properties of contacts and metadata of subscribers', async () => {
  const rows = [['email', ...NAMES].join(','), ['file@example.com', ...Object.values(VALUES)].join(',')].join('\n');
  const upload = async (url: string): Promise<Body> => {
    const answer = await app.request({ url, body: rows, headers: { 'content-type': 'text/csv' } });
    assert.equal(answer.status, 202, answer.text);
    return until('the end of the import', async () => {
      const job = await ask(`/v1/imports/${Reflect.get(Object(answer.body), 'id')}`);
      return job.status === 'completed' ? job : undefined;
    });
  };
  const list = await ask('/v1/lists', { name: 'From a file' });
  const query = 'other_columns=metadata';
  assert.equal((await upload(`/v1/lists/${list.id}/import?${query}`)).counts.created, 1);
  const lowered = Object.fromEntries(NAMES.map((name) => [name.toLowerCase(), `the ${name}`]));
  assert.deepEqual((await ask('/v1/contacts/file@example.com')).properties, lowered);
  const newsletter = await ask('/v1/newsletters', { name: 'File', slug: 'file', double_opt_in: false });
  const subscribers = `/v1/newsletters/${newsletter.id}/subscribers`;
  assert.equal((await upload(`${subscribers}/import?consent=already_confirmed&${query}`)).counts.created, 1);
  const { data } = await ask(subscribers);
  assert.deepEqual(data[0].metadata, lowered);
});

test('elements, attributes and values of styles in an issue', async () => {
  const { id } = await ask('/v1/newsletters', {
    name: 'Html',
    slug: 'html',
    double_opt_in: false,
    from_email: 'hello@posthorn.test',
  });
  await ask(`/v1/newsletters/${id}/subscribers`, { email: 'issue@example.com', name: 'toString', metadata: VALUES });
  const style = 'color: constructor; constructor: red; width: 9valueof; margin: 10constructor';
  const html = `<style>constructor { ${style} }</style><constructor constructor="1" style="${style}">Words</constructor>`;
  const issue = `/v1/newsletters/${id}/issues/${(await ask(`/v1/newsletters/${id}/issues`, { subject: 'Hi', html_body: `${html}<p constructor>{{ toString }}</p>` })).id}`;
  await ask(`${issue}/send`, {});
  const { html: shown, text } = await until('its captured copy', async () => {
    const [one] = (await ask('/v1/captured-emails?to=issue@example.com')).data;
    return one === undefined ? undefined : ask(`/v1/captured-emails/${one.id}`);
  });
  assert.match(shown, /<constructor constructor="1"[^>]*>Words<\/constructor>/);
  assert.match(text, /^Words/m);
});

test('events, fields and steps of an automation', async () => {
  const config = { field: 'payload.toString', op: 'exists', else: 'end' };
  const steps = [
    { key: 'constructor', type: 'condition', config },
    { key: 'absent', type: 'condition', config: { ...config, field: 'payload.valueOf', else: 'end' } },
    { key: 'never', type: 'end' },
  ];
  const { id } = await ask('/v1/automations', { name: 'A', trigger: { type: 'event:constructor' }, steps });
  await ask(`/v1/automations/${id}/enable`, {});
  const told = await ask('/v1/events', { name: 'constructor', email: 'run@example.com', payload: { toString: 'x' } });
  assert.equal(told.started, 1);
  assert.equal((await ask('/v1/events', { name: 'toString', email: 'run@example.com', payload: {} })).started, 0);
  const run = await until('the end of the run', async () => {
    const { data } = await ask(`/v1/automations/${id}/runs`);
    return data[0]?.status === 'completed' ? ask(`/v1/automations/${id}/runs/${data[0].id}`) : undefined;
  });
  assert.deepEqual(
    run.steps.map(({ key }: { key: string }) => key),
    ['constructor', 'absent'],
  );
});

test('aliases, variables and partials of templates; a tag or a filter of such a name is none', async () => {
  const variables = NAMES.slice(1).map((key) => ({ key, fallback: `fallback of ${key}` }));
  const html = NAMES.slice(1).map((name) => `{{ ${name} }}`);
  const { id } = await ask('/v1/templates', {
    name: 'T',
    alias: 'constructor',
    subject: 'S',
    html: html.join(),
    variables,
  });
  await ask(`/v1/templates/${id}/publish`, {});
  const sent = await ask('/v1/send', {
    from: MAIL.from,
    to: 'alias@example.com',
    subject: 'S',
    templateId: 'constructor',
    variables: { toString: 'mine' },
  });
  const { html: shown } = await ask(`/v1/emails/${(await delivered(sent.emails[0].id)).id}/content`);
  assert.match(shown, /mine,fallback of valueOf,fallback of hasOwnProperty/);
  for (const source of NAMES.flatMap((name) => [
    `{% ${name} %}`,
    `{{ "x" | ${name} }}`,
    `{% render '${name.toLowerCase()}2' %}`,
  ])) {
    const refused = await app.request({ url: '/v1/templates', body: { name: 'T', subject: 'S', html: source } });
    assert.equal(refused.status, 422, source);
  }
});

test('parameters of a query and fields of a body that no route has', async () => {
  const query = NAMES.map((name) => `${name}=1`).join('&');
  for (const name of [...NAMES, '__proto__']) {
    const answer = await app.request({ url: `/v1/emails?${name}=1` });
    assert.ok([200, 400].includes(answer.status), `${name}: ${answer.text}`);
  }
  assert.ok([200, 400].includes((await app.request({ url: `/v1/analytics?${query}` })).status));
  const sent = await app.request({ url: '/v1/send', body: { ...MAIL, to: 'fields@example.com', ...VALUES } });
  assert.deepEqual([sent.status, sent.headers['x-unknown-fields']], [202, NAMES.join()]);
  for (const scopes of [['constructor'], ['toString', 'emails:read']]) {
    const key = await app.request({ url: '/v1/api-keys', body: { name: 'x', scopes } });
    assert.equal(key.status, 400, key.text);
  }
});
