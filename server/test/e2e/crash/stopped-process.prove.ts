/** SIGTERM under load, as at every upgrade: nobody's request fails, nothing is lost, nothing is sent twice. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type TestContext, test } from 'node:test';
import type { PosthornProcess } from '../../harness/posthorn-process.ts';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { FLAWLESS, tally } from './compare-records.ts';
import { requestsFor, sendAll, sendUntil } from './requests.ts';
import { createRig, untilTrue } from './rig.ts';
import type { SendRequest } from './sending-client.ts';

const RECIPIENTS = 200;
const CALLERS = 4;
const ENDS_WITHIN_MS = 10_000;
/**
 * A connection that nothing is asked over for so long may be closed just when it is used again: nobody can see that.
 */
const KEPT_MS = 300;
/**
 * A request waits so long for a connection to the database, and is answered 503 then. A machine that stands still for
 * two seconds has such answers, whether a process ends or not; the end of a process would refuse at once.
 */
const CONNECT_TIMEOUT_MS = 2_000;

test('SIGTERM', { concurrency: true, timeout: 300_000 }, async (t) => {
  await Promise.all([
    t.test('under load: exit 0, and only those requests fail that find no process or no database', async (t) => {
      // A worker that the machine lets stand for two seconds would lose what it holds: no fault of the signal.
      const rig = await createRig({ env: { POSTHORN_LEASE_SECONDS: '20' } });
      undoAfter(t, rig.close);
      let api = await rig.start('api');
      let worker = await rig.start('worker');
      const requests = requestsFor(RECIPIENTS * 3, 8_000);
      // An answer that this process reads late is older than it seems.
      const stalls = monitorEventLoopDelay({ resolution: 5 });
      stalls.enable();
      const ended: unknown[] = [];
      const send = (request: SendRequest): Promise<void> => rig.client.sendUntilAccepted(request);
      const sending = sendAll(requests, CALLERS, send).then(() =>
        Promise.all(Array.from({ length: CALLERS }, (_, n) => sendUntil(() => ended.length === 4, 8_001 + n, send))),
      );
      for (let round = 1; round <= 2; round += 1) {
        // Each of the callers has a connection by then. One that is being made when a process ends may be reset:
        // the system drops connections that nobody has taken yet.
        const [answered, sent] = [rig.client.answers.length, rig.sink.count];
        const isUnderLoad = (): boolean => rig.client.answers.length >= answered + 30 && rig.sink.count > sent;
        await untilTrue(isUnderLoad, 'too little was sent');
        const begun = performance.now();
        ended.push(...(await Promise.all([worker.stop(), api.stop()])));
        assert.ok(performance.now() - begun < ENDS_WITHIN_MS);
        [api, worker] = await Promise.all([rig.start('api'), rig.start('worker')]);
      }
      await sending;
      stalls.disable();
      await rig.untilQuiet();

      const found = await rig.compare();
      const { answers, refused, broken } = rig.client;
      const accepted = rig.client.accepted.flatMap(({ emails }) => emails).length;
      assert.ok(accepted >= RECIPIENTS * 3);
      const lateMs = Math.round(stalls.max / 1e6);
      t.diagnostic(
        `${answers.length} answers, ${refused} refused, ${broken.length} broken, this process up to ${lateMs} ms late; ${tally(found)}`,
      );
      assert.deepEqual(ended, [0, 0, 0, 0]);
      assert.deepEqual(
        answers.filter(({ status, ms }) => status !== 202 && !(status === 503 && ms >= CONNECT_TIMEOUT_MS)),
        [],
      );
      assert.deepEqual(
        broken.filter(({ unusedMs }) => unusedMs === undefined || unusedMs + lateMs < KEPT_MS),
        [],
        'requests that were cut off',
      );
      assertFound(found, { ...FLAWLESS, accepted, received: accepted });
    }),

    t.test(
      'with a provider that takes its time: what has begun is waited for, what has not is given back, and nothing is sent twice',
      async (t) => {
        const { state, received } = await stopWhileSlow(t);
        assert.deepEqual(state, { sent: 10, queued: 10 });
        assert.equal(received, 10);
      },
    ),

    t.test(
      'with a provider that does not answer: exit 0 within the time it is given, and nothing new is begun while HTTP closes',
      async (t) => {
        const { tookMs, emails } = await stopWhileHanging(t);
        assert.deepEqual(emails, { 'hanging@example.net': 'sending', 'late@example.net': 'queued' });
        t.diagnostic(`ended after ${Math.round(tookMs)} ms`);
        // Three seconds are for the answer; who waits for the provider takes thirty.
        assert.ok(tookMs < ENDS_WITHIN_MS, `it took ${tookMs} ms`);
      },
    ),

    t.test('asked twice: at once', async (t) => {
      const rig = await createRig({
        env: { POSTHORN_LEASE_SECONDS: '60', POSTHORN_LOG_LEVEL: 'info' },
        sinkFaults: { rules: [{ at: 'dot', act: 'hang' }] },
      });
      undoAfter(t, rig.close);
      const service = await rig.start('all');
      await rig.client.sendUntilAccepted({ key: 'hanging', sends: [['hanging@example.net']] });
      await untilTrue(() => rig.sink.commands.includes('DATA'), 'nothing was handed over');
      service.child.kill('SIGTERM');
      await untilTrue(() => service.output().includes('"stopping"'), 'the first signal was not heard');
      const begun = performance.now();
      // Signals within a second count as the first one.
      const again = setInterval(() => service.child.kill('SIGTERM'), 200);
      undoAfter(t, () => clearInterval(again));
      assert.equal(await service.ended, 1);
      // Without the second signal it would wait 25 seconds for the provider.
      assert.ok(performance.now() - begun < 6_000);
    }),
  ]);
});

