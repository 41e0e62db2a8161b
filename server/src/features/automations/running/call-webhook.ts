import { standardHeaders } from '#features/webhooks';
import { inTransaction } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import { webhookSecret } from '../webhook-secret.ts';
import type { AutomationsWiring } from '../wiring.ts';
import type { Call } from './advance-runs.ts';
import { loadFacts, personOf } from './facts.ts';
import { loadDefinitions, lockCalledRun, storeTurns } from './queries.ts';
import { publishFailures } from './run-events.ts';
import { walk, withFailure, withSuccess } from './walk.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 4_096;

/**
 * Posts the run to the URL of its step, outside of any transaction, and records the answer when the lease still
 * stands. The same step of the same run always has the same `X-Posthorn-Step`, so that a receiver knows a repetition.
 */
export async function callWebhook(wiring: AutomationsWiring, call: Call): Promise<void> {
  const { workspaceId, run, lease, url, step } = call;
  const { runId, automationId, email, payload, correlation, newsletterId } = run;
  const id = `${runId}:${step}`;
  const body = JSON.stringify({
    id,
    automation_id: automationId,
    run_id: runId,
    step,
    email,
    newsletter_id: newsletterId,
    correlation,
    payload,
  });
  const secrets = [webhookSecret(wiring.secrets, { workspaceId, id: automationId })];
  const timestampSeconds = Math.floor(wiring.clock.now().getTime() / 1_000);
  const signature = standardHeaders({ id, body, secrets, timestampSeconds });
  const answer = await wiring.safeFetch.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-posthorn-step': id, ...signature },
    body,
    onBehalfOf: automationId,
    timeoutMs: TIMEOUT_MS,
    bodyBytesMax: ANSWER_BYTES_MAX,
  });
  await reach('automations.call.answered');
  const isGood = answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
  const error = answer.kind === 'answered' ? `The receiver answered ${answer.status}.` : answer.reason;
  await inTransaction(wiring.db, async (tx) => {
    const held = await lockCalledRun(tx, workspaceId, { runId, lease });
    if (held === undefined) return;
    const definitionOf = await loadDefinitions(tx, workspaceId, [held]);
    const [facts] = await loadFacts(tx, workspaceId, [personOf(definitionOf)(held)]);
    if (facts === undefined) throw new Error('a run has no facts');
    const walked = await walk({ ...held, isWaiting: false, heard: null }, definitionOf(held).steps, facts);
    const turn = isGood
      ? withSuccess(walked, { status: answer.status })
      : withFailure(walked, error, answer.kind === 'answered' && answer.status === 410);
    await storeTurns(tx, workspaceId, [turn]);
    await publishFailures(tx, workspaceId, [turn]);
  });
}
