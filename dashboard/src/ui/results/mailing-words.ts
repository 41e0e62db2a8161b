import { counted } from '../../lib/number.ts';

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

/** The consequence of a cancellation. */
export const cancelWords = ({ status, stats }: { status: string; stats: { waiting: number } }): string =>
  status === 'scheduled'
    ? 'It will not be sent. A duplicate of it can be sent later.'
    : `About ${counted(stats.waiting, 'email')} will not be sent. The emails that are in the queue already, about ten seconds of sending, still leave.`;
