import { forgetSenderDomains } from '#features/domains';
import { governWorkspace, type SecuritySource, type Workspace, type WorkspaceGovernance } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { raiseUsage } from '#platform/usage/queries.ts';
import { windowOf } from '#platform/utc-windows.ts';
import { bulkWork } from '../bulk-signal.ts';
import { countAccepted } from '../counting/accepted-queries.ts';
import { countInHand, openGate, setGate } from './queries.ts';
import { settleGate, takeOutAll } from './settle-gate.ts';

/** Longer than the provider has to answer is not waited for: what is still out then ends as its lease says. */
const WAIT_MS_MAX = 10_000;
const POLL_FIRST_MS = 5;
const POLL_MS_MAX = 100;

export interface Governed {
  workspace: Workspace;
  /** Emails that a worker still holds: their outcome is not known yet. 0 as a rule. */
  stillLeaving: number;
}

/**
 * Changes what the operator allows a workspace: its status and its quota. When it returns, nothing of a paused or
 * blocked workspace leaves any more, except `stillLeaving`. Of a blocked one, waiting mail is cancelled. When `check`
 * throws, nothing is changed.
 */
export async function setSending(
  ctx: { db: Db; clock: Clock },
  source: SecuritySource,
  workspaceId: string,
  change: WorkspaceGovernance,
  check?: (before: Workspace) => void,
): Promise<Governed> {
  const { db } = ctx;
  const workspace = await inTransaction(db, async (tx) => {
    const { before, workspace: changed } = await governWorkspace(tx, source, workspaceId, change, check);
    if (before.emailsPerMonth === null && changed.emailsPerMonth !== null) await beginQuota(ctx, tx, workspaceId);
    if (changed.status === 'active') await openGate(tx, workspaceId);
    else if (change.status !== undefined) await setGate(tx, { workspaceId, state: changed.status });
    return changed;
  });
  forgetSenderDomains(workspaceId);
  if (change.status === undefined) return { workspace, stillLeaving: 0 };
  bulkWork.tell();
  if (workspace.status === 'active') {
    await settleGate(db, { workspaceId, state: 'resuming' });
    return { workspace, stillLeaving: 0 };
  }
  const gate = { workspaceId, state: workspace.status };
  await takeOutAll(db, gate);
  const stillLeaving = await untilNoneInHand(ctx, workspaceId);
  await settleGate(db, gate);
  return { workspace, stillLeaving };
}

/** Nothing is counted for a workspace without a quota: the first one begins with the mail of its month. */
async function beginQuota({ clock }: { clock: Clock }, tx: Db, workspaceId: string): Promise<void> {
  const windowStart = windowOf('monthly', clock.now()).start;
  const used = await countAccepted(tx, { workspaceId, domainId: null, since: windowStart });
  if (used > 0) await raiseUsage(tx, { workspaceId, subjectId: workspaceId, tier: 'monthly', windowStart, used });
}

async function untilNoneInHand({ db, clock }: { db: Db; clock: Clock }, workspaceId: string): Promise<number> {
  let pauseMs = POLL_FIRST_MS;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const inHand = await countInHand(db, workspaceId);
    if (inHand === 0 || waitedMs >= WAIT_MS_MAX) return inHand;
    await clock.sleep(pauseMs);
    pauseMs = Math.min(POLL_MS_MAX, pauseMs * 1.5);
  }
}
