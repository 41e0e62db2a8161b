import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { countStored, createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';

let api: EmailsApp;
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

const MB = 1024 * 1024;
const good = { from: 'hello@posthorn.test', to: ['ada@example.com'], subject: 'Hello', text: 'Hi' };
const file = (filename: string, bytes: number) => ({ filename, content: Buffer.alloc(bytes, 7).toString('base64') });
const send = (body: object) => api.call({ method: 'POST', url: '/v1/send', body });

test('202 for exactly 25 MB of files, stored byte for byte', async () => {
  const { status, body } = await send({ ...good, attachments: [file('a.bin', 20 * MB), file('b.bin', 5 * MB)] });
  assert.equal(status, 202, body.message);
  const { rows } = await sql<{ filename: string; size: number; same: boolean }>`
    select a.filename, octet_length(a.body) as size, sha256(a.body) = sha256(${Buffer.alloc(5 * MB, 7)}) as same
      from attachments a join emails e on e.workspace_id = a.workspace_id and e.content_id = a.content_id
     where a.workspace_id = ${api.workspaceId} and e.id = ${body.emails[0].id} order by a.position`.execute(api.t.db);
  assert.deepEqual(rows, [
    { filename: 'a.bin', size: 20 * MB, same: false },
    { filename: 'b.bin', size: 5 * MB, same: true },
  ]);
});

test('400 for one byte more, and nothing is stored', async () => {
  const before = await countStored(api.t);
  const { status, body } = await send({ ...good, attachments: [file('a.bin', 20 * MB), file('b.bin', 5 * MB + 1)] });
  assert.deepEqual({ status, param: body.param }, { status: 400, param: 'attachments' });
  assert.deepEqual(await countStored(api.t), before);
});

test('413 for a request over 40 MB, whatever is in it', async () => {
  const before = await countStored(api.t);
  const { status, body } = await send({ ...good, text: 'a'.repeat(40 * MB) });
  assert.deepEqual({ status, name: body.name }, { status: 413, name: 'request_error' });
  assert.deepEqual(await countStored(api.t), before);
});

test('400 at once for two megabytes made to be slow to read', async () => {
  const slow = [
    '<!--'.repeat(MB / 2),
    '<body '.repeat(MB / 3),
    `<body a="${'x'.repeat(2 * MB - 20)}`,
    '<body a=">"'.repeat(MB / 6),
    '<'.repeat(2 * MB),
  ];
  for (const html of slow) {
    // Of this thread, which does nothing else meanwhile: a busy machine does not count.
    const before = process.threadCpuUsage();
    const { status } = await send({ ...good, html, preheader: 'Order', subject: '' });
    const { user, system } = process.threadCpuUsage(before);
    assert.equal(status, 400);
    assert.ok(user + system < 2_000_000, `${html.slice(0, 20)}… took ${(user + system) / 1_000} ms`);
  }
});
