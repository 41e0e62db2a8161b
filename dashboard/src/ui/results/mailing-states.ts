import { formatPercent } from '../../lib/number.ts';
import type { Tone } from '../StatusBadge.tsx';

type State = 'draft' | 'scheduled' | 'sending' | 'sent' | 'cancelled' | 'failed';

/** The states of an issue and of a broadcast. */
export const MAILING_STATES: Readonly<Record<State, { label: string; tone: Tone }>> = {
  draft: { label: 'Draft', tone: 'quiet' },
  scheduled: { label: 'Scheduled', tone: 'info' },
  sending: { label: 'Sending', tone: 'warn' },
  sent: { label: 'Sent', tone: 'ok' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
  failed: { label: 'Failed', tone: 'bad' },
};

export const MAILING_STATE_OPTIONS = Object.entries(MAILING_STATES).map(([value, { label }]) => ({ value, label }));

/** "Sending, 25 %": the share of the emails that need nothing more. */
export function stateWords(mailing: { status: State; stats: { total: number; pending: number } }): string {
  const { status, stats } = mailing;
  return status === 'sending' && stats.total > 0
    ? `Sending, ${formatPercent((stats.total - stats.pending) / stats.total)}`
    : MAILING_STATES[status].label;
}

/** A share of the delivered emails; a dash as long as there are none. */
export const shareOfDelivered = (count: number, delivered: number): string =>
  delivered === 0 ? '—' : formatPercent(Math.min(count / delivered, 1));
