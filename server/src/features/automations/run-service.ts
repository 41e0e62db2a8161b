import { DatabaseClock } from '#platform/db/database-clock.ts';
import { Moment } from '#platform/moments.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { tellOfIssue } from './hearing/fan-out.ts';
import type { AutomationsWiring } from './wiring.ts';
import { advanceRuns, type Call } from './running/advance-runs.ts';
import { callWebhook } from './running/call-webhook.ts';
import { listDueRuns, listDueWorkspaces, postponeRun, releaseHeldRuns } from './running/queries.ts';

/** A step begins at most this late, plus the time that steps take. */
const EVERY_MS = 500;
const PAGE = 100;
const HELD_PAGE = 500;
const CALLS_AT_ONCE = 20;

export interface RunService extends Loop {
  /** Takes the steps that are due now, and waits for their calls. Returns how many turns were taken. */
  runOnce(): Promise<number>;
  moments: { round: Moment<number> };
}

/** Calls that are under way, at most so many at once. They outlast the page that began them. */
class Calls {
  readonly #wiring: AutomationsWiring;
  readonly #running = new Set<Promise<void>>();

  constructor(wiring: AutomationsWiring) {
    this.#wiring = wiring;
  }

  get room(): number {
    return CALLS_AT_ONCE - this.#running.size;
  }

  begin(call: Call): void {
    const done = this.#make(call);
    this.#running.add(done);
    void this.#forget(done);
  }

  async #make(call: Call): Promise<void> {
    try {
      await callWebhook(this.#wiring, call);
    } catch (error) {
      const { runId } = call.run;
      this.#wiring.log.error({ err: error, runId }, 'the answer to an automation could not be recorded');
    }
  }

  async #forget(done: Promise<void>): Promise<void> {
    await done;
    this.#running.delete(done);
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/**
 * Takes a page of the due runs of a workspace. One that fails for a fault of ours is taken run by run: a run that fails
 * then waits longer each time, and holds up no other.
 */
async function takePage(
  wiring: AutomationsWiring,
  calls: Calls,
  { workspaceId, until }: { workspaceId: string; until: Date },
): Promise<number> {
  const { db, log } = wiring;
  const advance = async (asked: { limit: number; runId?: string }): Promise<number> => {
    const advanced = await advanceRuns(wiring, workspaceId, { ...asked, until, callsMax: calls.room });
    for (const call of advanced.calls) calls.begin(call);
    return advanced.claimed;
  };
  try {
    return await advance({ limit: PAGE });
  } catch (error) {
    log.error({ err: error, workspaceId }, 'a page of automations could not be taken; trying run by run');
  }
  let claimed = 0;
  for (const runId of await listDueRuns(db, workspaceId, { limit: PAGE, until })) {
    try {
      claimed += await advance({ limit: 1, runId });
    } catch (error) {
      log.error({ err: error, workspaceId, runId }, 'a step of an automation failed; it is tried again');
      await postponeRun(db, workspaceId, runId);
    }
  }
  return claimed;
}

/** Takes the due steps of all runs, page by page, each workspace in its turn, by the clock of the database. */
export function createRunService(wiring: AutomationsWiring): RunService {
  const moments = { round: new Moment<number>() };
  const databaseClock = new DatabaseClock({ ...wiring, holds: 'automations' });
  const calls = new Calls(wiring);

  const runOnce = async (goOn: () => boolean = () => true): Promise<number> => {
    let taken = 0;
    for (let told = true; told && goOn(); ) told = await tellOfIssue(wiring);
    await releaseHeldRuns(wiring.db, HELD_PAGE);
    for (let claimed = 1; claimed > 0 && goOn(); taken += claimed) {
      claimed = 0;
      const { until } = await databaseClock.look();
      for (const workspaceId of await listDueWorkspaces(wiring.db, until)) {
        if (!goOn()) break;
        claimed += await takePage(wiring, calls, { workspaceId, until });
      }
    }
    moments.round.occur(taken);
    return taken;
  };

  const service = loop({
    name: 'automations',
    everyMs: EVERY_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'steps of automations cannot be looked for; trying again',
    round: runOnce,
  });
  return {
    ...service,
    async stop() {
      await service.stop();
      await calls.ended();
    },
    async runOnce() {
      let taken = 0;
      for (let now = 1; now > 0; taken += now) {
        now = await runOnce();
        await calls.ended();
      }
      return taken;
    },
    moments,
  };
}
