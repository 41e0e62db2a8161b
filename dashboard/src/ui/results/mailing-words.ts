import { counted, formatCount } from '../../lib/number.ts';

type Noun = 'issue' | 'broadcast';

/** `left`: the emails that had been released before. */
export const pausedWords = (noun: Noun, left: number): string =>
  left === 0 ? `The ${noun} is paused.` : `The ${noun} is paused. ${counted(left, 'email')} in the queue still leave.`;

/** Refused emails have two kinds, which the counts do not tell apart: only those that were never taken may leave. */
export const retriedWords = (queued: number): string =>
  queued === 0
    ? 'No email is tried again. The provider took these first and rejected them for their content, and would do so again.'
    : `${counted(queued, 'email')} ${queued === 1 ? 'is' : 'are'} tried again.`;

interface Retryable {
  count: number;
  is_estimate: boolean;
}

/** The button that tries refused emails again; undefined: the number is not known yet. */
export const retryWords = (retryable: Retryable | undefined): string =>
  retryable === undefined || retryable.count === 0
    ? 'Retry refused emails'
    : `Retry ${retryable.is_estimate ? 'more than ' : ''}${counted(retryable.count, 'refused email')}`;

export const NO_RETRY =
  'The provider took these emails first and rejected them for their content, and would do so again.';

interface Cancellable {
  stats: { waiting: number; queued: number; sending: number; sent: number };
  progress: { state: string } | null;
}

/** The consequence for a mailing whose time has not come. `people`: "7 readers"; undefined: it is not known yet. */
export const cancelScheduledWords = (people: string | undefined): string =>
  `It will not be sent${people === undefined ? '' : ` to ${people}`}. A duplicate of it can be sent later.`;

/**
 * The consequence of a cancellation, with the numbers of this moment. The page reads them again every two seconds while
 * emails leave.
 */
export function cancelWords({ stats, progress }: Cancellable): string {
  const { waiting, sent } = stats;
  const released = stats.queued + stats.sending;
  const stopped = `${counted(waiting, 'email')} ${waiting === 1 ? 'has' : 'have'} not left, and will not be sent.`;
  const leaves =
    released === 0
      ? 'None is in the queue.'
      : `${counted(released, 'email')} in the queue still ${released === 1 ? 'leaves' : 'leave'}.`;
  const left = `${leaves} ${formatCount(sent)} ${sent === 1 ? 'has' : 'have'} left.`;
  if (progress?.state === 'paused') return `${stopped} ${left}`;
  const moves =
    progress?.state === 'freezing'
      ? 'The recipients are still being written, so the first number grows.'
      : 'The sending goes on until you cancel, and these numbers follow it.';
  return `${stopped} ${left} ${moves}`;
}
