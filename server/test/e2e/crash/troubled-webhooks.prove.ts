/**
 * Webhooks while something that they need is away: the receiver, the database, the worker itself. Afterwards what the
 * client was told, what the receiver got and what the deliveries say is compared.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PosthornProcess } from '../../harness/posthorn-process.ts';
import { startRestartablePostgres } from '../../harness/restartable-postgres.ts';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { WEBHOOKS_FLAWLESS } from './compare-webhooks.ts';
import { sendAll } from './requests.ts';
import { arm, untilTrue } from './rig.ts';
import { createWebhookRig, eventfulRequests, tallyWebhooks, UNDER_WAY_MAX, type WebhookRig } from './webhook-rig.ts';

const RECIPIENTS = 24;

const sendMail = (rig: WebhookRig, seed: number): Promise<void> =>
  sendAll(eventfulRequests(RECIPIENTS, seed), 4, (request) => rig.client.sendUntilAccepted(request));

async function untilRow(rig: WebhookRig, text: string): Promise<void> {
  const until = performance.now() + 120_000;
  while (((await rig.query(text))[0]?.['is'] ?? false) !== true) assert.ok(performance.now() < until, text);
}

test('webhooks with something missing', { concurrency: true, timeout: 600_000 }, async (t) => {
  await Promise.all([
    t.test(
      'a receiver that is away for all of it, and a killed process: everything arrives when it is back',
      async (t) => {
        const rig = await createWebhookRig();
        undoAfter(t, rig.close);
        const supervised = rig.supervise('all', [[]]);
        const first = await supervised.life(0);
        await rig.makeEndpoints(first);
        await rig.receiver.disappear();
        await sendMail(rig, 14_000);
        await rig.untilQuiet();
        await untilRow(rig, 'select bool_and(attempt >= 2) as is from webhook_deliveries');
        first.child.kill('SIGKILL');
        await supervised.life(1);
        const before = await rig.query(
          "select count(*)::integer as n from webhook_deliveries where status <> 'pending'",
        );
        assert.deepEqual(before, [{ n: 0 }]);
        await rig.receiver.comeBack();
        await rig.untilDelivered();

        const found = await rig.compareWebhooks();
        t.diagnostic(tallyWebhooks(found));
        assertFound(found, { ...WEBHOOKS_FLAWLESS, repeated: 0, received: found.expected });
        assert.ok(found.attemptsMax >= 3);
      },
    ),

    t.test('a database that is killed and comes back: the process goes on, everything arrives', async (t) => {
      const postgres = await startRestartablePostgres();
      undoAfter(t, postgres.close);
      const rig = await createWebhookRig({ databaseUrl: postgres.url });
      undoAfter(t, rig.close);
      const service = await rig.start('all');
      await rig.makeEndpoints(service);
      const { received } = rig.receiver;
      for (const [round, how] of (['crash', 'shutDown'] as const).entries()) {
        const before = received.length;
        const sending = sendMail(rig, 15_000 + round);
        await untilTrue(() => received.length >= before + 10, 'nothing was delivered');
        await postgres[how]();
        await postgres.startAgain();
        await sending;
        await rig.untilDelivered();
      }

      const found = await rig.compareWebhooks();
      t.diagnostic(tallyWebhooks(found));
      assertFound(found, WEBHOOKS_FLAWLESS);
      assert.ok(found.repeatedMax <= 2 * UNDER_WAY_MAX, `${found.repeatedMax} attempts were repeated`);
      assert.equal(service.child.exitCode, null);
    }),

    t.test('a worker that was frozen beyond its lease: what it writes and sends late changes nothing', async (t) => {
      const rig = await createWebhookRig();
      undoAfter(t, rig.close);
      const api = await rig.start('api');
      await rig.makeEndpoints(api);
      const frozen: PosthornProcess[] = [];
      // One has answers that it has not written down, the other requests that it has not begun. A process that froze
      // while it applied events would hold those, so they are all applied before: only deliveries wait, for a
      // receiver that fails.
      for (const [index, at] of ['webhooks.record.before', 'webhooks.attempt.before'].entries()) {
        rig.receiver.answer(() => 503);
        const worker = await rig.start('worker', [{ at, pass: 2, act: 'freeze' }]);
        frozen.push(worker);
        if (index === 0) await sendMail(rig, 16_000);
        await rig.untilQuiet();
        await untilRow(rig, 'select count(*) = 0 as is from provider_events where applied_at is null');
        await arm(worker);
        rig.receiver.answer(() => 200);
        await untilTrue(() => worker.output().includes('fault: freeze'), 'a worker did not freeze');
      }
      const survivor = await rig.start('worker');
      await rig.untilDelivered();
      await Promise.all([survivor.stop(), api.stop()]);
      const everything = async (): Promise<string[]> => {
        const tables = ['webhook_deliveries', 'webhooks', 'webhook_bodies'];
        const rows = tables.map((table) => rig.query(`select '${table}' as of, t.* from ${table} t order by t::text`));
        // A lease that ran out, and that nobody took since nothing was due, may be given back by whoever had it.
        rows.push(rig.query('select webhook_id as lease_of, token from webhook_leases where until > now() order by 1'));
        return (await Promise.all(rows)).flat().map((row) => JSON.stringify(row));
      };
      const before = await everything();
      // All that had begun is with the receiver, which read later requests of a survivor.
      const { length: begun } = rig.receiver.received;
      const [writer, beginner] = frozen;
      for (const worker of [beginner, writer]) {
        worker?.child.kill('SIGCONT');
        if (worker === writer) {
          const refused = (): boolean => worker?.output().includes('attempts came after their lease was over') ?? false;
          await untilTrue(refused, 'late records were not refused');
        }
        assert.equal(await worker?.stop(), 0);
        const late = rig.receiver.received.slice(begun);
        assert.deepEqual(late, [], 'attempts began after their lease');
      }

      assert.deepEqual(await everything(), before);
      const found = await rig.compareWebhooks();
      t.diagnostic(tallyWebhooks(found));
      assertFound(found, WEBHOOKS_FLAWLESS);
      assert.ok(found.repeatedMax > 0 && found.repeatedMax <= UNDER_WAY_MAX, `${found.repeatedMax} were repeated`);
    }),
  ]);
});