/** Ends a process while its provider has ten messages, each of which it answers eight seconds late. */
async function stopWhileSlow(t: TestContext): Promise<{ state: Record<string, number>; received: number }> {
  const rig = await createRig({
    env: { POSTHORN_LEASE_SECONDS: '60' },
    sinkFaults: { rules: [{ at: 'dot', act: 'slow', ms: 8_000 }] },
  });
  undoAfter(t, rig.close);
  const service = await rig.start('all');
  const to = Array.from({ length: 20 }, (_, n) => `slow-${n}@example.net`);
  await rig.client.sendUntilAccepted({ key: 'slow', sends: [to] });
  const begun = (): number => rig.sink.commands.filter((line) => line === 'DATA').length;
  await untilTrue(() => begun() === 10, 'the connections were not all used');
  assert.equal(await service.stop(), 0);
  const rows = await rig.query('select status, count(*)::int as n from emails group by status');
  return {
    state: Object.fromEntries(rows.map(({ status, n }) => [String(status), Number(n)])),
    received: rig.sink.count,
  };
}

/**
 * Ends a process whose provider has a message and says nothing; returns how long that took, and what became of the
 * emails. One email is accepted after the signal, while a caller who never finishes keeps HTTP from closing.
 */
async function stopWhileHanging(t: TestContext): Promise<{ tookMs: number; emails: Record<string, string> }> {
  const rig = await createRig({
    env: { POSTHORN_LEASE_SECONDS: '60', POSTHORN_STOP_SECONDS: '3', POSTHORN_LOG_LEVEL: 'info' },
    sinkFaults: { rules: [{ at: 'dot', act: 'hang' }] },
  });
  undoAfter(t, rig.close);
  const service = await rig.start('all');
  await rig.client.sendUntilAccepted({ key: 'hanging', sends: [['hanging@example.net']] });
  await untilTrue(() => rig.sink.commands.includes('DATA'), 'nothing was handed over');
  const [late] = await Promise.all([beginSend(service, 'late@example.net'), beginSend(service, 'never@example.net')]);
  const begun = performance.now();
  service.child.kill('SIGTERM');
  await untilTrue(() => service.output().includes('"stopping"'), 'the signal was not heard');
  assert.equal(await late.finish(), 202);
  assert.equal(await service.ended, 0);
  const tookMs = performance.now() - begun;
  const rows = await rig.query('select recipient, status from emails');
  return {
    tookMs,
    emails: Object.fromEntries(rows.map(({ recipient, status }) => [String(recipient), String(status)])),
  };
}

/** A request whose headers the process has read, and whose body ends when `finish` is called. */
async function beginSend({ url, key }: PosthornProcess, to: string): Promise<{ finish(): Promise<number> }> {
  const body = JSON.stringify({ from: 'hello@posthorn.test', to: [to], subject: 'Late', text: 'Hello' });
  const asked = request(`${url}/v1/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  asked.on('error', () => undefined); // the one that never ends is cut off
  const answered = once(asked, 'response');
  answered.catch(() => undefined);
  asked.flushHeaders();
  await once(asked, 'continue');
  return {
    async finish() {
      asked.end(body);
      const [answer]: IncomingMessage[] = await answered;
      answer?.resume();
      return answer?.statusCode ?? 0;
    },
  };
}
