/**
 * PostgreSQL goes away under load and comes back: shut down in order, and killed. Our processes are not restarted.
 * Requests are refused quickly meanwhile, and afterwards the three accounts are compared.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRestartablePostgres } from '../../harness/restartable-postgres.ts';
import { undoAfter } from '../../harness/undo.ts';
import { until } from '../../harness/until.ts';
import { assertFound } from './assert-found.ts';
import { FLAWLESS, tally } from './compare-records.ts';
import { requestsFor, sendAll } from './requests.ts';
import { createRig, untilTrue } from './rig.ts';

const RECIPIENTS = 150;
/** A server that is gone refuses connections at once: nobody waits for one as long as it may take. */
const REFUSED_WITHIN_MS = 2_000;
const BACK_WITHIN_MS = 5_000;

test('without PostgreSQL requests are refused within 2 s; 5 s after its return all is well, and nothing accepted is lost', {
  timeout: 600_000,
}, async (t) => {
  const postgres = await startRestartablePostgres();
  undoAfter(t, postgres.close);
  const rig = await createRig({ databaseUrl: postgres.url });
  undoAfter(t, rig.close);
  const api = await rig.start('api'); // migrates
  const worker = await rig.start('worker');

  for (const [run, how] of (['shutDown', 'crash', 'crash'] as const).entries()) {
    await t.test(`${how === 'crash' ? 'killed' : 'shut down'}, seed ${5_000 + run}`, async (t) => {
      const requests = requestsFor(RECIPIENTS, 5_000 + run);
      const { answers } = rig.client;
      const before = answers.length;
      const sending = sendAll(requests, 4, (request) => rig.client.sendUntilAccepted(request));
      await untilTrue(() => answers.length >= before + requests.length / 3, 'nothing was accepted');
      await postgres[how]();
      const gone = answers.length;
      await untilTrue(() => answers.length >= gone + 12, 'requests hang without a database');
      // A session of a killed server may answer once more before it notices.
      await until('a health that says so', async () => (await api.fetch('/health')).status === 503 || undefined);
      await postgres.startAgain();
      const back = performance.now();
      const atReturn = answers.length;
      await untilTrue(() => answers.slice(atReturn).some(({ status }) => status < 300), 'nothing is accepted again');
      const backMs = performance.now() - back;
      await sending;
      await rig.untilQuiet();

      const found = await rig.compare();
      const refusals = answers.slice(before).filter(({ status }) => status === 503);
      const slowest = Math.max(...refusals.map(({ ms }) => ms));
      t.diagnostic(
        `seed ${5_000 + run}: ${refusals.length} requests answered 503, the slowest after ${Math.round(slowest)} ms; accepting again ${Math.round(backMs)} ms after its return; so far: ${tally(found)}`,
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [202, 503]);
      assert.deepEqual(rig.client.broken, [], 'requests without an answer');
      assert.ok(slowest < REFUSED_WITHIN_MS, `a refusal took ${slowest} ms`);
      assert.ok(backMs < BACK_WITHIN_MS, `accepting again took ${backMs} ms`);
      assertFound(found, {
        accepted: (run + 1) * RECIPIENTS,
        received: (run + 1) * RECIPIENTS + found.explained,
        ...FLAWLESS,
      });
    });
  }
  assert.deepEqual([api.child.exitCode, worker.child.exitCode], [null, null], 'a process ended');
});
