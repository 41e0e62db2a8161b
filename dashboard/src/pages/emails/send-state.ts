import type { Send } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export const SEND_STATUSES: Readonly<Record<Send['status'], { label: string; tone: Tone }>> = {
  queued: { label: 'Queued', tone: 'info' },
  paused: { label: 'Paused', tone: 'warn' },
  processing: { label: 'Sending', tone: 'info' },
  completed: { label: 'Completed', tone: 'ok' },
  completed_with_errors: { label: 'Completed with errors', tone: 'warn' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
  scheduled: { label: 'Scheduled', tone: 'info' },
  suppressed: { label: 'Suppressed', tone: 'warn' },
};

const WAITING: readonly Send['status'][] = ['queued', 'paused', 'processing', 'scheduled'];

/** Something may still leave, so a page that shows it asks again. */
export const isWaiting = (status: Send['status']): boolean => WAITING.includes(status);

export function whyNotCancel({ status, progress }: Pick<Send, 'status' | 'progress'>): string | undefined {
  if (status === 'cancelled') return 'This send is cancelled already.';
  return progress.queued === 0 ? 'Nothing waits any more.' : undefined;
}

/** Every other pause ends by itself. */
export const whyNotResume = ({ pauseCode }: Pick<Send, 'pauseCode'>): string | undefined =>
  pauseCode === 'workspace_paused' ? 'The workspace is paused: resume it first.' : undefined;
