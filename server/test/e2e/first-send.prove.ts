/**
 * Runs the Node.js and Python programs of README.md and docs/first-send.md, and the commands of
 * docs/moving-from-resend-or-postmark.md, as printed, against a process without settings. Only the port is replaced,
 * because port 3000 may be in use.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../harness/data-dir.ts';
import { startOnTestDatabase } from '../harness/posthorn-on-test-database.ts';
import type { PosthornProcess } from '../harness/posthorn-process.ts';
import { until } from '../harness/until.ts';
import { needsTool } from '../system-tools.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DOCUMENTS = ['README.md', 'docs/first-send.md'];
const LANGUAGES = [
  { fence: 'js', file: 'send.mjs', program: process.execPath, tool: undefined },
  { fence: 'python', file: 'send.py', program: '/usr/bin/python3', tool: 'python' },
] as const;

let posthorn: PosthornProcess;
let key: string;

before(async () => {
  posthorn = await startOnTestDatabase({ env: { POSTHORN_API_KEY: undefined }, startTimeoutMs: 60_000 });
  // The banner is printed after the process has begun to serve.
  key = await until('the key', async () => /API key +(\S+)\n/.exec(posthorn.output())?.[1]);
});
after(() => posthorn?.stop());

for (const document of DOCUMENTS)
  for (const { fence, file, program, tool } of LANGUAGES) {
    test(`the ${fence} program of ${document} sends an email`, async (t) => {
      if (tool !== undefined && !needsTool(t, tool)) return;
      const text = readFileSync(join(ROOT, document), 'utf8');
      const [code, ...others] = [...text.matchAll(new RegExp(`\`\`\`${fence}\n(.*?)\`\`\``, 'gs'))].map(
        (match) => match[1] ?? '',
      );
      assert.ok(code !== undefined && others.length === 0, 'each document has one program per language');
      const path = join(temporaryFolder(t), file);
      writeFileSync(path, code.replaceAll('http://localhost:3000', posthorn.url));
      const { stdout } = await promisify(execFile)(program, [path], {
        env: { PATH: process.env['PATH'], POSTHORN_KEY: key },
      });
      const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stdout.slice(stdout.indexOf('emails') + 1))?.[0];
      const answer = await posthorn.fetch(`/v1/emails/${id}`, { headers: { authorization: `Bearer ${key}` } });
      assert.equal(answer.status, 200, stdout);
      assert.partialDeepStrictEqual(answer.body, { to: ['ada@example.com'] });
    });
  }

test('the programs of docs/first-send.md send one email together, because they use one Idempotency-Key', async () => {
  const answer = await posthorn.fetch('/v1/emails?subject=Your%20receipt', {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.partialDeepStrictEqual(answer.body, { data: [{ subject: 'Your receipt' }], total: 1 });
});

test('the calls of docs/moving-from-resend-or-postmark.md are accepted, and no field is ignored', async () => {
  const text = readFileSync(join(ROOT, 'docs/moving-from-resend-or-postmark.md'), 'utf8');
  const calls = [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap((match) => (match[1] ?? '').split(/^(?=curl )/m));
  assert.ok(calls.length >= 8, `${calls.length} calls`);
  for (const call of calls) {
    const command = call
      .replaceAll('http://localhost:3000', posthorn.url)
      .replace(/^curl /, 'curl -sS -i --fail-with-body ');
    const { stdout } = await promisify(execFile)('sh', ['-ec', command], {
      env: { PATH: process.env['PATH'], POSTHORN_KEY: key },
    });
    assert.match(stdout, /^HTTP\/1\.1 20[0-2] /, call);
    assert.doesNotMatch(stdout, /^x-unknown-fields:|"warnings"/im, call);
    if (call.includes('/v1/emails?')) assert.match(stdout, /"total":1[,}]/, 'the email with the tag is found');
  }
});
