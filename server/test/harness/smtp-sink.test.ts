import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, test } from 'node:test';
import { chooseFaults } from './smtp-faults.ts';
import { mostInWindow, startSmtpSink } from './smtp-sink.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Says everything at once and resolves with all the answers when the server ends the connection. */
async function dialogue(port: number, text: string): Promise<string> {
  const socket: Socket = createConnection(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString();
  });
  socket.end(text);
  await once(socket, 'close');
  return heard;
}

const MAIL = 'MAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.net>\r\nDATA\r\n';
const BODY = 'Subject: Hi\r\n there\r\nMessage-ID: <1@x>\r\n\r\n..dot\r\n.\r\n';

test('the sink records envelope, bytes, headers and time of each message', async () => {
  const sink = await startSmtpSink();
  closing.push(() => sink.stop());
  const beforeMs = performance.now();
  const heard = await dialogue(sink.port, `EHLO me\r\n${MAIL}${BODY}QUIT\r\n`);
  assert.match(heard, /354 [^\n]*\n250 2\.0\.0 Ok: queued as SINK\r\n221 /);
  const [message] = sink.messages;
  assert.partialDeepStrictEqual(message, { from: 'a@example.com', to: ['b@example.net'], connection: 1 });
  assert.equal(message?.mime.toString(), 'Subject: Hi\r\n there\r\nMessage-ID: <1@x>\r\n\r\n.dot\r\n');
  assert.equal(message?.header('SUBJECT'), 'Hi there');
  assert.equal(message?.header('x-none'), undefined);
  const atMs = message?.monotonicMs ?? 0;
  assert.ok(beforeMs <= atMs && atMs <= performance.now());
});

test('a plan with the same seed meets the same messages, another seed others', () => {
  const pattern = (seed: number): string => {
    const faults = chooseFaults({ seed, rules: [{ at: 'dot', act: 'drop', share: 0.3 }] });
    return Array.from({ length: 100 }, () => (faults.choose('dot') === undefined ? '.' : 'x')).join('');
  };
  assert.equal(pattern(7), pattern(7));
  assert.notEqual(pattern(7), pattern(8));
  const share = pattern(7).split('x').length - 1;
  assert.ok(share > 15 && share < 45, `${share} of 100`);
});

test('a rule can pass its first chances, stop after some, and mean one address only', () => {
  const faults = chooseFaults({
    rules: [
      { at: 'mail', act: 'drop', after: 1, times: 2 },
      { at: 'rcpt', act: 'drop', address: 'bob@example.net' },
    ],
  });
  const hits = Array.from({ length: 5 }, () => faults.choose('mail') !== undefined);
  assert.deepEqual(hits, [false, true, true, false, false]);
  assert.equal(faults.choose('rcpt', 'ada@example.net'), undefined);
  assert.notEqual(faults.choose('rcpt', 'bob@example.net'), undefined);
});

test('the most in a window counts every window, not only whole seconds', () => {
  assert.equal(mostInWindow([]), 0);
  assert.equal(mostInWindow([0, 900, 950, 1_000, 1_850, 1_899]), 5);
  assert.equal(mostInWindow([0, 1_000, 2_000]), 1, 'a second is half-open');
});

test('the sink as a process has written a message down before it answers', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sink-'));
  closing.push(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'messages.jsonl');
  const program = path.join(import.meta.dirname, 'smtp-sink-process.ts');
  const child = spawn(process.execPath, [program, '--out', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  closing.push(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const { port } = JSON.parse(String(line)) as { port: number }; // what the process promises to print
  const socket = createConnection(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  socket.write(`EHLO me\r\n${MAIL}${BODY}`);
  let heard = '';
  while (!heard.includes('queued')) heard += String((await once(socket, 'data'))[0]);
  child.kill('SIGKILL');
  const written = (await readFile(file, 'utf8')).trim().split('\n');
  assert.equal(written.length, 1);
  assert.partialDeepStrictEqual(JSON.parse(written[0] ?? ''), { to: ['b@example.net'], message_id: '<1@x>' });
});
