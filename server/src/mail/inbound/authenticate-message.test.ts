import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { cpuTime } from '../../../test/harness/cpu-time.ts';
import { authenticateMessage } from './authenticate-message.ts';

const EMPTY_HASH = createHash('sha256').digest('base64');

async function check(header: string, { body = 'Hello.\r\n', signal = new AbortController().signal } = {}) {
  const asked: string[] = [];
  const auth = await authenticateMessage(Buffer.from(`${header}From: ada@example.net\r\n\r\n${body}`), {
    clientIp: '192.0.2.1',
    clientName: 'mx.example.net',
    envelopeFrom: 'ada@example.net',
    host: 'mx.example.com',
    signal,
    resolve: async (name) => {
      asked.push(name);
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    },
  });
  return { auth, asked };
}

const signatures = (count: number): string =>
  Array.from(
    { length: count },
    (_, place) =>
      `DKIM-Signature: v=1; a=rsa-sha256; d=d${place}.example; s=s; h=from; l=0; bh=${EMPTY_HASH}; b=aaaa\r\n`,
  ).join('');
const UNREADABLE = { spf: 'permerror', dkim: 'permerror', dmarc: 'permerror', arc: 'permerror' };

test('ten signatures are checked; eleven are not, and nobody is asked for their keys', async () => {
  const ten = await check(signatures(10));
  assert.equal(ten.asked.filter((name) => name.startsWith('s._domainkey.')).length, 10);
  assert.notEqual(ten.auth.dkim, 'permerror');
  for (const header of [signatures(11), `no field\r\n${signatures(11)}`]) {
    assert.deepEqual(await check(header), { auth: UNREADABLE, asked: [] });
  }
});

test('a header of many folded lines, or a large one, is not checked and takes no time', async () => {
  const spentMs = cpuTime();
  for (const header of [`X: y\r\n${' z\r\n'.repeat(60_000)}`, `X: ${'y'.repeat(300_000)}\r\n`]) {
    assert.deepEqual(await check(header), { auth: UNREADABLE, asked: [] });
  }
  assert.ok(spentMs() < 500, `${spentMs()} ms`);
});

test('others have many turns while a body of short lines is hashed, and an end comes between two of them', async () => {
  const body = ' \t x\r\n'.repeat(60_000);
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const { auth } = await check(signatures(3).replaceAll('l=0', 'c=relaxed/relaxed'), { body });
  isOver = true;
  assert.notEqual(auth.dkim, 'permerror');
  assert.ok(turns >= 20, `${turns} turns`);

  const over = new AbortController();
  setImmediate(() => over.abort());
  assert.deepEqual((await check(signatures(3), { body, signal: over.signal })).auth, UNREADABLE);
});
