import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLog } from '#platform/log.ts';
import { suppressionTransfers } from '../../../src/features/suppressions/import/suppression-transfers.ts';
import { runImport } from '../../../src/features/transfers/imports/run-import.ts';
import { createTestApp, type TestApp } from '../../harness/app.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp();
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

async function call(method: 'GET' | 'POST', url: string, body?: unknown, key?: string): Promise<Body> {
  const given = { ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) };
  const answer = await app.request({ method, url, ...given });
  return { ...Object(answer.body), answered: answer.status, told: answer.text };
}

async function send(file: string, fields: Record<string, string>, key?: string): Promise<Body> {
  const form = new FormData();
  form.append('file', new Blob([file]), file.startsWith('{') ? 'list.jsonl' : 'list.csv');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const sent = new Response(form);
  const answer = await app.request({
    url: '/v1/imports',
    body: Buffer.from(await sent.arrayBuffer()),
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
    ...(key === undefined ? {} : { key }),
  });
  return { ...Object(answer.body), answered: answer.status };
}

async function imported(file: string, fields: Record<string, string>): Promise<Body> {
  const made = await send(file, fields);
  assert.equal(made.answered, 202, made.message);
  const targets = new Map([[suppressionTransfers.type, suppressionTransfers]]);
  const wiring = { ...app, targets, log: createLog({ level: 'silent' }), leaseSeconds: 15 };
  while (await runImport(wiring, () => true));
  return call('GET', `/v1/imports/${made.id}`);
}

const suppression = (email: string): Promise<Body> => call('GET', `/v1/suppressions/${email}`);
const target = JSON.stringify({ type: 'suppression' });

test('a file of suppressions is imported with its reasons, and the newsletters of these addresses are left', async () => {
  const newsletter = await call('POST', '/v1/newsletters', { name: 'N', slug: 'n-1', double_opt_in: false });
  const subscribers = `/v1/newsletters/${newsletter.id}/subscribers`;
  const { id } = await call('POST', subscribers, { email: 'gone@a.test' });
  await call('POST', '/v1/suppressions', { email: 'known@a.test' });
  const file =
    'Email Address,Reason,Note,Expires at\n' +
    'GONE@a.test,Spam Complaint,from before,\n' +
    'known@a.test,,,\n' +
    'nobody,,,\n' +
    'old@a.test,bounce,,2020-01-01\n' +
    'plain@a.test,,,\n' +
    'gone@A.test,,,\n';
  const dry = await imported(file, { target, dry_run: 'true' });
  const counts = { total: 6, created: 2, updated: 0, skipped: 2, failed: 2 };
  assert.deepEqual([dry.status, dry.counts], ['completed', counts]);
  assert.equal((await suppression('gone@a.test')).answered, 404);

  const done = await imported(file, { target: 'suppression' });
  assert.deepEqual([done.status, done.counts, done.can_undo], ['completed', counts, false]);
  assert.deepEqual(done.target, { type: 'suppression', id: app.workspaceId });
  const gone = await suppression('gone@a.test');
  assert.deepEqual([gone.reason, gone.note], ['complaint', 'from before']);
  assert.deepEqual((await suppression('plain@a.test')).reason, 'manual');
  assert.equal((await suppression('old@a.test')).answered, 404);
  const subscriber = await call('GET', `${subscribers}/${id}`);
  assert.deepEqual([subscriber.status, subscriber.metadata.unsubscribe_reason], ['unsubscribed', 'complaint']);
  const { told } = await call('GET', `/v1/imports/${done.id}/errors`);
  assert.deepEqual(
    told
      .split('\r\n')
      .slice(1, -1)
      .map((line: string) => line.split(',').slice(0, 4).join(',')),
    [
      '3,known@a.test,skipped,suppressed',
      '4,nobody,failed,invalid_row',
      '5,old@a.test,failed,expired',
      '7,gone@a.test,skipped,duplicate',
    ],
  );

  const undo = await call('POST', `/v1/imports/${done.id}/undo`);
  assert.equal(undo.answered, 409);
  assert.equal((await suppression('plain@a.test')).answered, 200);
});

test('a file that says who may be mailed suppresses only the others', async () => {
  const file = 'email,unsubscribed\nin@b.test,false\nout@b.test,true\n';
  const { counts } = await imported(file, { target });
  assert.deepEqual(counts, { total: 2, created: 1, updated: 0, skipped: 0, failed: 1 });
  assert.equal((await suppression('in@b.test')).answered, 404);
  assert.equal((await suppression('out@b.test')).reason, 'unsubscribe');
  const cleaned = await imported('email,CLEAN_TIME\nhard@b.test,2024-05-01\n', { target });
  assert.deepEqual([cleaned.counts.created, (await suppression('hard@b.test')).reason], [1, 'hard_bounce']);
});

