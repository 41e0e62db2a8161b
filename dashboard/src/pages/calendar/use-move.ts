import { rescheduleEmail, scheduleIssue, updateBroadcast } from '../../api/generated/sdk.gen.ts';
import type { PlannedMail } from '../../api/generated/types.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { useWrite } from '../../api/use-write.ts';
import { exactTime } from '../../lib/time.ts';
import { toastDone, toastError, toastUndo } from '../../ui/toasts.tsx';
import { stateOf } from './planned-words.ts';

interface Move {
  item: PlannedMail;
  /** An instant, or a time of the clock in `timezone`. */
  scheduled_for: string;
  timezone: string | null;
  isUndo?: true;
}

interface Moved {
  at: string;
  note: string | null;
}

async function move({ item, scheduled_for, timezone }: Move): Promise<{ data: Moved }> {
  const body = { scheduled_for, timezone };
  if (item.type === 'issue') {
    const path = { id: item.newsletter_id ?? '', issueId: item.id };
    const { data } = await scheduleIssue({ path, body, throwOnError: true });
    return { data: { at: data.scheduled_for ?? item.scheduled_for, note: data.schedule_note } };
  }
  if (item.type === 'broadcast') {
    const { data } = await updateBroadcast({ path: { id: item.id }, body, throwOnError: true });
    return { data: { at: data.scheduled_for ?? item.scheduled_for, note: data.schedule_note } };
  }
  const { data } = await rescheduleEmail({ path: { id: item.id }, body, throwOnError: true });
  return { data: { at: data.scheduled_for, note: data.schedule_note } };
}

const CHANGES = [
  'getCalendar',
  'listScheduledEmails',
  'getScheduledEmail',
  'getIssue',
  'listIssues',
  'getBroadcast',
  'listBroadcasts',
];

/** Gives planned mail another time, and offers to take that back. `onError` for a form, which shows it itself. */
export function useMove(options: { onDone?: () => void; onError?: () => void } = {}) {
  const write = useWrite({
    call: move,
    changes: CHANGES,
    onDone: ({ at, note }, { item, isUndo }) => {
      options.onDone?.();
      const words = `It leaves ${exactTime(at)}.${note === null ? '' : ` ${note}`}`;
      if (isUndo) return toastDone(words);
      const { scheduled_for, timezone, wall_time } = item;
      const back = { scheduled_for: wall_time ?? scheduled_for, timezone };
      toastUndo(words, () => write.mutate({ item, ...back, isUndo: true }));
    },
    onError: options.onError ?? toastError,
  });
  return write;
}

/** Why this mail cannot be moved; undefined: it can. */
export function useWhyNotMove(): (item: PlannedMail) => string | undefined {
  const emails = useWhyNot('scheduled:write');
  const issues = useWhyNot('issues:send');
  const broadcasts = useWhyNot('broadcasts:send');
  return (item) => {
    if (item.status !== 'scheduled') return `It is not waiting any more: ${stateOf(item).label.toLowerCase()}.`;
    return { issue: issues, broadcast: broadcasts, scheduled_email: emails }[item.type];
  };
}
