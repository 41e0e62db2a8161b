import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import {
  cancelWaiting,
  type Gate,
  giveBackHeld,
  listUnsettledGates,
  markGateSettled,
  takeOutQueued,
} from './queries.ts';

const PAGE = 1_000;
const EVERY_MS = 5_000;

async function allPages(page: () => Promise<number>, goOn: () => boolean = () => true): Promise<boolean> {
  while (goOn()) if ((await page()) < PAGE) return true;
  return false;
}

/** Takes all mail of a gate out of the queue. True: all of it. */
export const takeOutAll = (db: Db, { workspaceId, state }: Gate, goOn?: () => boolean): Promise<boolean> =>
  allPages(() => takeOutQueued(db, workspaceId, state, PAGE), goOn);

/** Does all that is left to do for a gate, page by page. It may run in any number of processes and may be killed. */
export async function settleGate(db: Db, gate: Gate, goOn?: () => boolean): Promise<void> {
  const { workspaceId, state } = gate;
  const done =
    state === 'resuming'
      ? await allPages(() => giveBackHeld(db, workspaceId, PAGE), goOn)
      : (await takeOutAll(db, gate, goOn)) &&
        (state === 'paused' || (await allPages(() => cancelWaiting(db, workspaceId, PAGE), goOn)));
  if (done) await markGateSettled(db, gate);
}

/** Finishes what a process that changed a gate has left: it may have been killed in the middle. */
export const gateService = ({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Service =>
  loop({
    name: 'sending gates',
    everyMs: EVERY_MS,
    beginsAtOnce: true,
    clock,
    log,
    failure: 'mail of paused or blocked workspaces was not settled; trying again',
    async round(goOn) {
      for (const gate of await listUnsettledGates(db)) await settleGate(db, gate, goOn);
    },
  });
