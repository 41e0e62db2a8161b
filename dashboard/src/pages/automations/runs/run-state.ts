import type { AutomationRunSummary, AutomationStepRecord } from '../../../api/generated/types.gen.ts';
import type { Tone } from '../../../ui/StatusBadge.tsx';
import { branchWords } from '../branch-words.ts';
import { eventWords } from '../triggers.ts';

interface State {
  tone: Tone;
  label: string;
}

export const RUN_STATES: Readonly<Record<AutomationRunSummary['status'], State>> = {
  active: { tone: 'info', label: 'Under way' },
  completed: { tone: 'ok', label: 'Completed' },
  exited: { tone: 'quiet', label: 'Exited' },
  failed: { tone: 'bad', label: 'Failed' },
};

export const STEP_STATES: Readonly<Record<AutomationStepRecord['status'], State>> = {
  waiting: { tone: 'info', label: 'Waiting' },
  completed: { tone: 'ok', label: 'Done' },
  failed: { tone: 'bad', label: 'Failed' },
  skipped: { tone: 'quiet', label: 'Skipped' },
};

/** Where a run is, or why it ended. */
export function placeOf({ status, reason, step, waits_for: event, held }: AutomationRunSummary): string {
  if (status !== 'active') {
    if (reason === null) return 'It passed its last step';
    return status === 'failed' ? `It failed at ${reason}` : branchWords(reason);
  }
  const at = step === null ? 'It begins' : `At ${step}`;
  if (held) return `${at}, held`;
  return event === null ? at : `${at}, until: ${eventWords(event)}`;
}
