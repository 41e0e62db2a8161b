import type { SuppressionReason } from '../../api/generated/types.gen.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

interface ReasonWords {
  label: string;
  tone: Tone;
  why: string;
  /** Before it is lifted. */
  lifting: string;
}

/** Reasons from the strongest to the weakest: a stronger one replaces a weaker one. */
export const REASONS: Readonly<Record<SuppressionReason, ReasonWords>> = {
  complaint: {
    label: 'Complaint',
    tone: 'bad',
    why: 'The recipient marked an email as spam.',
    lifting: 'Another complaint harms your reputation with the provider. Lift it only if the person asked you to.',
  },
  hard_bounce: {
    label: 'Hard bounce',
    tone: 'bad',
    why: 'The mail server of the recipient refused an email permanently because of the address.',
    lifting: 'If the mailbox still does not exist, the next email bounces and the address is suppressed again.',
  },
  manual: {
    label: 'Manual',
    tone: 'quiet',
    why: 'Somebody of this workspace added the address.',
    lifting: 'Mail to the address is allowed again at once.',
  },
  unsubscribe: {
    label: 'Unsubscribe',
    tone: 'warn',
    why: 'The owner of the address asked for no more mail.',
    lifting: 'Lift it only if the person wants mail again. It subscribes them to nothing.',
  },
  soft_bounce: {
    label: 'Soft bounces',
    tone: 'warn',
    why: 'Five emails in a row bounced temporarily, with no delivery between them.',
    lifting: 'The count of temporary bounces begins again.',
  },
};

// The keys are the reasons, which Object.entries forgets.
export const REASON_OPTIONS = Object.entries(REASONS).map(([value, { label }]) => ({
  value: value as SuppressionReason,
  label,
}));

/** Adding a row again restores these; a bounce or a complaint cannot be added by hand. */
export const canBeUndone = (reason: SuppressionReason): boolean => reason === 'manual' || reason === 'unsubscribe';
