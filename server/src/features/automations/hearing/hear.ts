import type { Db } from '#platform/db/database.ts';
import { type Facts, loadFacts } from '../running/facts.ts';
import { endRuns, type RunEnd } from '../running/queries.ts';
import { isEmailEvent, isOfMember } from '../step-fields.ts';
import { endingBy, isMeant } from './ending.ts';
import type { Happening } from './happening.ts';
import { type Hearing, listErased } from './list-erased.ts';
import { correlationOf, newRun } from './new-run.ts';
import {
  type HearingAutomation,
  type ListeningRun,
  listHearing,
  lockListeningRuns,
  type NewRun,
  startRuns,
  wakeRuns,
  type WokenRun,
} from './queries.ts';

export interface Heard {
  started: string[];
  resumed: number;
  ended: number;
}

const NOTHING: Heard = { started: [], resumed: 0, ended: 0 };

/**
 * The answer to events, in the transaction in which they happen: runs of these people end, or go on, and then new ones
 * begin. At most a page of events at once. Where no automation hears of it, it is one look at an index.
 */
export async function hear({ db: tx, secrets }: Hearing, happenings: readonly Happening[]): Promise<Heard> {
  if (happenings.length === 0) return NOTHING;
  const workspaceIds = [...new Set(happenings.map(({ workspaceId }) => workspaceId))];
  const types = [...new Set(happenings.map(({ type }) => type))];
  const hearing = await listHearing(tx, workspaceIds, types);
  if (hearing.length === 0) return NOTHING;
  const heard = happenings.filter(({ workspaceId, type }) =>
    hearing.some((one) => one.workspaceId === workspaceId && one.heard.includes(type)),
  );
  const known = await factsOf(tx, heard);
  const { resumed, ended } = await tellRuns(tx, heard, known);
  const wanted = heard.flatMap((one, index) => {
    // Mail of an automation starts none, or two of them could go on for ever.
    if (isEmailEvent(one.type) && one.runId !== null) return [];
    return hearing
      .filter((automation) => isStartedBy(automation, one, known[index]))
      .map((automation) => newRun(automation, one));
  });
  const letIn = await withoutErased({ db: tx, secrets }, wanted, happenings);
  return { started: await startRuns(tx, letIn), resumed, ended };
}

/** An erased person starts nothing. Somebody who has just joined a list or become a contact is there again. */
async function withoutErased(
  hearing: Hearing,
  runs: readonly NewRun[],
  happenings: readonly Happening[],
): Promise<NewRun[]> {
  const doubtful = happenings.filter(({ type }) => !isOfMember(type));
  const emails = new Set(doubtful.map(({ email }) => email));
  const asked = runs.filter(({ email }) => emails.has(email));
  const erased = new Set<string>();
  for (const [workspaceId, group] of Map.groupBy(asked, (run) => run.workspace_id)) {
    const ofGroup = group.map(({ email }) => email);
    for (const email of await listErased(hearing, workspaceId, ofGroup)) erased.add(`${workspaceId} ${email}`);
  }
  return runs.filter((run) => !erased.has(`${run.workspace_id} ${run.email}`));
}

/** By the place of the happening. */
async function factsOf(tx: Db, happenings: readonly Happening[]): Promise<(Facts | undefined)[]> {
  const facts = new Map<Happening, Facts>();
  for (const [workspaceId, group] of Map.groupBy(happenings, (one) => one.workspaceId)) {
    for (const [index, known] of (await loadFacts(tx, workspaceId, group)).entries()) {
      const happening = group[index];
      if (happening !== undefined) facts.set(happening, known);
    }
  }
  return happenings.map((one) => facts.get(one));
}

const isStartedBy = (automation: HearingAutomation, happening: Happening, facts: Facts | undefined): boolean =>
  automation.isEnabled &&
  automation.workspaceId === happening.workspaceId &&
  facts !== undefined &&
  isMeant(automation.definition.trigger, happening, facts);

/** Ends the runs that it ends, and wakes those that wait for it. */
async function tellRuns(
  tx: Db,
  happenings: readonly Happening[],
  known: readonly (Facts | undefined)[],
): Promise<{ resumed: number; ended: number }> {
  const runs = await lockListeningRuns(tx, happenings, [...new Set(happenings.map(({ type }) => type))]);
  if (runs.length === 0) return { resumed: 0, ended: 0 };
  const woken: WokenRun[] = [];
  const ends = new Map<string, RunEnd[]>();
  for (const run of runs) {
    const news = happenings.flatMap((one, index) => (concerns(run, one) ? [{ one, facts: known[index] }] : []));
    const end = news
      .map(({ one, facts }) => (facts === undefined ? null : endingBy(run.definition, one, facts)))
      .find((found) => found !== null);
    if (end !== undefined) {
      ends.set(run.workspaceId, [...(ends.get(run.workspaceId) ?? []), { run_id: run.runId, ...end }]);
    } else {
      const came = news.find(({ one }) => one.type === run.awaits);
      if (came !== undefined) {
        woken.push({ workspace_id: run.workspaceId, run_id: run.runId, heard: came.one.payload });
      }
    }
  }
  await wakeRuns(tx, woken);
  let ended = 0;
  for (const [workspaceId, group] of ends) ended += (await endRuns(tx, workspaceId, group)).length;
  return { resumed: woken.length, ended };
}

/** Events of emails count for the run that sent the email, all others for the same correlation. */
function concerns(run: ListeningRun, { workspaceId, email, type, runId, sandbox, payload }: Happening): boolean {
  if (run.workspaceId !== workspaceId || run.email !== email) return false;
  if (isEmailEvent(type)) return run.runId === runId;
  if (run.sandbox !== sandbox) return false;
  return (
    run.correlation === null || !type.startsWith('event:') || correlationOf(run.definition, payload) === run.correlation
  );
}
