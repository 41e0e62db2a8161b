import type { Db } from '#platform/db/database.ts';
import type { Definition } from '../automation.ts';
import type { Told } from '../running/condition.ts';
import { loadFacts } from '../running/facts.ts';
import { endRuns, type RunEnd } from '../running/queries.ts';
import { isEmailEvent } from '../step-fields.ts';
import { endingBy, isMeant } from './ending.ts';
import type { Happening } from './happening.ts';
import type { Hearing } from './list-erased.ts';
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
import { withoutErased } from './without-erased.ts';

/** The effect of an event. */
export interface Heard {
  started: string[];
  resumed: number;
  ended: number;
}

/**
 * The answer to events, in the transaction in which they happen: runs of these people end, or go on, and then new ones
 * begin. At most a page of events at once. Where no automation hears of it, it is one look at an index. Returns what
 * each of them has done; a run that several would wake or end counts for the first.
 */
export async function hear({ db: tx, secrets }: Hearing, happenings: readonly Happening[]): Promise<Heard[]> {
  const answers = happenings.map((): Heard => ({ started: [], resumed: 0, ended: 0 }));
  if (happenings.length === 0) return answers;
  const workspaceIds = [...new Set(happenings.map(({ workspaceId }) => workspaceId))];
  const types = [...new Set(happenings.map(({ type }) => type))];
  const hearing = await listHearing(tx, workspaceIds, types);
  if (hearing.length === 0) return answers;
  const heard = happenings.flatMap((one, index) => {
    const answer = answers[index];
    const isHeard = hearing.some(
      ({ workspaceId, heard: all }) => workspaceId === one.workspaceId && all.includes(one.type),
    );
    return isHeard && answer !== undefined ? [{ one, answer }] : [];
  });
  const runs = await lockListeningRuns(
    tx,
    heard.map(({ one }) => one),
    types,
  );
  const told = await withFacts(tx, heard, [...hearing, ...runs]);
  await tellRuns(tx, runs, told);
  const wanted = told.flatMap(({ one, facts, answer }) => {
    // Mail of an automation starts none, or two of them could go on for ever.
    if (isEmailEvent(one.type) && one.runId !== null) return [];
    return hearing
      .filter((automation) => isStartedBy(automation, one, facts))
      .map((automation) => ({ run: newRun(automation, one), one, answer }));
  });
  await start({ db: tx, secrets }, wanted);
  return answers;
}

interface Known {
  one: Happening;
  facts: Told;
  answer: Heard;
}

/** Most automations need nothing but the facts that are known without a look: then nothing is asked. */
async function withFacts(
  tx: Db,
  heard: readonly Omit<Known, 'facts'>[],
  of: readonly { definition: Definition }[],
): Promise<Known[]> {
  if (!of.some(({ definition }) => looksAtPeople(definition))) {
    return heard.map((known) => ({ ...known, facts: { ...known.one, subscriber: null, contact: null } }));
  }
  const facts = new Map<Happening, Told>();
  for (const [workspaceId, group] of Map.groupBy(heard, ({ one }) => one.workspaceId)) {
    const people = group.map(({ one }) => one);
    for (const [index, found] of (await loadFacts(tx, workspaceId, people)).entries()) {
      const happening = people[index];
      if (happening !== undefined) facts.set(happening, found);
    }
  }
  return heard.flatMap((known) => {
    const found = facts.get(known.one);
    return found === undefined ? [] : [{ ...known, facts: found }];
  });
}

/** Whether a filter of it asks for more of a person than the event tells. */
const looksAtPeople = ({ trigger, exit_on: exits, goal }: Definition): boolean =>
  [trigger, ...exits, ...(goal === null ? [] : [goal])].some(({ filter }) =>
    (filter ?? []).some(({ field }) => field.startsWith('subscriber.') || field.startsWith('contact.')),
  );

const isStartedBy = (automation: HearingAutomation, happening: Happening, facts: Told): boolean =>
  automation.isEnabled &&
  automation.workspaceId === happening.workspaceId &&
  isMeant(automation.definition.trigger, happening, facts);

async function start(
  hearing: Hearing,
  wanted: readonly { run: NewRun; one: Happening; answer: Heard }[],
): Promise<void> {
  const letIn = await withoutErased(hearing, wanted);
  const started = new Set(
    await startRuns(
      hearing.db,
      letIn.map(({ run }) => run),
    ),
  );
  for (const { run, answer } of letIn) if (started.has(run.id)) answer.started.push(run.id);
}

/** Ends the runs that events end, and wakes those that wait for them. */
async function tellRuns(tx: Db, runs: readonly ListeningRun[], told: readonly Known[]): Promise<void> {
  const woken: WokenRun[] = [];
  const ends = new Map<string, RunEnd[]>();
  for (const run of runs) {
    const news = told.filter(({ one }) => concerns(run, one));
    const ending = news
      .map(({ one, facts, answer }) => ({ end: endingBy(run.definition, one, facts), answer }))
      .find(({ end }) => end !== null);
    if (ending !== undefined && ending.end !== null) {
      ends.set(run.workspaceId, [...(ends.get(run.workspaceId) ?? []), { run_id: run.runId, ...ending.end }]);
      ending.answer.ended += 1;
    } else {
      const awaited = awaitedBy(run);
      const came = news.find(({ one }) => one.type === awaited);
      if (came !== undefined) {
        woken.push({ workspace_id: run.workspaceId, run_id: run.runId, heard: came.one.payload });
        came.answer.resumed += 1;
      }
    }
  }
  await wakeRuns(tx, woken);
  for (const [workspaceId, group] of ends) await endRuns(tx, workspaceId, group);
}

/**
 * A run waits from the moment when it gets to the step: the worker that takes the step may be late, and a held run is
 * not taken at all (decision 0201).
 */
function awaitedBy({ awaits, reached, definition }: ListeningRun): string | null {
  if (awaits !== null || reached === null) return awaits;
  const step = definition.steps.find(({ key }) => key === reached);
  return step?.type === 'wait_for_event' ? (step.config.event ?? null) : null;
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
