import type { IssueSummary } from '../../api/generated/types.gen.ts';
import { formatPercent } from '../../lib/number.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export const ISSUE_STATES: Readonly<Record<IssueSummary['status'], { label: string; tone: Tone }>> = {
  draft: { label: 'Draft', tone: 'quiet' },
  scheduled: { label: 'Scheduled', tone: 'info' },
  sending: { label: 'Sending', tone: 'warn' },
  sent: { label: 'Sent', tone: 'ok' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
  failed: { label: 'Failed', tone: 'bad' },
};

export const ISSUE_STATE_OPTIONS = Object.entries(ISSUE_STATES).map(([value, { label }]) => ({ value, label }));

/** "1,204 of 4,812" while it is being sent: the emails that need nothing more. */
export const settledOf = ({ stats }: IssueSummary): number => stats.total - stats.pending;

/** A share of the delivered emails; a dash as long as there are none. */
export const shareOfDelivered = (count: number, delivered: number): string =>
  delivered === 0 ? '—' : formatPercent(Math.min(count / delivered, 1));
