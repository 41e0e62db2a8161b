import type { BulkAction, BulkContactJob } from '../../../api/generated/types.gen.ts';
import type { Tone } from '../../../ui/StatusBadge.tsx';

export type ActionType = BulkAction['type'];

const ACTIONS: Readonly<Record<ActionType, string>> = {
  add_to_list: 'Add to a list',
  remove_from_list: 'Take off a list',
  update: 'Set properties',
  unsubscribe: 'Unsubscribe',
  delete: 'Delete',
};

export const ACTION_OPTIONS = Object.entries(ACTIONS).map(([value, label]) => ({ value, label }));

export const CONSEQUENCES: Readonly<Record<ActionType, string>> = {
  add_to_list: 'Nobody comes back to a list that they left themselves.',
  remove_from_list: 'They stay as contacts.',
  update: 'Other properties stay as they are.',
  unsubscribe: 'They get no more mail to many. Single emails, such as receipts, still leave.',
  delete: 'Their names, properties and memberships are removed. People who had unsubscribed stay so if they come back.',
};

export const JOB_STATES: Readonly<Record<BulkContactJob['status'], { label: string; tone: Tone }>> = {
  queued: { label: 'Waiting', tone: 'info' },
  processing: { label: 'Running', tone: 'info' },
  completed: { label: 'Completed', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
  undoing: { label: 'Being undone', tone: 'info' },
  undone: { label: 'Undone', tone: 'quiet' },
};

export const isRunning = ({ status }: Pick<BulkContactJob, 'status'>): boolean =>
  status === 'queued' || status === 'processing' || status === 'undoing';

/** The change in words; `listName` is that of its list. */
export function titleOf({ type }: BulkAction, listName: string): string {
  if (type === 'add_to_list') return `Add to ${listName}`;
  return type === 'remove_from_list' ? `Take off ${listName}` : ACTIONS[type];
}

/** Undefined when the job can be undone now; otherwise the reason. */
export function whyNotUndo(
  job: Pick<BulkContactJob, 'status' | 'undo_until' | 'changed'>,
  now: number,
): string | undefined {
  if (job.status === 'undone') return 'This change is undone already.';
  if (isRunning(job)) return 'The change can be undone once it has ended.';
  if (job.changed === 0) return 'Nothing was changed.';
  return job.undo_until === null || new Date(job.undo_until).getTime() <= now
    ? 'A change can be undone for 24 hours after its end.'
    : undefined;
}
