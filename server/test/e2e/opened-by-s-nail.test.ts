import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { aPng } from '../harness/a-png.ts';
import { createTestApp } from '../harness/app.ts';
import { temporaryFolder } from '../harness/data-dir.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';
import { needsTool } from '../system-tools.ts';

test('a mail program that is not ours shows the text of an email, and saves its file and its picture', async (t) => {
  if (!needsTool(t, 's-nail')) return;
  const app = await createTestApp({ worker: true });
  undoAfter(t, () => app.close());
  const files = { 'Grüße.csv': Buffer.from('ä,b\r\n1,2\n'), 'logo.png': await aPng(3, 2, 'red') };
  const { status } = await app.request({
    url: '/v1/send',
    body: {
      from: 'Acme <hello@posthorn.test>',
      to: 'ada@example.com',
      subject: 'Grüße',
      text: 'Hello Jürgen, here is your receipt.',
      html: '<p>Hello Jürgen <img src="cid:logo"></p>',
      attachments: [
        { filename: 'Grüße.csv', content: files['Grüße.csv'].toString('base64') },
        { filename: 'logo.png', content: files['logo.png'].toString('base64'), contentId: 'logo' },
      ],
    },
  });
  assert.equal(status, 202);
  const id = await until('the captured email', async () => {
    const { body } = await app.request({ url: '/v1/captured-emails' });
    const { data } = body as { data: { id: string }[] }; // held against the OpenAPI document by the harness
    return data[0]?.id;
  });
  const headers = { authorization: `Bearer ${app.key}` };
  const { rawPayload } = await app.app.inject({ url: `/v1/captured-emails/${id}/raw`, headers });
  const folder = temporaryFolder(t);
  const mbox = path.join(folder, 'mbox');
  const unix = rawPayload.toString('latin1').replaceAll('\r\n', '\n');
  writeFileSync(mbox, `From hello@posthorn.test Mon Nov 23 12:00:00 2026\n${unix}\n`, 'latin1');

  const shown = execFileSync('s-nail', ['-n', '-R', '-f', mbox], {
    cwd: folder,
    input: 'type 1\nwrite text\n',
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, LC_ALL: 'C.UTF-8', MAILRC: '/dev/null', HOME: folder },
  });
  assert.match(shown, /Subject: Grüße/);
  assert.match(shown, /Hello Jürgen, here is your receipt\./);
  const saved = readdirSync(folder);
  for (const [name, bytes] of Object.entries(files)) {
    assert.ok(saved.includes(name), `${name} is among ${saved.join(', ')}`);
    // s-nail 14.9.24 also decodes the boundary line behind a part that ends together with the part around it.
    const read = readFileSync(path.join(folder, name));
    assert.deepEqual(name === 'logo.png' ? read.subarray(0, bytes.length) : read, bytes, name);
  }
});