test('a file without a header keeps its reasons', async () => {
  const { counts, columns } = await imported('COMPLAINT,first@e.test\nbounce,second@e.test\n', { target });
  assert.deepEqual([counts.created, columns.recognised], [2, ['email', 'reason']]);
  assert.equal((await suppression('first@e.test')).reason, 'complaint');
  assert.equal((await suppression('second@e.test')).reason, 'hard_bounce');
});

test('a number in a line of JSON counts as its text, and an end that is none refuses the row', async () => {
  const rows = [
    { email: 'one@d.test', unsubscribed: 1 },
    { email: 'zero@d.test', unsubscribed: 0 },
    { email: 'ends@d.test', expires_at: 4_102_444_800 },
    { email: 'always@d.test', expires_at: null },
    ...[4_102_444_800_000, ['2100-01-01'], {}, true].map((end, n) => ({ email: `bad${n}@d.test`, expires_at: end })),
  ];
  const { counts } = await imported(rows.map((row) => JSON.stringify(row)).join('\n'), { target });
  assert.deepEqual(counts, { total: 8, created: 3, updated: 0, skipped: 0, failed: 5 });
  assert.equal((await suppression('one@d.test')).reason, 'unsubscribe');
  assert.equal((await suppression('ends@d.test')).expires_at, '2100-01-01T00:00:00.000Z');
  assert.equal((await suppression('always@d.test')).expires_at, null);
  for (const gone of ['zero', 'bad0', 'bad1', 'bad2', 'bad3'])
    assert.equal((await suppression(`${gone}@d.test`)).answered, 404, gone);
});

test('an import of suppressions needs their scope, and takes no list and no option of people', async () => {
  const file = 'email\nkept@c.test\n';
  const key = async (scope: string): Promise<string> =>
    (await call('POST', '/v1/api-keys', { name: scope, scopes: [scope] })).key;
  const refused = await send(file, { target }, await key('contacts:write'));
  assert.deepEqual([refused.answered, refused.name], [403, 'permission_error']);
  assert.equal((await send(file, { target: `suppression:${crypto.randomUUID()}` })).answered, 404);
  const asked = await send(file, { target, send_confirmation: 'true' });
  assert.deepEqual([asked.answered, asked.param], [422, 'send_confirmation']);
  assert.equal((await suppression('kept@c.test')).answered, 404);
  const allowed = await send(file, { target }, await key('suppressions:write'));
  assert.equal(allowed.answered, 202);
  const listed = await call('GET', '/v1/imports', undefined, await key('suppressions:read'));
  assert.ok(listed.data.some(({ id }: Body) => id === allowed.id));
  const hidden = await call('GET', `/v1/imports/${allowed.id}`, undefined, await key('contacts:read'));
  assert.equal(hidden.answered, 403);
});

test('a key limited to newsletters sees its import of suppressions, and none of another newsletter', async () => {
  const aNewsletter = (slug: string): Promise<Body> => call('POST', '/v1/newsletters', { name: slug, slug });
  const [own, other] = [await aNewsletter('own-1'), await aNewsletter('other-1')];
  const into = await send('email\nx@f.test\n', { target: `newsletter:${other.id}`, consent: 'already_confirmed' });
  assert.equal(into.answered, 202, into.message);
  const { key } = await call('POST', '/v1/api-keys', {
    name: 'limited',
    scopes: ['suppressions:write', 'suppressions:read', 'subscribers:read'],
    newsletter_ids: [own.id],
  });
  const made = await send('email\nown@f.test\n', { target }, key);
  assert.equal(made.answered, 202, made.message);
  const read = async (id: string): Promise<number> => (await call('GET', `/v1/imports/${id}`, undefined, key)).answered;
  assert.deepEqual([await read(made.id), await read(into.id)], [200, 404]);
  const listed = (await call('GET', '/v1/imports', undefined, key)).data.map(({ id }: Body) => id);
  assert.deepEqual([listed.includes(made.id), listed.includes(into.id)], [true, false]);
  assert.equal((await call('POST', `/v1/imports/${made.id}/cancel`, undefined, key)).answered, 200);
});
