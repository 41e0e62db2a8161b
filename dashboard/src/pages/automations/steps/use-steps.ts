import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateAutomation } from '../../../api/generated/sdk.gen.ts';
import type { AutomationTrigger } from '../../../api/generated/types.gen.ts';
import { useWrite } from '../../../api/use-write.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { toastDone } from '../../../ui/toasts.tsx';
import { AUTOMATION_CHANGES } from '../automation-state.ts';
import { readSaved, type SavedAutomation, savedAutomation, savedOf } from '../saved-automation.ts';
import { NO_FAULTS, readFaults, type StepFaults, withoutStep } from './step-faults.ts';
import { type DraftStep, draftSteps, readySteps, readyTrigger, sayingOf } from './step-list.ts';

/** Steps that are written and not saved yet, over the version that they were begun on. */
interface Draft {
  over: SavedAutomation;
  trigger: AutomationTrigger;
  steps: readonly DraftStep[];
}

const draftOf = (over: SavedAutomation): Draft => ({
  over,
  trigger: over.automation.trigger,
  steps: draftSteps(over.automation.steps),
});

const sayingOfSaved = ({ automation: { trigger, steps } }: SavedAutomation) => sayingOf(trigger, steps);

/**
 * The trigger and the steps while they are written. The page keeps them, so that a look at another tab loses nothing.
 * A save names the version that was read; one that somebody else has changed meanwhile is a conflict.
 */
export function useSteps(saved: SavedAutomation) {
  const { id } = saved.automation;
  const queries = useQueryClient();
  const [written, setWritten] = useState<Draft>();
  const [faults, setFaults] = useState<StepFaults>(NO_FAULTS);
  const [problem, setProblem] = useState<unknown>();
  const [conflict, setConflict] = useState<SavedAutomation>();
  const draft = written ?? draftOf(saved);
  const body = { trigger: readyTrigger(draft.trigger), steps: readySteps(draft.steps) };
  const saying = sayingOf(body.trigger, body.steps);
  const isDirty = saying !== sayingOfSaved(draft.over);
  const clear = () => {
    setFaults(NO_FAULTS);
    setProblem(undefined);
    setConflict(undefined);
  };
  const write = useWrite({
    call: async (over: SavedAutomation) => {
      if (saying === sayingOfSaved(over)) return { data: over };
      const headers = { 'If-Match': over.etag };
      return { data: savedOf(await updateAutomation({ path: { id }, headers, body, throwOnError: true })) };
    },
    changes: AUTOMATION_CHANGES,
    onDone: (now, over) => {
      queries.setQueryData(savedAutomation(id).queryKey, now);
      setWritten(undefined);
      clear();
      const { version, stats } = now.automation;
      const isHeld = version !== over.automation.version && stats.active > 0;
      toastDone(`Version ${version} is saved.${isHeld ? ' People who are under way finish on theirs.' : ''}`);
    },
    onError: async (error, over) => {
      const theirs = error instanceof ApiError && error.status === 409 ? await readTheirs() : undefined;
      if (theirs === undefined) {
        const read = readFaults(error, draft.steps);
        setFaults(read);
        setProblem(read.hasRest ? error : undefined);
      } else if (theirs.etag !== over.etag && [sayingOfSaved(over), saying].includes(sayingOfSaved(theirs))) {
        write.mutate(theirs); // another field has changed, such as its name, or the answer to our own save was lost
      } else setConflict(theirs);
    },
  });
  const readTheirs = () => readSaved(id).catch(() => undefined); // the refusal itself is shown then
  return {
    trigger: draft.trigger,
    steps: draft.steps,
    body,
    faults,
    problem,
    conflict,
    isDirty,
    isSaving: write.isPending,
    setTrigger(trigger: AutomationTrigger) {
      setWritten({ ...draft, trigger });
      setFaults({ ...faults, ofTrigger: {} });
    },
    /** `changed` is the id of the step whose faults are settled by the change. */
    setSteps(steps: readonly DraftStep[], changed?: number) {
      setWritten({ ...draft, steps });
      if (changed !== undefined) setFaults(withoutStep(faults, changed));
    },
    save(over: SavedAutomation = draft.over) {
      if (write.isPending) return;
      clear();
      write.mutate(over);
    },
    discard() {
      setWritten(undefined);
      clear();
    },
    /** Gives up what was written for the version of the server. */
    take(theirs: SavedAutomation) {
      queries.setQueryData(savedAutomation(id).queryKey, theirs);
      setWritten(undefined);
      clear();
    },
  };
}

export type Steps = ReturnType<typeof useSteps>;
